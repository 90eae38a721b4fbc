// The last move taken back: what would come of it is shown first, and the button to do it has the keyboard already.

import { ask } from "./commands.js";
import { el } from "./dom.js";
import { markOf } from "./entering.js";
import { consequences } from "./preview.js";
import { Sheet } from "./sheet.js";
import { say } from "./texts.js";

/** @param command (name, args, seq) => Promise of the answer @param opener the button that opens it */
export function undoingSheet(command, opener) {
  let state = {};
  let layout = {};
  let mark = "";
  let busy = false;
  const sheet = new Sheet("command.undo", () => opener.focus());

  function open() {
    sheet.open();
    preview();
  }

  async function preview() {
    mark = markOf(state);
    const { ply } = state.moves?.at(-1) ?? {};
    if (ply === undefined) return sheet.show(el("p", {}, say("correct.none")));
    sheet.say("");
    const found = await ask("preview_undo", { ply });
    if (!found.ok) return again(found.detail ?? "");
    if (mark !== markOf(state)) return goneOn();
    const accept = el("button", { type: "button", class: "accept", "aria-describedby": "undo-preview", onclick: () => send({ ply }, found.seq) }, say("undo.send"));
    return sheet.show(el("h3", {}, say("preview")), consequences(layout, state, found, "undo-preview"), el("div", { class: "row" }, accept));
  }

  /** What was shown holds no longer; the next tap shows the move that is the last one now. */
  function again(words) {
    sheet.show(el("div", { class: "row" }, el("button", { type: "button", onclick: preview }, say("undo.again"))));
    sheet.say(words);
  }

  const goneOn = () => again(say("undo.gone_on"));

  async function send(args, seq) {
    if (busy) return;
    busy = true;
    const answer = await command("undo", args, seq);
    busy = false;
    if (answer.ok) sheet.close();
    else again(answer.detail);
  }

  return {
    open,
    draw(now, shown) {
      state = now;
      layout = shown;
      if (sheet.isOpen && !busy && mark !== markOf(state)) goneOn();
    },
  };
}
