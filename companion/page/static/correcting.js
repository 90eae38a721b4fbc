// A move put right: which one, what was wrong, what would come of it, and only then the command. The game may go on
// meanwhile: what was chosen stays, as long as the moves up to it are the same, and what is shown of it is asked anew.

import { ask } from "./commands.js";
import { el, show, showAnew } from "./dom.js";
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
  let step = null; // what is shown: {last, held, renew}; see `goTo`
  const sheet = new Sheet("command.correct", () => opener.focus());

  function open() {
    sheet.open();
    list();
  }

  const moves = () => (state.moves ?? []).filter((each) => !each.forfeit);
  const choice = (text, onclick) => el("button", { type: "button", class: "choice", onclick }, el("span", {}, text));
  const back = (to) => el("button", { type: "button", onclick: to }, say("correct.back"));
  const heading = (move) => el("h3", {}, say("correct.move", { ply: move.ply, words: move.words ?? move.move }));
  /** What a step hangs on that is about the moves up to one. */
  const upTo = (last) => JSON.stringify([state.game, (state.moves ?? []).filter((each) => each.ply <= last).map((each) => each.move)]);

  /** Go to a step that is about the moves up to `last`. @param renew shows the same step of a game that has gone on */
  function goTo(last, renew) {
    mark = markOf(state);
    step = { last, held: upTo(last), renew };
    return step;
  }

  /** First: which move. */
  function list() {
    goTo(0, list);
    const each = moves().map((move) => choice(say("correct.move", { ply: move.ply, words: move.words ?? move.move }), () => faults(move)));
    sheet.show(el("p", {}, say(each.length ? "correct.which" : "correct.none")), el("div", { class: "choices" }, each.reverse()));
  }

  /** Second: what was wrong with it. */
  function faults(move) {
    const ways = el("div", { class: "choices" });
    const fill = () => {
      const next = moves().find((each) => each.ply > move.ply);
      showAnew(ways, JSON.stringify(next?.move ?? null), () => waysOf(move, next));
    };
    sheet.say("");
    goTo(move.ply, fill);
    fill();
    sheet.show(heading(move), ways, back(list));
  }

  function waysOf(move, next) {
    const { ply } = move;
    const ways = [
      [say("correct.other"), () => pick(move, 1)],
      [say("correct.missing"), () => pick(move, 0)],
      next ? [say("correct.swapped", { words: next.words ?? next.move }), () => preview({ ply, moves: [next.move, move.move], replaces: 2 }, move, next.ply)] : null,
      [say("correct.never"), () => preview({ ply, moves: [], replaces: 1 }, move)],
    ];
    return ways.filter(Boolean).map(([text, go]) => choice(text, go));
  }

  /** Perhaps: which move it really was, chosen on the board as it was then. */
  async function pick(move, replaces) {
    const picker = new Picker((picked) => preview({ ply: move.ply, moves: [picked.move], replaces }, move));
    const legal = await ask("legal_moves", { ply: move.ply });
    if (!legal.ok) return sheet.say(legal.detail);
    picker.take(layout, legal);
    goTo(move.ply, () => undefined); // what was possible then does not hang on what is played now
    sheet.show(heading(move), el("p", {}, say(replaces ? "correct.really" : "correct.missed")), picker.root, back(() => faults(move)));
    return undefined;
  }

  /** Last: what would come of it; told anew when the game goes on, and what was typed stays. */
  async function preview(args, move, last = move.ply) {
    let found = await ask("preview_correct", args);
    if (!found.ok) return sheet.say(found.detail);
    sheet.say("");
    const shown = el("div", {});
    const draw = () => show(shown, consequences(layout, state, found, "correct-preview"));
    const why = el("input", { id: "correct-why", maxlength: 200, autocomplete: "off" });
    const accept = el("button", { type: "submit", class: "accept", "aria-describedby": "correct-preview" }, say("command.correct.send"));
    const form = el("form", { onsubmit: (event) => send(event, { ...args, why: why.value.trim() }, found.seq) },
      el("label", { for: "correct-why" }, el("span", {}, say("command.correct.why")), why), el("div", { class: "row" }, accept, back(() => faults(move))));
    const here = goTo(last, async () => {
      const anew = await ask("preview_correct", args);
      if (step !== here) return;
      if (!anew.ok) return again(anew.detail);
      found = anew;
      draw();
      sheet.say(say("correct.shown_anew"));
    });
    draw();
    sheet.show(el("h3", {}, say("preview")), shown, form);
    accept.focus({ preventScroll: true });
    return undefined;
  }

  /** What was chosen means another move now. */
  function again(words) {
    list();
    sheet.say(words);
  }

  async function send(event, args, seq) {
    event.preventDefault();
    if (busy) return;
    busy = true;
    const answer = await command("correct", args, seq);
    busy = false;
    if (answer.ok) return sheet.close();
    if (answer.reason === "stale" || mark !== markOf(state)) return goOn();
    return sheet.say(answer.detail);
  }

  function goOn() {
    mark = markOf(state);
    if (step.held === upTo(step.last)) step.renew();
    else again(say("correct.gone_on"));
  }

  return {
    open,
    draw(now, shown) {
      state = now;
      layout = shown;
      if (sheet.isOpen && !busy && mark !== markOf(state)) goOn();
    },
  };
}
