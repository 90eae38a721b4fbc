// The picture with the board's lines and what can be dragged. What is dragged moves at once; the server is told where it
// came to lie, and answers with the lines as they then are.

import { el, svg } from "./dom.js";
import { homography, mapped } from "./editor_plane.js";
import { zoomed } from "./setup_zoom.js";
import { has, say } from "./texts.js";

const CORNERS = ["corner.0", "corner.1", "corner.2", "corner.3"];
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const STEP_PX = 10; // with Shift
const SETTLED_MS = 400; // after the last arrow key, the server is told
const LOUPE_PX = 56; // pixels of the picture that the loupe shows

/** @param edit takes the arguments of an edit, returns a promise of the answer */
export function editorScene(edit) {
  const image = svg("image", { x: -0.5, y: -0.5, preserveAspectRatio: "none" }); // (0, 0) is the middle of the first pixel
  const lines = svg("g", { class: "editor-lines" });
  const handles = svg("g");
  const scene = svg("g", { id: "editor-scene" }, image, lines);
  const drawing = svg("svg", { class: "editor", role: "application", "aria-label": say("setup.editor.title"), onkeydown: press, onpointerdown: grab, onpointermove: drag, onpointerup: release, onpointercancel: drop, onfocusin: arrive }, scene, handles);
  const glass = svg("svg", { class: "editor-loupe", "aria-hidden": "true" }, svg("use", { href: "#editor-scene" }), svg("path", { class: "editor-cross" }));
  const spoken = el("p", { class: "editor-spoken", role: "status" });
  const zoom = zoomed(drawing, {}, () => told && redraw());
  const root = el("div", { class: "editor-box" }, zoom.parts, glass, spoken);
  let told = null;
  let can = false;
  let shown = new Map(); // where each handle is shown
  let held = null; // {id, pointer, offset}
  let current = CORNERS[0];
  let timer = 0;
  let picture = 0;

  /** All lines as they would lie with the handles where they are shown. */
  function preview(outline) {
    const id = outline.place;
    const own = told.handles.find((handle) => handle.place === id);
    if (own && shown.has(id)) {
      const [x, y] = shown.get(id);
      return outline.points.map(([px, py]) => [px + x - own.x, py + y - own.y]);
    }
    const corners = CORNERS.map((corner) => shown.get(corner));
    if (isPrint(outline.kind) || corners.every((at, index) => same(at, told.corners[index]))) return outline.points;
    const plane = homography(told.corners, corners);
    return plane ? outline.points.map((point) => mapped(plane, point)) : outline.points;
  }

  function redraw() {
    const px = told.size[0] / Math.max(drawing.clientWidth, 1); // picture pixels to one of the screen
    const focused = handles.contains(document.activeElement);
    lines.replaceChildren(
      ...told.outlines.map((outline) => svg(outline.closed ? "polygon" : "polyline", { class: `editor-line ${outline.kind}`, points: preview(outline).map((point) => point.join(",")).join(" ") })),
      svg("polygon", { class: "editor-frame", points: CORNERS.map((corner) => shown.get(corner).join(",")).join(" ") }),
    );
    handles.replaceChildren(...[...shown].map(([id, at]) => handle(id, at, px)));
    if (focused) handles.querySelector(`[data-id="${CSS.escape(current)}"]`)?.focus({ preventScroll: true });
    look();
  }

  function handle(id, [x, y], px) {
    const corner = CORNERS.includes(id);
    const kind = corner ? "corner" : told.handles.find((each) => each.place === id).kind;
    const r = (corner ? 9 : 6) * px;
    const mark = corner || kind === "print" ? svg("rect", { x: -r, y: -r, width: 2 * r, height: 2 * r }) : svg("circle", { r });
    return svg(
      "g",
      { class: `editor-handle ${kind}`, transform: `translate(${x} ${y})`, role: "button", tabindex: id === current ? 0 : -1, "data-id": id, "aria-label": say("setup.editor.handle", { place: wordsOf(id), x: Math.round(x), y: Math.round(y) }), "aria-disabled": can ? null : "true" },
      svg("circle", { class: "editor-grip", r: 20 * px }),
      mark,
      svg("circle", { class: "editor-dot", r: 1.2 * px }),
    );
  }

  /** The loupe shows what lies under the handle that is held or chosen, in the corner that is farther from it. */
  function look() {
    const [x, y] = shown.get(current) ?? [0, 0];
    const half = LOUPE_PX / 2;
    glass.setAttribute("viewBox", `${x - half} ${y - half} ${LOUPE_PX} ${LOUPE_PX}`);
    glass.lastChild.setAttribute("d", `M${x - half} ${y}H${x - 3}M${x + 3} ${y}H${x + half}M${x} ${y - half}V${y - 3}M${x} ${y + 3}V${y + half}`);
    glass.classList.toggle("right", x < told.size[0] / 2);
    const said = say("setup.editor.at", { place: wordsOf(current), x: Math.round(x), y: Math.round(y) });
    if (spoken.textContent !== said) spoken.textContent = said;
  }

  function pointOf(event) {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(drawing.getScreenCTM().inverse());
    return [at.x, at.y];
  }

  function grab(event) {
    const at = pointOf(event);
    const px = told.size[0] / Math.max(drawing.clientWidth, 1);
    const near = [...shown].map(([id, where]) => [Math.hypot(where[0] - at[0], where[1] - at[1]), id]).sort(([one], [other]) => one - other)[0];
    if (!can || event.button > 0 || !near || near[0] > 24 * px) return;
    event.preventDefault();
    settle();
    current = near[1];
    const [x, y] = shown.get(current);
    held = { id: current, pointer: event.pointerId, offset: [x - at[0], y - at[1]], from: [x, y] };
    drawing.setPointerCapture(event.pointerId);
    root.classList.add("dragging");
    redraw();
    handles.querySelector(`[data-id="${CSS.escape(current)}"]`)?.focus({ preventScroll: true });
  }

  function drag(event) {
    if (held?.pointer !== event.pointerId) return;
    const [x, y] = pointOf(event);
    move(held.id, [x + held.offset[0], y + held.offset[1]]);
  }

  function release(event) {
    if (held?.pointer !== event.pointerId) return;
    const { id, from } = held;
    held = null;
    root.classList.remove("dragging");
    if (!same(from, shown.get(id))) tell(id);
  }

  function drop(event) {
    if (held?.pointer !== event.pointerId) return;
    const { id, from } = held;
    held = null;
    root.classList.remove("dragging");
    move(id, from);
  }

  function move(id, [x, y]) {
    const [width, height] = told.size;
    shown.set(id, [Math.min(Math.max(x, 0), width - 1), Math.min(Math.max(y, 0), height - 1)]);
    if (CORNERS.includes(id)) carry();
    redraw();
  }

  /** The corners take all places of the game along; what is printed stays. */
  function carry() {
    const plane = homography(told.corners, CORNERS.map((corner) => shown.get(corner)));
    if (plane) for (const { place, kind, x, y } of told.handles) if (kind === "place") shown.set(place, mapped(plane, [x, y]));
  }

  function press(event) {
    const id = event.target.closest?.("[data-id]")?.dataset.id;
    if (!id || event.ctrlKey || event.altKey || event.metaKey) return;
    const ids = [...shown.keys()];
    if (event.key in ARROWS && can) {
      const step = event.shiftKey ? STEP_PX : 1;
      const [x, y] = shown.get(id);
      move(id, [x + step * ARROWS[event.key][0], y + step * ARROWS[event.key][1]]);
      clearTimeout(timer);
      timer = setTimeout(() => settle(), SETTLED_MS);
      moving = id;
    } else if (event.key === "PageDown" || event.key === "PageUp") {
      focus(ids.at((ids.indexOf(id) + (event.key === "PageDown" ? 1 : -1)) % ids.length));
    } else return;
    event.preventDefault();
  }

  let moving = null; // by keys, not told yet
  function settle() {
    clearTimeout(timer);
    const id = moving;
    moving = null;
    if (id !== null) tell(id);
  }

  async function tell(id) {
    const answer = await edit(CORNERS.includes(id) ? { do: "corners", corners: CORNERS.map((corner) => shown.get(corner)) } : { do: "move", place: id, to: shown.get(id) });
    if (!answer.ok) take(told);
  }

  function arrive(event) {
    const id = event.target.closest?.("[data-id]")?.dataset.id;
    if (!id || id === current) return;
    settle();
    current = id;
    redraw();
  }

  function focus(id = CORNERS[0]) {
    settle();
    current = id;
    redraw();
    const element = handles.querySelector(`[data-id="${CSS.escape(id)}"]`);
    element?.focus({ preventScroll: true });
    element?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  function take(next) {
    told = next;
    shown = new Map([...told.corners.map((at, index) => [CORNERS[index], at]), ...told.handles.map(({ place, x, y }) => [place, [x, y]])]);
    if (!shown.has(current)) current = CORNERS[0];
    redraw();
  }

  return {
    root,
    focus,
    names: (next) => [...CORNERS, ...next.handles.map(({ place }) => place)].map((id) => [id, wordsOf(id)]),
    /** @param number of the picture: another one is loaded anew */
    draw(next, number, may) {
      const mark = JSON.stringify([next.size, next.corners, next.handles, next.outlines]);
      const [width, height] = next.size;
      can = may || held !== null;
      if (picture !== number) {
        picture = number;
        drawing.setAttribute("viewBox", `-0.5 -0.5 ${width} ${height}`);
        image.setAttribute("width", width);
        image.setAttribute("height", height);
        image.setAttribute("href", `board.jpg?v=${Date.now()}`);
      }
      // While something is moved by hand, the hand is right.
      if (held === null && moving === null && scene.dataset.mark !== mark) {
        scene.dataset.mark = mark;
        take(next);
      }
    },
  };
}

const isPrint = (kind) => kind === "marker" || kind === "patch";
const same = (one, other) => Math.hypot(one[0] - other[0], one[1] - other[1]) < 0.01;

/** A handle by its name for people. */
function wordsOf(id) {
  if (has(`setup.editor.${id}`)) return say(`setup.editor.${id}`);
  const slot = /^(\d+)\.(\d+)$/.exec(id);
  return slot ? say("setup.place.slot", { channel: slot[1], slot: slot[2] }) : say("setup.editor.station", { place: id });
}
