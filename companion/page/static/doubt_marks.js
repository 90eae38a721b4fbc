// Doubtful places on the drawing of the board: a square on its corner with "?", which opens what may stand there.
// They lie over the drawing as buttons of their own, for that is drawn anew at every change and would lose the keyboard.

import { byId, el, showAnewFor, svg } from "./dom.js";
import { openDoubts } from "./doubtful.js";
import { placeWords } from "./places.js";
import { say } from "./texts.js";

const OF_WIDTH = 1 / 24; // the side of the square; of the smaller board it fills a slot, of the larger it can still be read

/** @param tell (place, label) => sends what stands there */
export function startDoubtMarks(tell) {
  let state = {};
  let sheet = null;
  let opened = "";
  const box = byId("doubt-marks");
  const find = (place) => openDoubts(state).find((doubt) => doubt.place === place);

  async function open(place) {
    try {
      const { Sheet } = await import("./sheet.js");
      sheet ??= new Sheet("doubt", () => back());
    } catch {
      byId("reply").textContent = say("command.unheard"); // the server is away; the next tap asks again
      return;
    }
    const doubt = find(place);
    if (!doubt) return;
    opened = place;
    const choices = doubt.choices.map((label, index) =>
      el("button", { type: "button", class: "choice", onclick: () => answer(place, label) }, el("span", {}, doubt.choice_words[index])));
    sheet.open();
    sheet.show(el("p", {}, say("doubt.place", { place: placeWords(place) })), el("div", { class: "choices" }, choices));
  }

  async function answer(place, label) {
    const { ok, detail } = await tell(place, label);
    if (ok) sheet.close();
    else sheet.say(detail);
  }

  /** Where the keyboard goes from a mark: to the same one, or where that is gone to the next one, or to the board. */
  const heir = (place) => box.querySelector(`[data-doubt="${CSS.escape(place)}"]`) ?? box.querySelector("[data-doubt]") ?? byId("board-frame");

  function back() {
    heir(opened).focus({ preventScroll: true });
    opened = "";
  }

  /** @param live whether the board is shown as it is now, and not another position */
  return function drawDoubtMarks(layout, now, mayCommand, live) {
    state = now;
    const doubts = live ? openDoubts(state) : [];
    if (sheet?.isOpen && !find(opened)) sheet.close(); // settled by somebody else, or by the camera
    const seats = new Map((layout.shapes ?? []).filter((shape) => shape.place).map((shape) => [shape.place, shape]));
    const shown = doubts.filter((doubt) => seats.has(doubt.place));
    showAnewFor((mark) => heir(mark.dataset.doubt), box, JSON.stringify([shown.map((doubt) => doubt.place), mayCommand, layout.width_mm, layout.height_mm]), () =>
      shown.length === 0 ? [] : [svg("svg", { viewBox: `0 0 ${layout.width_mm} ${layout.height_mm}`, role: "group", "aria-label": say("doubt.others") }, shown.map((doubt) => mark(seats.get(doubt.place), layout.width_mm * OF_WIDTH, mayCommand ? open : null)))]);
  };
}

/** @param open (place) => called when it is pressed; null where one only looks on */
function mark(shape, side, open) {
  const { place } = shape;
  // A ring's mark lies on its band: smaller rings of the station lie within it.
  const up = shape.inner_mm ? (shape.r_mm + shape.inner_mm) / 2 : 0;
  const pressed = (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    open(place);
  };
  const words = placeWords(place);
  const way = open ? { role: "button", tabindex: 0, "aria-label": say("doubt.mark", { place: words }), onclick: () => open(place), onkeydown: pressed } : { role: "img", "aria-label": say("doubt.place", { place: words }) };
  return svg("g", { class: "doubt-mark", "data-doubt": place, transform: `translate(${shape.x_mm} ${shape.y_mm - up})`, ...way },
    svg("circle", { class: "hit", r: 1.3 * side }),
    svg("rect", { x: -side / 2, y: -side / 2, width: side, height: side, rx: side / 7, transform: "rotate(45)" }),
    svg("text", { "font-size": 1.1 * side }, "?"));
}
