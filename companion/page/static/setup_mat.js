// Where the markers go, which of them the camera sees, and what would make it see better.

import { el, showAnew } from "./dom.js";
import { markerDrawing } from "./setup_drawings.js";
import { button, choices } from "./setup_form.js";
import { livePicture } from "./setup_preview.js";
import { language, say } from "./texts.js";

const PAPERS = [["a4", "A4"], ["a3", "A3"], ["letter", "Letter"]];
const STALE_S = 3; // as the server has it
const USUAL = { infinity: [0, 1, 2, 3], finity: [4, 5, 6, 7] }; // markers, until the camera looks

export function matPanel({ command, go }) {
  const drawing = el("div", { class: "setup-mat-drawing" });
  const seen = el("ul", { class: "setup-seen" });
  const advice = el("div", { class: "setup-advice", role: "status" });
  const how = el("p");
  const boards = el("div");
  const picture = livePicture("preview.jpg", say("setup.camera.alt"));
  let of = null;

  function drawSeen(state) {
    const markers = state.look?.markers;
    const all = markers ? [...markers.seen, ...markers.missing].sort((a, b) => a - b) : [];
    const { game } = state.draft;
    showAnew(drawing, JSON.stringify([game, all, markers?.seen]), () => [markerDrawing(game, all.length ? all : (USUAL[game] ?? []), markers?.seen ?? null)]);
    const words = say(`setup.mat.how.${game ?? "infinity"}`);
    if (how.textContent !== words) how.textContent = words;
    showAnew(seen, JSON.stringify(markers), () => all.map((id) => markerRow(id, markers.seen.includes(id))));
    const stale = state.look && state.look.age_s > STALE_S;
    const said = !state.look || stale ? [say("setup.mat.no_look")] : state.look.ready ? [say("setup.mat.good"), ...state.look.advice] : state.look.advice;
    advice.classList.toggle("good", state.look?.ready === true && !stale);
    showAnew(advice, JSON.stringify(said), () => said.map((words) => el("p", {}, words)));
  }

  function drawBoards(state, can) {
    const some = state.boards?.length > 1 ? state.boards : null;
    showAnew(boards, JSON.stringify(some), () => {
      if (!some) return [];
      of = choices(say("setup.mat.which"), "board", some.map(({ board, words }) => ({ value: board, content: [el("strong", {}, words)] })), (board) => command("choose_board", { board }));
      return [of.root];
    });
    if (some) of.draw(state.draft.board, can);
  }

  return {
    root: el(
      "div",
      { class: "setup-two" },
      el("div", {}, drawing, how, el("p", { class: "setup-papers" }, say("setup.mat.print"), PAPERS.map(([paper, words]) => [" ", el("a", { href: `mat.pdf?paper=${paper}&lang=${language}`, target: "_blank", rel: "noopener" }, words)])), boards, el("p", { class: "setup-note" }, say("setup.mat.other"), " ", button(say("setup.mat.edit"), () => go("editor"), "setup-link"))),
      el("div", { class: "setup-look" }, picture, advice, seen),
    ),
    draw(state, can) {
      drawSeen(state);
      drawBoards(state, can);
    },
  };
}

const markerRow = (id, found) => el("li", { class: found ? "seen" : "missing" }, el("span", { "aria-hidden": "true" }, found ? "✓ " : "? "), say(found ? "setup.mat.seen" : "setup.mat.missing", { id: String(id) }));
