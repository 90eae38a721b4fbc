// Finity's tower, entered by tapping its cones from the bottom to the top.

import { el, svg } from "./dom.js";
import { button, field } from "./setup_form.js";
import { say } from "./texts.js";

const COLOURS = { b: { fill: "#16191f", edge: "#a4aebd" }, w: { fill: "#f7f8fa", edge: "#20252e" } };
const USUAL_LENGTH = 8;
const LENGTHS = Array.from({ length: 12 }, (_, at) => at + 1); // the box holds twelve cones

export function towerForm(command) {
  const drawing = el("div", { class: "setup-tower" });
  const status = el("p", { class: "setup-note", role: "status" });
  const black = button(say("setup.tower.black"), () => add("b"));
  const white = button(say("setup.tower.white"), () => add("w"));
  const remove = button(say("setup.tower.remove"), () => change(pattern.slice(0, -1)));
  const count = el("select", { onchange: () => grow(Number(count.value)) }, LENGTHS.map((each) => el("option", { value: each }, say(each === USUAL_LENGTH ? "setup.tower.usual" : "setup.tower.count", { n: each }))));
  let pattern = "";
  let told = null; // the server's pattern
  let length = USUAL_LENGTH;
  let may = false;

  const add = (colour) => pattern.length < length && change(pattern + colour);

  function change(next) {
    pattern = next;
    draw();
    if (pattern.length === length && pattern !== told) command("set_game", { pattern });
  }

  function grow(next) {
    length = next;
    change(pattern.slice(0, length));
  }

  const flip = (level) => change([...pattern].map((colour, at) => (at === level ? (colour === "b" ? "w" : "b") : colour)).join(""));

  function draw() {
    const focused = drawing.contains(document.activeElement) ? document.activeElement.dataset.level : null;
    const cones = Array.from({ length }, (_, level) => cone(level, length, pattern[level], may ? flip : null));
    drawing.replaceChildren(svg("svg", { viewBox: `0 0 120 ${16 * length + 8}`, role: "group", "aria-label": say("setup.tower.title") }, cones));
    if (focused !== null) drawing.querySelector(`[data-level="${focused}"]`)?.focus();
    const left = length - pattern.length;
    const said = left ? say("setup.tower.left", { n: left }) : say("setup.tower.whole");
    if (status.textContent !== said) status.textContent = said;
    if (count.value !== String(length)) count.value = String(length);
    count.disabled = !may;
    black.disabled = white.disabled = !may || left === 0;
    remove.disabled = !may || pattern === "";
  }

  return {
    root: el("section", { "aria-labelledby": "tower-title" }, el("h3", { id: "tower-title" }, say("setup.tower.title")), el("p", {}, say("setup.tower.words")), el("div", { class: "setup-two narrow" }, drawing, el("div", { class: "setup-column" }, field(say("setup.tower.length"), count), el("div", { class: "setup-row" }, black, white, remove), status))),
    draw(state, can) {
      may = can;
      const next = state.draft.setup.pattern ?? "";
      if (next !== told) {
        told = next;
        if (next) [pattern, length] = [next, next.length];
      }
      draw();
    },
  };
}

/** A cone from the side, the lowest one widest; one that is known is a button that changes its colour. */
function cone(level, length, colour, flip) {
  const y = 16 * (length - level) - 4;
  const half = 46 - (30 * level) / length;
  const words = say("setup.tower.cone", { number: level + 1, colour: say(colour === "b" ? "setup.tower.black" : colour === "w" ? "setup.tower.white" : "setup.tower.unknown") });
  const look = COLOURS[colour];
  const press = (event) => {
    if (event.type === "keydown" && event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    flip(level);
  };
  const acts = colour && flip ? { role: "button", tabindex: 0, onclick: press, onkeydown: press } : { role: "img" };
  return svg(
    "g",
    { class: "setup-cone", "data-level": level, "aria-label": words, ...acts },
    svg("polygon", { points: `${60 - half},${y + 14} ${60 + half},${y + 14} ${60 + half - 9},${y + 1} ${60 - half + 9},${y + 1}`, fill: look?.fill ?? "none", stroke: look?.edge ?? "currentColor", "stroke-dasharray": look ? null : "3 2" }),
    svg("text", { x: 60, y: y + 8, fill: colour === "b" ? "#fff" : colour === "w" ? "#16191f" : "currentColor" }, String(level + 1)),
  );
}

/** A pattern as a row of squares, the lowest cone first. */
export function coneRow(pattern) {
  const words = [...pattern].map((colour) => say(colour === "b" ? "setup.tower.black" : "setup.tower.white")).join(", ");
  const squares = [...pattern].map((colour, at) => svg("rect", { x: 12 * at + 1, y: 1, width: 9, height: 9, rx: 1.5, fill: COLOURS[colour]?.fill }));
  return svg("svg", { class: "setup-cones", viewBox: `0 0 ${12 * pattern.length} 11`, role: "img", "aria-label": words }, squares);
}
