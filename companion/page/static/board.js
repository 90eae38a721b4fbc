// The board as SVG, drawn from the layout. It knows shapes and labels, and no game.

import { byId, el, svg } from "./dom.js";
import { placeWords } from "./places.js";
import { SHAPES } from "./shapes.js";
import { say } from "./texts.js";
import { Marks } from "./walks.js";

/** What a person points at: {player} for a longest walk, {player, station} for what holds a ring, null for nothing. */
let pointed = null;
let pinned = null;
let marks = new Marks({}, {});
let drawn = { layout: null, mark: "" };

/** Parts of a state that the drawing does not show: where nothing else is new, it stays as it is, and whoever points at it undisturbed. */
const ELSEWHERE = new Set(["seq", "devices", "question", "doubtful", "covered", "paused", "moves", "last_game"]);

const markOf = (state, last) => JSON.stringify([Object.entries(state).filter(([name]) => !ELSEWHERE.has(name)), [...last]]);

const same = (one, other) => one?.player === other?.player && one?.station === other?.station;

/** The text of a knob's stop as the board shows it. */
export function stopText(layout, stop) {
  const dial = layout.shapes?.find((shape) => shape.kind === "dial");
  return dial?.stops.find((each) => each.stop === stop)?.text ?? String(stop);
}

/** Draw the board. @param last the places that the last move changed */
export function drawBoard(layout, state, last) {
  marks = new Marks(layout, state);
  const mark = markOf(state, last);
  if (drawn.layout === layout && drawn.mark === mark) return drawChoice();
  drawn = { layout, mark };
  const focused = choiceOf(document.activeElement);
  const layers = { walks: svg("g", { class: "walks" }), steps: svg("g", { class: "steps" }) };
  const parts = (layout.shapes ?? []).flatMap((shape) =>
    shape.kind === "walks" ? [layers.walks] : SHAPES[shape.kind]?.({ layout, shape, state, last, marks }) ?? [],
  );
  const box = `0 0 ${layout.width_mm ?? 1} ${layout.height_mm ?? 1}`;
  const role = layout.pattern ? "group" : "img";
  const drawing = svg("svg", { viewBox: box, class: layout.pattern ? "tiles" : null, role, "aria-labelledby": "board-title", "aria-describedby": "board-words" }, parts, layers.steps);
  byId("board").replaceChildren(drawing, el("p", { id: "board-words", class: "unseen" }, inWords(layout, state, last)));
  if (focused?.station) byId("board").querySelector(`[tabindex][data-player="${CSS.escape(focused.player)}"][data-station="${CSS.escape(focused.station)}"]`)?.focus();
  return drawChoice();
}

/** What is chosen: pointed at, else pinned, else the path that has won. */
function choice() {
  const winner = marks.state.outcome?.winner;
  return [pointed, pinned, winner ? { player: winner } : null].find((each) => each && (marks.walk(each) || marks.heldBy(each.player, each.station))) ?? null;
}

function drawChoice() {
  const chosen = choice();
  byId("board").querySelector(".walks")?.replaceChildren(...marks.lines(chosen).filter(Boolean));
  byId("board").querySelector(".steps")?.replaceChildren(...marks.steps(chosen).filter(Boolean));
  byId("board-note").textContent = chosen ? marks.inWords(chosen) : marks.layout.pattern ? say("walk.hint") : "";
  byId("board-key").hidden = marks.threats.size === 0;
}

function choiceOf(element) {
  const { player, station } = element?.closest?.("[data-player]")?.dataset ?? {};
  return player ? { player, station } : null;
}

function point(next) {
  if (same(pointed, next)) return;
  pointed = next;
  drawChoice();
}

/** Let rings on the board, and everything else that names a player by `data-player`, be pointed at. */
export function startChoosing(...boxes) {
  for (const box of boxes) {
    box.addEventListener("pointerover", (event) => point(choiceOf(event.target)));
    box.addEventListener("pointerleave", () => point(null));
    box.addEventListener("focusin", (event) => point(choiceOf(event.target)));
    box.addEventListener("focusout", () => point(null));
    box.addEventListener("click", (event) => {
      const next = choiceOf(event.target);
      pinned = same(pinned, next) ? null : next;
      drawChoice();
    });
  }
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    pointed = pinned = null;
    drawChoice();
  });
}

function inWords(layout, state, last) {
  const name = (label) => (label === "." ? say("board.nothing") : layout.labels?.[label]?.name ?? label);
  const places = Object.entries(state.sight ?? {}).filter(([, label]) => label !== ".");
  const said = places.map(([place, label]) => {
    const text = say("board.place", { place: placeWords(place), label: name(label) });
    return last.has(place) ? `${text} (${say("board.last")})` : text;
  });
  for (const [place, label] of Object.entries(state.illegal?.seen ?? {}))
    said.push(`${placeWords(place)}: ${say("board.seen", { label: name(label) })}`);
  if (said.length === 0) said.push(say("board.empty"));
  const stop = state.knob?.seen ?? null;
  if (stop !== null) said.push(say("board.knob", { stop: stopText(layout, stop) }));
  return said.join(", ");
}
