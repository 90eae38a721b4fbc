// A drawing that can be made larger than its place in the page, and then moved in it.

import { el } from "./dom.js";
import { say } from "./texts.js";

const LARGEST = 4; // times as wide as its place
const NEARER = 3;

/**
 * @param reached attributes that let keys move a drawing that has no buttons of its own
 * @param changed is called when the drawing has another size
 * @returns {parts, nearer(x, y)}: `nearer` enlarges what lies at a point of the screen, and says whether it did
 */
export function zoomed(drawing, reached = {}, changed = () => {}) {
  let zoom = 1;
  const room = el("div", { class: "setup-zoomed", ...reached }, drawing);
  const smaller = el("button", { type: "button", "aria-label": say("setup.entry.smaller"), onclick: () => step(-1) }, "−");
  const larger = el("button", { type: "button", "aria-label": say("setup.entry.larger"), onclick: () => step(1) }, "+");

  /** Another size; what lies in the middle of the place stays there. */
  function step(by) {
    const box = room.getBoundingClientRect();
    apply(zoom + by, box.left + box.width / 2, box.top + box.height / 2);
  }

  function apply(next, x, y) {
    const from = drawing.getBoundingClientRect();
    const [across, down] = [(x - from.left) / (from.width || 1), (y - from.top) / (from.height || 1)];
    zoom = Math.min(Math.max(next, 1), LARGEST);
    drawing.style.width = `${100 * zoom}%`;
    smaller.disabled = zoom === 1;
    larger.disabled = zoom === LARGEST;
    changed();
    const [to, box] = [drawing.getBoundingClientRect(), room.getBoundingClientRect()];
    room.scrollTo(across * to.width - box.width / 2, down * to.height - box.height / 2);
  }

  function nearer(x, y) {
    if (zoom >= NEARER) return false;
    apply(NEARER, x, y);
    return true;
  }

  smaller.disabled = true;
  return { parts: [el("div", { class: "setup-zoom" }, smaller, larger), room], nearer };
}
