// Moves entered by hand, one after the other: the sheet stays open and goes on to the next move.

import { ask } from "./commands.js";
import { el } from "./dom.js";
import { Picker } from "./picking.js";
import { Sheet } from "./sheet.js";
import { playerName, say } from "./texts.js";

/** @param command (name, args, seq) => Promise of the answer @param opener the button that opens it */
export function enteringSheet(command, opener) {
  let state = {};
  let layout = {};
  let mark = "";
  let busy = false;
  let seq = 0;
  const sheet = new Sheet("enter", () => opener.focus());
  const turn = el("p", { class: "pick-turn" });
  const picker = new Picker(play);

  function open() {
    sheet.open();
    sheet.show(turn, picker.root);
    load();
  }

  /** The moves that are possible now; asked again whenever the game has gone on. */
  async function load() {
    mark = markOf(state);
    const legal = await ask("legal_moves", {});
    if (!legal.ok) return sheet.say(legal.detail);
    seq = legal.seq;
    turn.textContent = state.outcome ? say("over") : legal.to_move ? say("turn", { player: playerName(state, legal.to_move) }) : say("turn.anybody");
    picker.take(layout, legal);
    return undefined;
  }

  async function play({ move, words }) {
    if (busy) return;
    busy = true;
    const answer = await command("play", { move }, seq);
    busy = false;
    sheet.say(answer.ok ? say("enter.done", { words }) : answer.detail);
    await load();
    picker.first.focus({ preventScroll: true });
  }

  return {
    open,
    draw(now, shown) {
      state = now;
      layout = shown;
      if (sheet.isOpen && !busy && mark !== markOf(state)) load();
    },
  };
}

/** What a list of possible moves hangs on. */
export const markOf = (state) => JSON.stringify([state.moves ?? [], state.outcome ?? null, state.game]);
