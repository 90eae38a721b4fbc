// A move chosen by tapping on a board of its own, or by two boxes and a row of buttons: both ways show the same choice.
// The moves come from the server with the places to tap, step by step (`companion.entering`); no game is known here.

import { el, show, showAnew, svg } from "./dom.js";
import { pieceIcon } from "./pieces.js";
import { placeWords } from "./places.js";
import { SHAPES } from "./shapes.js";
import { say } from "./texts.js";
import { Marks } from "./walks.js";

const NOWHERE = "-"; // the place of a move that touches none
const NEAR_MM = 9; // a finger misses by as much on a phone

/** A step of several places is the row that they lie in: "1.1" to "1.4" is channel 1. */
const stepWords = (step) => (step.length > 1 ? say("pick.channel", { channel: step[0].split(".")[0] }) : placeWords(step[0]));

/** The board of a position, to look at. */
export function drawing(layout, sight, more = [], title = "") {
  const state = { sight, moves: [] };
  const context = { layout, state, last: new Set(), marks: new Marks(layout, state) };
  const parts = (layout.shapes ?? []).flatMap((shape) => SHAPES[shape.kind]?.({ ...context, shape }) ?? []);
  const spoken = title ? { role: "img", "aria-label": title } : { "aria-hidden": "true" };
  const drawn = svg("svg", { viewBox: `0 0 ${layout.width_mm} ${layout.height_mm}`, class: layout.pattern ? "tiles" : null, ...spoken }, parts, more);
  for (const each of drawn.querySelectorAll("[tabindex]")) each.removeAttribute("tabindex");
  return drawn;
}

/** How far a point lies from a shape, in millimetres; 0 and less within it. */
function distance(shape, x, y) {
  const [dx, dy] = [x - shape.x_mm, y - shape.y_mm];
  if (shape.kind !== "lane") {
    const far = Math.hypot(dx, dy);
    return shape.inner_mm ? Math.abs(far - (shape.r_mm + shape.inner_mm) / 2) - (shape.r_mm - shape.inner_mm) / 2 : far - shape.r_mm;
  }
  const turn = (shape.deg * Math.PI) / 180;
  const along = Math.abs(dx * Math.cos(turn) + dy * Math.sin(turn)) - shape.length_mm / 2;
  const across = Math.abs(dy * Math.cos(turn) - dx * Math.sin(turn)) - shape.width_mm / 2;
  return Math.hypot(Math.max(0, along), Math.max(0, across)) + Math.min(0, Math.max(along, across));
}

/** The mark around a place that may be tapped, or that is chosen. */
function ringed(shape, chosen) {
  const kind = chosen ? "target chosen" : "target";
  if (shape.kind !== "lane") return svg("circle", { class: kind, cx: shape.x_mm, cy: shape.y_mm, r: shape.inner_mm ? (shape.r_mm + shape.inner_mm) / 2 : shape.r_mm });
  const [wide, high] = [shape.length_mm, shape.width_mm];
  return svg("rect", { class: kind, x: -wide / 2, y: -high / 2, width: wide, height: high, rx: 3, transform: `translate(${shape.x_mm} ${shape.y_mm}) rotate(${shape.deg})` });
}

export class Picker {
  /** @param onPick (move) => called with the move that was chosen */
  constructor(onPick) {
    this.onPick = onPick;
    this.layout = {};
    this.moves = [];
    this.sight = {};
    this.from = null;
    this.to = null;
    this.board = el("div", { class: "pick-board", onclick: (event) => this.tap(event) });
    this.first = el("select", { class: "pick-from", onchange: () => this.choose(this.first.value || null, null) });
    this.second = el("select", { class: "pick-to", onchange: () => this.choose(this.from, this.second.value || null) });
    this.target = el("label", { hidden: true }, el("span", {}, say("pick.to")), this.second);
    this.hint = el("p", { class: "quiet", role: "status" });
    this.options = el("div", { class: "pick-options", role: "group", "aria-label": say("pick.options") });
    const boxes = el("div", { class: "pick-boxes" }, el("label", {}, el("span", {}, say("pick.from")), this.first), this.target);
    this.root = el("div", { class: "pick" }, this.board, el("div", { class: "pick-side" }, boxes, this.hint, this.options));
  }

  /** @param legal what the server says of a position: sight and moves; told once more, what was chosen stays */
  take(layout, legal) {
    const known = JSON.stringify([legal.sight, legal.moves]) === JSON.stringify([this.sight, this.moves]);
    this.layout = layout;
    this.moves = legal.moves;
    this.sight = legal.sight;
    if (known) this.draw();
    else this.choose(null, null);
  }

  get places() {
    return (this.layout.shapes ?? []).filter((shape) => shape.place);
  }

  /** The moves that begin at a place; those that touch none begin nowhere. */
  beginning(place) {
    return this.moves.filter(({ taps }) => (taps.length ? taps[0].includes(place) : place === NOWHERE));
  }

  /** The moves that are chosen from: all of one step, or those that end at the second place. */
  chosen() {
    if (this.from === null) return [];
    const found = this.beginning(this.from);
    return this.to === null ? found.filter(({ taps }) => taps.length < 2) : found.filter(({ taps }) => taps[1]?.includes(this.to));
  }

  choose(from, to) {
    this.from = from;
    this.to = to;
    this.draw();
  }

  tap(event) {
    const drawn = this.board.querySelector("svg");
    const matrix = drawn?.getScreenCTM();
    if (!matrix) return;
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    const near = (wanted) =>
      this.places
        .filter((shape) => wanted.has(shape.place))
        .map((shape) => [distance(shape, x, y), shape.place])
        .filter(([far]) => far < NEAR_MM)
        .sort(([one], [other]) => one - other)[0]?.[1] ?? null;
    const second = this.from === null ? null : near(this.ends());
    if (second !== null) return this.choose(this.from, second);
    return this.choose(near(this.starts()), null);
  }

  starts() {
    return new Set(this.moves.flatMap(({ taps }) => taps[0] ?? []));
  }

  ends() {
    return new Set(this.beginning(this.from).flatMap(({ taps }) => taps[1] ?? []));
  }

  draw() {
    const wanted = this.from === null ? this.starts() : this.ends();
    const marked = this.places.filter((shape) => wanted.has(shape.place) || this.isChosen(shape.place));
    this.board.replaceChildren(drawing(this.layout, this.sight, svg("g", { class: "targets" }, marked.map((shape) => ringed(shape, this.isChosen(shape.place))))));
    this.fill(this.first, this.moves.map(({ taps }) => taps[0] ?? [""]), this.from);
    const ends = this.from === null ? [] : this.beginning(this.from).filter(({ taps }) => taps.length > 1).map(({ taps }) => taps[1]);
    this.target.hidden = ends.length === 0;
    this.fill(this.second, ends, this.to);
    const moves = this.chosen();
    this.hint.textContent = this.hintWords(moves, ends);
    show(this.options, ...moves.map((move) => this.option(move)));
  }

  isChosen(place) {
    const step = (chosen, number) => chosen !== null && this.moves.some(({ taps }) => taps[number]?.includes(chosen) && taps[number].includes(place));
    return step(this.from, 0) || (this.to !== null && step(this.to, 1));
  }

  hintWords(moves, ends) {
    if (this.moves.length === 0) return say("pick.none");
    if (this.from === null) return say("pick.hint");
    if (moves.length === 0 || (ends.length && this.to === null)) return say("pick.hint_to");
    return say("pick.count", { n: moves.length });
  }

  /** A box with each step once, in the order of the board. */
  fill(box, steps, chosen) {
    const order = new Map(this.places.map((shape, number) => [shape.place, number]));
    const once = [...new Map(steps.map((step) => [step[0], step])).values()].sort(([one], [other]) => (order.get(one) ?? -1) - (order.get(other) ?? -1));
    // A box that somebody types into keeps its options.
    showAnew(box, JSON.stringify(once), () => [
      el("option", { value: "" }, say("pick.choose")),
      once.map((step) => el("option", { value: step[0] || NOWHERE }, step[0] === "" ? say("pick.nowhere") : stepWords(step))),
    ]);
    box.value = chosen === null ? "" : (once.find((step) => step.includes(chosen))?.[0] || NOWHERE);
  }

  option(move) {
    const place = move.taps.at(-1)?.[0];
    const icon = move.shows && move.shows !== "." ? pieceIcon(this.layout, move.shows, "", this.places.find((shape) => shape.place === place)) : null;
    return el("button", { type: "button", class: "choice", "data-move": move.move, onclick: () => this.onPick(move) }, icon, el("span", {}, move.words));
  }
}
