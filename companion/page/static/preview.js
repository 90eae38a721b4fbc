// What would come of a correction, before it is accepted: how the game stands now and then, and every move's fate.

import { el } from "./dom.js";
import { drawing } from "./picking.js";
import { ringWords } from "./panels.js";
import { playerName, say } from "./texts.js";

const FATES = ["gone", "new", "falls", "stays"];

/** @param found the server's preview (`companion.correcting`) @param id by which a button can say what it would do */
export function consequences(layout, state, found, id) {
  const { before, after } = found;
  const rows = [
    layout.score ? [say("score"), scoreWords(layout, state, before), scoreWords(layout, state, after)] : null,
    [say("preview.turn"), turnWords(state, before), turnWords(state, after)],
  ].filter(Boolean);
  const table = el("table", { class: "preview" },
    el("thead", {}, el("tr", {}, ["preview.what", "preview.now", "preview.then"].map((key) => el("th", { scope: "col" }, say(key))))),
    el("tbody", {}, rows.map(([what, now, then]) => el("tr", { class: now === then ? "" : "changed" }, el("th", { scope: "row" }, what), el("td", {}, now), el("td", {}, then)))));
  const orphans = after.orphans.length ? el("p", { class: "warn" }, say("preview.orphans", { rings: after.orphans.map((ring) => ringWords(state, ring)).join(", ") })) : null;
  const small = el("div", { class: "pick-board small" }, drawing(layout, found.sight, [], say("preview.board")));
  return el("div", { class: "consequences", id }, small, el("div", {}, table, orphans, FATES.map((fate) => fateList(found, fate))));
}

/** The moves of one fate; why the first that falls does, which takes the others with it. */
function fateList(found, fate) {
  const moves = found.moves.filter((each) => each.fate === fate);
  if (moves.length === 0) return null;
  const items = moves.map((each) => el("li", {}, say("correct.move", { ply: each.ply, words: each.words ?? each.move })));
  const why = fate === "falls" && found.why ? el("p", { class: "quiet" }, say("preview.why", { detail: found.why.detail })) : null;
  const title = say(`preview.${fate}`, { n: moves.length });
  // Many moves that simply stay need not be read.
  if (fate === "stays") return el("details", { class: fate }, el("summary", {}, title), el("ul", {}, items));
  return el("section", { class: fate }, el("h4", {}, title), why, el("ul", {}, items));
}

function scoreWords(layout, state, standing) {
  const { score } = standing;
  if (typeof score !== "number" || score === 0) return say("score.even");
  const leader = score > 0 ? layout.score.positive : layout.score.negative;
  return say("score.by", { player: playerName(state, leader), points: Math.abs(score) });
}

function turnWords(state, standing) {
  if (standing.outcome) return standing.outcome_words || say("over");
  return standing.to_move ? playerName(state, standing.to_move) : say("turn.anybody");
}
