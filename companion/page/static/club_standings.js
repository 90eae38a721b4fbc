// The standings of a club for some days, and the newest results.

import { byId, el, show } from "./dom.js";
import { ask } from "./history.js";
import { clock, colour, day, say } from "./texts.js";

const COLUMNS = ["played", "won", "drawn", "lost", "difference"];
const PAUSE_MS = 1000;

let asked = 0;
let timer = 0;

const days = () => Object.fromEntries([...new FormData(byId("days"))].filter(([, value]) => value));

/** Ask for the standings and show them; several wishes in one second are one. */
export function showStandings() {
  clearTimeout(timer);
  timer = setTimeout(load, Math.max(0, asked + PAUSE_MS - Date.now()));
}

async function load() {
  asked = Date.now();
  const query = new URLSearchParams(days());
  for (const kind of ["csv", "json"]) byId(kind).href = `standings.${kind}?${query}`;
  try {
    const told = await ask("standings", days());
    show(byId("standings"), told.standings.length ? table(told) : el("p", { class: "quiet" }, say("club.no_players")));
    show(byId("results"), told.results.map(result));
  } catch {
    show(byId("standings"), el("p", { class: "quiet" }, say("club.not_asked")));
  }
}

function table({ standings, games }) {
  return el(
    "table",
    { class: "club-standings" },
    el("caption", {}, say("club.games", { n: games })),
    el("thead", {}, el("tr", {}, el("th", { scope: "col" }, say("club.player")), COLUMNS.map((name) => el("th", { scope: "col" }, say(`club.${name}`))))),
    el(
      "tbody",
      {},
      standings.map((line) => el("tr", {}, el("th", { scope: "row" }, line.player), COLUMNS.map((name) => el("td", {}, name === "difference" ? signed(line[name]) : line[name])))),
    ),
  );
}

const signed = (n) => (n > 0 ? `+${n}` : n < 0 ? `−${-n}` : "0");

function result(game) {
  const ended = new Date(game.ended);
  const when = Number.isNaN(ended.getTime()) ? "" : `${day(ended)}, ${clock(ended)}`;
  const sides = game.players.map((side) => `${side.player === game.winner ? "★ " : ""}${side.name || colour(side.player)}${side.points === null ? "" : ` ${Math.max(0, side.points)}`}`);
  return el("li", {}, el("strong", {}, sides.join(" – ")), el("span", { class: "quiet" }, ` ${game.table} · ${when}`));
}

byId("days").addEventListener("change", showStandings);
byId("days").addEventListener("submit", (event) => event.preventDefault());
