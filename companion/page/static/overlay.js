// What is laid over a stream's picture: score, whose turn, the last move, calls. It only looks on. Without a connection
// it fades away: what it cannot know to be true now, it does not show.

import { el, show, showAnew, svg } from "./dom.js";
import { openLink } from "./link.js";
import { pieceIcon } from "./pieces.js";
import { SHAPES } from "./shapes.js";
import { has, playerName, say } from "./texts.js";
import { Marks } from "./walks.js";

const CORNERS = ["top-left", "top-right", "bottom-left", "bottom-right"];
const byId = (id) => document.getElementById(id);

/** The choices in the address: what is none of them counts as not given. */
function choices(query) {
  const scale = Number(query.get("scale"));
  const on = (name, otherwise) => (query.has(name) ? query.get(name) !== "0" : otherwise);
  return {
    corner: CORNERS.includes(query.get("corner")) ? query.get("corner") : CORNERS[0],
    scale: scale >= 0.5 && scale <= 4 ? scale : 1,
    board: on("board", false),
    moves: on("moves", true),
    calls: on("calls", true),
  };
}

const chosen = choices(new URLSearchParams(location.search));
const table = location.pathname.split("/").at(-1);
let layout = {};
let state = {};

document.body.classList.add(chosen.corner);
// The style of an element that a script sets is no inline style to the content policy.
document.documentElement.style.setProperty("--scale", chosen.scale);

/** What stands on a player's plate: the lead of a score between two, or how far a path has come. */
function points(player) {
  if (layout.pattern) return { now: state.explanation?.partial_paths?.[player]?.length ?? 0, goal: layout.pattern.length };
  const { positive, goal } = layout.score ?? {};
  const lead = (state.score ?? 0) * (player === positive ? 1 : -1);
  return { now: Math.max(0, lead), goal };
}

function plate(player) {
  const label = layout.players?.[player]?.label;
  const { now, goal } = points(player);
  const turn = state.to_move === player && !state.outcome && !state.paused;
  const won = state.outcome?.winner === player;
  const words = won ? say("overlay.won") : turn ? say("overlay.turn") : null;
  return el(
    "div",
    { class: `plate ${turn ? "turn" : ""} ${won ? "won" : ""}` },
    label ? pieceIcon(layout, label, "") : el("span"),
    el("span", { class: "name" }, playerName(state, player)),
    el("span", { class: "mark" }, words),
    el("span", { class: "points" }, String(now), goal ? el("span", { class: "goal" }, ` / ${goal}`) : null),
  );
}

/** What somebody at the table has to do now, the most urgent first; "" where nothing. */
function call() {
  if (state.outcome_words) return state.outcome_words;
  if (state.illegal) return has(`reason.${state.illegal.reason}`) ? say(`reason.${state.illegal.reason}`) : state.illegal.detail;
  if (state.orphans?.length) return say("overlay.orphans", { n: state.orphans.length });
  if (state.question) return say("overlay.question");
  return state.paused ? say("overlay.paused") : "";
}

function draw() {
  byId("game").textContent = has(`game.${state.game}`) ? say(`game.${state.game}`) : "Companion";
  const players = state.players ?? Object.keys(layout.players ?? {});
  show(byId("plates"), players.map(plate));
  const last = chosen.moves ? state.moves?.at(-1)?.words : "";
  // Told anew only where they differ, so that a screen reader says each once.
  showAnew(byId("last"), last, () => last);
  const urgent = chosen.calls ? call() : "";
  showAnew(byId("call"), urgent, () => urgent);
  if (chosen.board) drawBoard();
  byId("overlay").removeAttribute("aria-busy");
}

function drawBoard() {
  const marks = new Marks(layout, state);
  const last = new Set(state.moves?.at(-1)?.places ?? []);
  const parts = (layout.shapes ?? []).flatMap((shape) => SHAPES[shape.kind]?.({ layout, shape, state, last, marks }) ?? []);
  const box = `0 0 ${layout.width_mm ?? 1} ${layout.height_mm ?? 1}`;
  const drawing = svg("svg", { viewBox: box, class: layout.pattern ? "tiles" : null, role: "group", "aria-label": say("board") }, parts);
  for (const element of drawing.querySelectorAll("[tabindex]")) element.removeAttribute("tabindex"); // nothing to choose here
  show(byId("board"), drawing);
}

openLink(
  {
    snapshot(told) {
      layout = told.layout;
      state = told.state;
      draw();
    },
    record() {},
    state(next) {
      state = next;
      draw();
    },
    live: () => document.body.classList.remove("is-lost"),
    lost: () => document.body.classList.add("is-lost"),
  },
  `../table/${table}/events`,
);
