// The buttons of the table: take back, correct, pause, new game. Drawn once, then only switched.

import { byId, el, show } from "./dom.js";
import { say } from "./texts.js";

const SURE_MS = 5000;

/** @param command (name, args) => Promise of the answer */
export function startTools(command) {
  const parts = { undo: undoButton(command), pause: pauseButton(command), game: newGameButton(command), correct: correction(command) };
  return function drawTools(state, mayCommand, live, example = "") {
    if (!mayCommand) {
      show(byId("commands"), el("p", { class: "quiet" }, say("command.look_on")));
      return;
    }
    const box = byId("commands");
    if (!parts.undo.root.isConnected) show(box, ...Object.values(parts).map((part) => part.root));
    for (const part of Object.values(parts)) part.draw(state, live, example);
  };
}

function undoButton(command) {
  let ply = null;
  const root = el("button", { type: "button", onclick: () => command("undo", { ply }) }, say("command.undo"));
  return {
    root,
    draw(state, live) {
      ply = state.moves?.at(-1)?.ply ?? null;
      root.disabled = !live || ply === null;
    },
  };
}

function pauseButton(command) {
  let paused = false;
  const root = el("button", { type: "button", onclick: () => command(paused ? "resume" : "pause", {}) });
  return {
    root,
    draw(state, live) {
      paused = state.paused === true;
      root.textContent = say(paused ? "command.resume" : "command.pause");
      root.disabled = !live;
    },
  };
}

/** Asks once more before a game that is under way is given up. */
function newGameButton(command) {
  let underWay = false;
  let timer = 0;
  const root = el("button", { type: "button", onclick: press }, say("command.new_game"));
  function rest() {
    clearTimeout(timer);
    root.classList.remove("sure");
    root.textContent = say("command.new_game");
  }
  function press() {
    if (underWay && !root.classList.contains("sure")) {
      root.classList.add("sure");
      root.textContent = say("command.new_game.sure");
      timer = setTimeout(rest, SURE_MS);
      return;
    }
    rest();
    command("new_game", {});
  }
  return {
    root,
    draw(state, live) {
      underWay = (state.moves?.length ?? 0) > 0 && !state.outcome;
      root.disabled = !live;
    },
  };
}

function correction(command) {
  const ply = el("select", { id: "correct-ply" });
  const move = el("input", { id: "correct-move", required: true, maxlength: 60, autocomplete: "off", autocapitalize: "off", spellcheck: "false" });
  const why = el("input", { id: "correct-why", maxlength: 200, autocomplete: "off" });
  const submit = el("button", { type: "submit" }, say("command.correct.send"));
  const form = el(
    "form",
    { onsubmit: send },
    field("command.correct.ply", ply),
    field("command.correct.move", move),
    field("command.correct.why", why),
    submit,
  );
  const root = el("details", { class: "correction" }, el("summary", {}, say("command.correct")), form);
  let shown = "";

  async function send(event) {
    event.preventDefault();
    const answer = await command("correct", { ply: Number(ply.value), moves: [move.value.trim()], why: why.value.trim() });
    if (answer.ok) {
      form.reset();
      root.open = false;
    }
  }

  return {
    root,
    draw(state, live, example) {
      move.placeholder = example;
      const moves = (state.moves ?? []).filter((each) => !each.forfeit).slice(-8).reverse();
      const mark = JSON.stringify(moves.map((each) => [each.ply, each.move]));
      if (mark !== shown) {
        shown = mark;
        ply.replaceChildren(...moves.map((each) => el("option", { value: each.ply }, `${each.ply}: ${each.words ?? each.move}`)));
      }
      submit.disabled = !live || moves.length === 0;
    },
  };
}

const field = (key, input) => el("label", { for: input.id }, el("span", {}, say(key)), input);
