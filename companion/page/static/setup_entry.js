// The board with pieces on it, entered by tapping: a place, then what lies there. Every place is a button that says
// itself; one of them is in the way of the Tab key, and arrows lead to its neighbours.

import { el, svg } from "./dom.js";
import { lookOf, piece } from "./pieces.js";
import { distance, neighbour } from "./setup_nearness.js";
import { askWhich } from "./setup_picker.js";
import { labelWords, piecesLeft, placeWords, stopWords } from "./setup_places.js";
import { zoomed } from "./setup_zoom.js";
import { SHAPES } from "./shapes.js";
import { say } from "./texts.js";
import { Marks } from "./walks.js";

const EMPTY = ".";
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const KINDS = ["disc", "ring", "post", "lane", "dial"];
const PX_PER_MM = 1; // on the screen; below, places of 5 mm are too small for a finger
const REACH_MM = 8; // a tap further from every place means none of them

/** The board as a drawing to look at. @returns an element */
export function boardDrawing({ sight, state, layout }, words) {
  const drawing = svg("svg", { ...box(layout), role: "img", "aria-label": words }, parts(sight, state.knob_stop, layout));
  return el("div", { class: "setup-entry" }, zoomed(drawing, { tabindex: 0, role: "group", "aria-label": say("setup.entry.board.move") }).parts);
}

const box = (layout) => ({ viewBox: `0 0 ${layout.width_mm ?? 1} ${layout.height_mm ?? 1}`, class: layout.pattern ? "setup-board tiles" : "setup-board" });

function parts(sight, stop, layout) {
  const shown = { sight, well: piecesLeft(layout, sight), knob: { expected: stop ?? 0, seen: stop ?? null } };
  const marks = new Marks(layout, shown);
  return (layout.shapes ?? []).map((shape) => (shape.kind === "walks" ? null : SHAPES[shape.kind]?.({ layout, shape, state: shown, last: new Set(), marks })));
}

/**
 * The board for tapping.
 * @param given {sight: {place: label}, state, layout, labels: {place: [label]}}
 * @returns {root, entered()}: the element, and the position as it was entered
 */
export function boardEntry({ sight: given, state, layout, labels }) {
  const targets = layout.shapes.filter((shape) => KINDS.includes(shape.kind) && (shape.kind === "dial" ? typeof state.knob_stop === "number" : labels[shape.place]));
  const sight = { ...given };
  let stop = state.knob_stop;
  let amended = false;
  let current = targets[0]?.place;
  const drawing = svg("svg", { ...box(layout), role: "group", "aria-label": say("setup.entry.board"), "aria-describedby": "entry-keys", onkeydown: press, onclick: tap });
  const zoom = zoomed(drawing);
  const root = el("div", { class: "setup-entry" }, zoom.parts, el("p", { id: "entry-keys", class: "unseen" }, say("setup.entry.keys")));

  function draw() {
    const buttons = targets.map((shape) => target(shape, said(shape), shape.place === current));
    drawing.replaceChildren(...[parts(sight, stop, layout), buttons].flat(Infinity).filter(Boolean));
  }

  function said(shape) {
    const label = shape.kind === "dial" ? stopWords(shape, stop, say) : labelWords(shape, sight[shape.place] ?? EMPTY, layout, say);
    return say("board.place", { place: placeWords(shape, say), label });
  }

  /** A finger is wide: what lies nearest is meant, and the picker says what that is. A small board comes nearer first. */
  function tap(event) {
    if (drawing.clientWidth < PX_PER_MM * layout.width_mm && zoom.nearer(event.clientX, event.clientY)) return;
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(drawing.getScreenCTM().inverse());
    const near = targets.map((shape) => [distance(shape, at.x, at.y), shape.place]).sort(([one], [other]) => one - other)[0];
    if (near && near[0] < REACH_MM) open(near[1]);
  }

  async function open(place) {
    const shape = targets.find((each) => each.place === place);
    if (!shape) return;
    current = place;
    const label = await askWhich(placeWords(shape, say), choicesAt(shape), shape.kind === "dial" ? String(stop) : sight[place] ?? EMPTY);
    if (label !== null) set(shape, label);
    draw();
    focus();
  }

  /** A player has one post: put elsewhere, it leaves where it was. */
  function set(shape, label) {
    amended = true;
    if (shape.kind === "dial") stop = Number(label);
    else sight[shape.place] = label;
    if (shape.kind !== "post" || label === EMPTY) return;
    for (const other of targets) if (other.kind === "post" && other !== shape && sight[other.place] === label) sight[other.place] = EMPTY;
  }

  /** What is said of the well belongs to the marbles on the board: with others there, it is not known any more. */
  function entered() {
    if (!amended) return state;
    const { well, ...others } = state;
    return { ...others, ...(stop === undefined ? {} : { knob_stop: stop }), sight };
  }

  function choicesAt(shape) {
    if (shape.kind === "dial") return shape.stops.map(({ stop, text }) => ({ label: String(stop), words: stopWords(shape, stop, say), icon: el("span", { class: "setup-stop", "aria-hidden": "true" }, text) }));
    return labels[shape.place].map((label) => ({ label, words: labelWords(shape, label, layout, say), icon: icon(layout, shape, label), key: keyOf(layout, label) }));
  }

  function press(event) {
    const place = event.target.closest(".setup-target")?.dataset.place;
    if (!place || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "Enter" || event.key === " ") open(place);
    else if (event.key in ARROWS) {
      current = neighbour(targets, place, ARROWS[event.key]);
      draw();
      focus();
    } else {
      const shape = targets.find((each) => each.place === place);
      const choice = choicesAt(shape).find(({ label, key }) => key === event.key.toUpperCase() || (label === EMPTY && ["Delete", "Backspace"].includes(event.key)));
      if (!choice) return;
      set(shape, choice.label);
      draw();
      focus();
    }
    event.preventDefault();
  }

  const focus = () => drawing.querySelector(`.setup-target[data-place="${CSS.escape(current)}"]`)?.focus();

  draw();
  return { root, entered };
}

/** The letter that enters a label at once, where one does. */
const keyOf = (layout, label) => (label === EMPTY ? null : lookOf(layout, label).text || null);

function icon(layout, shape, label) {
  const frame = { class: "setup-icon", viewBox: "-12 -12 24 24", "aria-hidden": "true" };
  if (label === EMPTY) return svg("svg", frame, svg("circle", { class: "setup-nothing", r: 7 }));
  const seat = shape.kind === "lane" ? { ...shape, length_mm: 20, width_mm: 7 } : null;
  return svg("svg", frame, piece(layout, label, 0, 0, 9, "", seat));
}

/** An unseen button over a place. */
function target(shape, words, tabbed) {
  const common = { class: "setup-target", role: "button", tabindex: tabbed ? 0 : -1, "aria-label": words, "data-place": shape.place };
  const { x_mm: x, y_mm: y, r_mm: r, inner_mm: inner } = shape;
  if (shape.kind === "lane") {
    const { length_mm: length, width_mm: width } = shape;
    return svg("rect", { ...common, x: -length / 2, y: -width * 0.7, width: length, height: width * 1.4, rx: 3, transform: `translate(${x} ${y}) rotate(${shape.deg})` });
  }
  // A ring's target is its band alone: what lies inside it is another place.
  if (inner) return svg("circle", { ...common, class: "setup-target band", cx: x, cy: y, r: (r + inner) / 2, "stroke-width": r - inner + 1 });
  return svg("circle", { ...common, cx: x, cy: y, r });
}
