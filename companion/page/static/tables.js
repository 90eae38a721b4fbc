// The list of tables: their scores and whose turn it is, asked for anew while somebody looks.

import "./commands.js"; // takes a token out of the address, for the pages that are opened from here
import { byId, el, show, showAnew } from "./dom.js";
import { ask } from "./history.js";
import { languageSwitch } from "./language.js";
import { clock, has, plain, playerName, say } from "./texts.js";

const PAUSE_MS = 2000;

let heardAt = new Date();

for (const element of document.querySelectorAll("[data-text]")) element.textContent = say(element.dataset.text);
document.title = say("tables");
show(byId("language"), languageSwitch());

function standing(table) {
  const { score, paths, leader, outcome } = table;
  if (outcome?.winner) return say("score.won", { player: playerName(table, outcome.winner) });
  if (outcome) return say("over.draw");
  if (paths) return Object.entries(paths).map(([player, length]) => say("path.of", { player: playerName(table, player), length, goal: table.goal })).join(" · ");
  return leader ? say("score.by", { player: playerName(table, leader), points: Math.abs(score) }) : say("score.even");
}

function turn(table) {
  if (table.outcome) return table.outcome_words;
  if (table.paused) return say("turn.paused");
  return table.to_move ? say("turn", { player: playerName(table, table.to_move) }) : say("turn.anybody");
}

function row(table) {
  const game = has(`game.${table.game}`) ? say(`game.${table.game}`) : plain(table.game ?? "");
  return el(
    "li",
    {},
    el(
      "a",
      { class: "card", href: `table/${encodeURIComponent(table.table)}/` },
      el("h2", {}, plain(table.table)),
      el("p", { class: "quiet" }, `${game} · ${say("tables.moves", { n: table.ply ?? 0 })}`),
      el("p", { class: "standing" }, standing(table)),
      el("p", {}, turn(table)),
      table.calls ? el("p", { class: "waits" }, say("tables.calls")) : null,
    ),
  );
}

async function draw() {
  try {
    const tables = await ask("tables", {});
    heardAt = new Date();
    document.body.classList.remove("is-lost");
    show(byId("lost"));
    const had = document.activeElement?.getAttribute?.("href");
    const isNew = showAnew(byId("tables"), JSON.stringify(tables), () => (tables.length ? tables.map(row) : [el("li", { class: "card" }, say("tables.none"))]));
    if (isNew && had) byId("tables").querySelector(`[href="${CSS.escape(had)}"]`)?.focus();
    document.querySelector("main").removeAttribute("aria-busy");
  } catch {
    document.body.classList.add("is-lost");
    show(byId("lost"), say("link.lost", { time: clock(heardAt) }));
  }
}

async function run() {
  for (;;) {
    if (!document.hidden) await draw();
    await new Promise((done) => setTimeout(done, PAUSE_MS));
  }
}

document.addEventListener("visibilitychange", () => document.hidden || draw());
run();
