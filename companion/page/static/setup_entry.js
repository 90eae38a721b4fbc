// The board with pieces on it, entered by tapping: a place, then what lies there. Every place is a button that says
// itself; one of them is in the way of the Tab key, and arrows lead to its neighbours.

import { el, svg } from "./dom.js";
import { lookOf, piece } from "./pieces.js";
import { askWhich } from "./setup_picker.js";
import { labelWords, placeWords, sightOf, stateOf, wellOf } from "./setup_position.js";
import { distance, neighbour } from "./setup_nearness.js";
import { SHAPES } from "./shapes.js";
import { say } from "./texts.js";
import { Marks } from "./walks.js";

const EMPTY = ".";
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const KINDS = ["disc", "ring", "post", "lane", "dial"];
const LARGEST = 4; // times as wide as its place in the page
const REACH_MM = 8; // a tap further from every place means none of them

/** The board as a drawing to look at. @returns an element */
export function boardDrawing(game, state, layout, words) {
  const drawing = svg("svg", { ...box(layout), role: "img", "aria-label": words }, parts(game, sightOf(game, state, layout), state, layout));
  return el("div", { class: "setup-entry" }, zoomed(drawing, layout, { tabindex: 0, role: "group", "aria-label": say("setup.entry.board.move") }));
}

const box = (layout) => ({ viewBox: `0 0 ${layout.width_mm ?? 1} ${layout.height_mm ?? 1}`, class: layout.pattern ? "setup-board tiles" : "setup-board" });

function parts(game, sight, state, layout) {
  const knob = { expected: state?.knob_stop ?? (game === "infinity" ? 0 : null), seen: state?.knob_stop ?? null };
  const shown = { sight, well: wellOf(game, sight), knob };
  const marks = new Marks(layout, shown);
  return (layout.shapes ?? []).map((shape) => (shape.kind === "walks" ? null : SHAPES[shape.kind]?.({ layout, shape, state: shown, last: new Set(), marks })));
}

/**
 * The board for tapping.
 * @param given {game, state, layout, labels: {place: [label]}}
 * @param changed called with the new state after every tap
 */
export function boardEntry({ game, state, layout, labels }, changed) {
  const targets = layout.shapes.filter((shape) => KINDS.includes(shape.kind) && (shape.kind === "dial" ? state.knob_stop !== undefined : labels[shape.place]));
  let now = state;
  let current = targets[0]?.place;
  const drawing = svg("svg", { ...box(layout), role: "group", "aria-label": say("setup.entry.board"), "aria-describedby": "entry-keys", onkeydown: press, onclick: tap });
  const root = el("div", { class: "setup-entry" }, zoomed(drawing, layout), el("p", { id: "entry-keys", class: "unseen" }, say("setup.entry.keys")));

  function draw() {
    const sight = sightOf(game, now, layout);
    const buttons = targets.map((shape) => target(shape, said(shape, sight), shape.place === current));
    drawing.replaceChildren(...[parts(game, sight, now, layout), buttons].flat(Infinity).filter(Boolean));
  }

  function said(shape, sight) {
    const label = shape.kind === "dial" ? stopWords(shape, now.knob_stop) : labelWords(shape, sight[shape.place] ?? EMPTY, layout, say);
    return say("board.place", { place: placeWords(shape, say), label });
  }

  /** A finger is wide: what lies nearest is meant, and the picker says what that is. */
  function tap(event) {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(drawing.getScreenCTM().inverse());
    const near = targets.map((shape) => [distance(shape, at.x, at.y), shape.place]).sort(([one], [other]) => one - other)[0];
    if (near && near[0] < REACH_MM) open(near[1]);
  }

  async function open(place) {
    const shape = targets.find((each) => each.place === place);
    if (!shape) return;
    current = place;
    const label = await askWhich(placeWords(shape, say), choicesAt(shape), (sightOf(game, now, layout)[place] ?? EMPTY));
    if (label !== null) set(shape, label);
    draw();
    focus();
  }

  function set(shape, label) {
    if (shape.kind === "dial") now = { ...now, knob_stop: Number(label) };
    else now = stateOf(game, moved(shape, label), layout, now);
    changed(now);
  }

  /** A player has one post: put elsewhere, it leaves where it was. */
  function moved(shape, label) {
    const sight = { ...sightOf(game, now, layout), [shape.place]: label };
    if (shape.kind !== "post" || label === EMPTY) return sight;
    for (const other of targets) if (other.kind === "post" && other !== shape && sight[other.place] === label) sight[other.place] = EMPTY;
    return sight;
  }

  function choicesAt(shape) {
    if (shape.kind === "dial") return shape.stops.map(({ stop, text }) => ({ label: String(stop), words: stopWords(shape, stop), icon: el("span", { class: "setup-stop", "aria-hidden": "true" }, text) }));
    return labels[shape.place].map((label) => ({ label, words: labelWords(shape, label, layout, say), icon: icon(layout, shape, label), key: keyOf(layout, shape, label) }));
  }

  function press(event) {
    const place = event.target.closest("[data-place]")?.dataset.place;
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

  const focus = () => drawing.querySelector(`[data-place="${CSS.escape(current)}"]`)?.focus();

  draw();
  return {
    root,
    get state() {
      return now;
    },
    take(next) {
      now = next;
      const inside = drawing.contains(document.activeElement);
      draw();
      if (inside) focus();
    },
  };
}

/** The letter that enters a label at once, where one does. */
const keyOf = (layout, shape, label) => (shape.kind === "lane" || label === EMPTY ? null : lookOf(layout, label).text || null);

function stopWords(shape, stop) {
  const text = shape.stops.find((each) => each.stop === stop)?.text ?? String(stop);
  if (stop === 0) return say("setup.stop.even");
  if (stop === Math.max(...shape.stops.map((each) => each.stop))) return say("setup.stop.infinity");
  return say(stop > 0 ? "setup.stop.clockwise" : "setup.stop.counter", { text });
}

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

/** A board that is wide for a phone starts large there and can be moved under the finger. @param reached makes a board without buttons movable by keys */
function zoomed(drawing, layout, reached = {}) {
  let zoom = layout.width_mm > layout.height_mm && matchMedia("(max-width: 46rem)").matches ? 2 : 1;
  const room = el("div", { class: "setup-zoomed", ...reached }, drawing);
  const apply = (next) => {
    const middle = [(room.scrollLeft + room.clientWidth / 2) / zoom, (room.scrollTop + room.clientHeight / 2) / zoom];
    zoom = Math.min(Math.max(next, 1), LARGEST);
    drawing.style.width = `${100 * zoom}%`;
    smaller.disabled = zoom === 1;
    larger.disabled = zoom === LARGEST;
    room.scrollTo(middle[0] * zoom - room.clientWidth / 2, middle[1] * zoom - room.clientHeight / 2);
  };
  const smaller = el("button", { type: "button", "aria-label": say("setup.entry.smaller"), onclick: () => apply(zoom - 1) }, "−");
  const larger = el("button", { type: "button", "aria-label": say("setup.entry.larger"), onclick: () => apply(zoom + 1) }, "+");
  apply(zoom);
  // In the page, it begins with its middle in view.
  requestAnimationFrame(() => room.scrollTo((room.scrollWidth - room.clientWidth) / 2, (room.scrollHeight - room.clientHeight) / 2));
  return [el("div", { class: "setup-zoom" }, smaller, larger), room];
}
