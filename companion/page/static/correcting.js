// A move put right: which one, what was wrong, what would come of it, and only then the command.

import { ask } from "./commands.js";
import { el } from "./dom.js";
import { markOf } from "./entering.js";
import { Picker } from "./picking.js";
import { consequences } from "./preview.js";
import { Sheet } from "./sheet.js";
import { say } from "./texts.js";

/** @param command (name, args, seq) => Promise of the answer @param opener the button that opens it */
export function correctingSheet(command, opener) {
  let state = {};
  let layout = {};
  let mark = "";
  let busy = false;
  const sheet = new Sheet("command.correct", () => opener.focus());

  function open() {
    sheet.open();
    list();
  }

  const moves = () => (state.moves ?? []).filter((each) => !each.forfeit);
  const choice = (text, onclick) => el("button", { type: "button", class: "choice", onclick }, el("span", {}, text));
  const back = (to) => el("button", { type: "button", onclick: to }, say("correct.back"));

  /** First: which move. */
  function list() {
    mark = markOf(state);
    const each = moves().map((move) => choice(say("correct.move", { ply: move.ply, words: move.words ?? move.move }), () => faults(move)));
    sheet.show(el("p", {}, say(each.length ? "correct.which" : "correct.none")), el("div", { class: "choices" }, each.reverse()));
  }

  /** Second: what was wrong with it. */
  function faults(move) {
    sheet.say("");
    const next = moves()[moves().indexOf(move) + 1];
    const { ply } = move;
    const ways = [
      [say("correct.other"), () => pick(move, 1)],
      [say("correct.missing"), () => pick(move, 0)],
      next ? [say("correct.swapped", { words: next.words ?? next.move }), () => preview({ ply, moves: [next.move, move.move], replaces: 2 }, move)] : null,
      [say("correct.never"), () => preview({ ply, moves: [], replaces: 1 }, move)],
    ].filter(Boolean);
    sheet.show(heading(move), el("div", { class: "choices" }, ways.map(([text, go]) => choice(text, go))), back(list));
  }

  const heading = (move) => el("h3", {}, say("correct.move", { ply: move.ply, words: move.words ?? move.move }));

  /** Perhaps: which move it really was, chosen on the board as it was then. */
  async function pick(move, replaces) {
    const legal = await ask("legal_moves", { ply: move.ply });
    if (!legal.ok) return sheet.say(legal.detail);
    const picker = new Picker((picked) => preview({ ply: move.ply, moves: [picked.move], replaces }, move));
    picker.take(layout, legal);
    sheet.show(heading(move), el("p", {}, say(replaces ? "correct.really" : "correct.missed")), picker.root, back(() => faults(move)));
    return undefined;
  }

  /** Last: what would come of it. */
  async function preview(args, move) {
    const found = await ask("preview_correct", args);
    if (!found.ok) return sheet.say(found.detail);
    sheet.say("");
    const why = el("input", { id: "correct-why", maxlength: 200, autocomplete: "off" });
    const accept = el("button", { type: "submit", class: "accept", "aria-describedby": "correct-preview" }, say("command.correct.send"));
    const form = el("form", { onsubmit: (event) => send(event, { ...args, why: why.value.trim() }, found.seq) },
      el("label", { for: "correct-why" }, el("span", {}, say("command.correct.why")), why), el("div", { class: "row" }, accept, back(() => faults(move))));
    sheet.show(el("h3", {}, say("preview")), consequences(layout, state, found, "correct-preview"), form);
    accept.focus({ preventScroll: true });
    return undefined;
  }

  async function send(event, args, seq) {
    event.preventDefault();
    if (busy) return;
    busy = true;
    const answer = await command("correct", args, seq);
    busy = false;
    if (answer.ok) sheet.close();
    else sheet.say(answer.detail);
  }

  return {
    open,
    draw(now, shown) {
      state = now;
      layout = shown;
      if (sheet.isOpen && !busy && mark !== markOf(state)) {
        list();
        sheet.say(say("correct.gone_on"));
      }
    },
  };
}
