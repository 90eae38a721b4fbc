// The controls of the history: steps, a slider, the way back to the table as it is; and the banner above the board that
// says what is shown there when that is not the table.

import { byId, el, showAnewFor, svg } from "./dom.js";
import { playerName, say } from "./texts.js";

const ICONS = {
  first: "M6 5v14M19 5 9 12l10 7z",
  back: "M16 5 7 12l9 7z",
  forward: "M8 5l9 7-9 7z",
  live: "M5 5l10 7-10 7zM18 5v14",
};

/** Build the controls. @returns a function that draws them */
export function startHistory(history) {
  const button = (name, go) =>
    el("button", { type: "button", class: "step-button", "aria-label": say(`history.${name}`), title: say(`history.${name}`), onclick: go },
      svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: ICONS[name] })));
  const first = button("first", () => history.go(0));
  const back = button("back", () => history.step(-1));
  const forward = button("forward", () => history.step(1));
  const live = button("live", () => history.back());
  const slider = el("input", { type: "range", min: 0, step: 1, "aria-label": say("history.slider"), oninput: () => history.go(Number(slider.value)) });
  const count = el("output", { class: "count" });
  byId("history").append(first, back, slider, count, forward, live);
  addEventListener("keydown", (event) => turnPages(event, history));

  return function drawHistory() {
    const ply = history.ply ?? history.length;
    byId("history").hidden = history.length === 0;
    slider.max = history.length;
    slider.value = ply;
    slider.setAttribute("aria-valuetext", say("history.at", { ply, last: history.length }));
    count.textContent = `${ply} / ${history.length}`;
    // A button that has the keyboard keeps it at the end of its way, and does nothing there.
    for (const [each, ended] of [[first, ply === 0], [back, ply === 0], [forward, history.ply === null], [live, history.ply === null]])
      each.setAttribute("aria-disabled", String(ended));
  };
}

const TAKES_ARROWS = "input, select, textarea, dialog, [contenteditable]";

function turnPages(event, history) {
  if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey || event.target.closest?.(TAKES_ARROWS)) return;
  const pages = { ArrowLeft: () => history.step(-1), ArrowRight: () => history.step(1), Home: () => history.go(0), End: () => history.back() };
  if (!pages[event.key] || history.length === 0) return;
  event.preventDefault();
  pages[event.key]();
}

/** The banner above the board. @param facts {kind: "past" or "what_if", title, lines, onBack}, null where the board is the table's */
export function drawBanner(facts) {
  byId("board-frame").dataset.view = facts?.kind ?? "live";
  const banner = byId("view");
  showAnewFor(() => banner.querySelector("button"), banner, JSON.stringify(facts), () => (facts ? bannerParts(facts) : []));
}

const bannerParts = ({ kind, title, lines, onBack }) => [
  el("p", {}, el("b", { class: "tag" }, say(kind)), " ", el("span", {}, title), lines.filter(Boolean).map((line) => el("small", {}, line))),
  el("button", { type: "button", class: "to-live", onclick: onBack }, say("history.to_live")),
];

/** What a position of the past says beside its board. */
export function pastWords(layout, live, history) {
  const { ply, length, position, failed, moves } = history;
  const title = ply === 0 ? say("history.start") : say("history.after", { ply, last: length, words: moves[ply - 1]?.words ?? moves[ply - 1]?.move ?? "" });
  if (failed) return { title, lines: [say("history.failed")] };
  return { title, lines: position && position.ply === ply ? [standing(layout, live, position)] : [] };
}

/** Score and turn of a position in words. */
export function standing(layout, live, position) {
  const said = [];
  const { score, explanation, to_move: next, outcome } = position;
  if (typeof score === "number" && layout.score) {
    const leader = score > 0 ? layout.score.positive : layout.score.negative;
    said.push(score === 0 ? say("score.even") : say("score.by", { player: playerName(live, leader), points: Math.abs(score) }));
  }
  for (const [player, path] of Object.entries(explanation?.partial_paths ?? {}))
    said.push(say("path.of", { player: playerName(live, player), length: path.length, goal: layout.pattern?.length }));
  if (outcome?.winner) said.push(say("score.won", { player: playerName(live, outcome.winner) }));
  else if (next) said.push(say("turn", { player: playerName(live, next) }));
  return said.join(" · ");
}
