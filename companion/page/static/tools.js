// What can be commanded at the table, and by whom. Drawn once, then only switched.

import { ownName, setOwnName } from "./commands.js";
import { byId, el, show } from "./dom.js";
import { doubtList } from "./doubtful.js";
import { say } from "./texts.js";

const SURE_MS = 5000;

/** @param command (name, args, seq) => Promise of the answer */
export function startTools(command) {
  const enter = sheetButton("enter", (opener) => import("./entering.js").then((loaded) => loaded.enteringSheet(command, opener)), (state) => !state.outcome);
  const correct = sheetButton("command.correct", (opener) => import("./correcting.js").then((loaded) => loaded.correctingSheet(command, opener)), (state) => state.moves?.length > 0);
  const undo = sheetButton("command.undo", (opener) => import("./undoing.js").then((loaded) => loaded.undoingSheet(command, opener)), (state) => state.moves?.length > 0);
  const parts = [enter, undo, correct, pauseButton(command), newGameButton(command), takeUpButton(command), nameField()];
  const doubts = doubtList((place, label) => command("place", { place, label }));
  function drawTools(state, mayCommand, live, layout, doubtful) {
    if (!mayCommand) {
      show(byId("commands"), el("p", { class: "quiet" }, say("command.look_on")));
      return;
    }
    if (!doubts.root.isConnected) show(byId("commands"), ...parts.map((part) => part.root), doubts.root);
    for (const part of parts) part.draw(state, live, layout);
    doubts.draw(doubtful, live);
  }
  return Object.assign(drawTools, { enter: enter.open });
}

/** A button with a sheet that is fetched when somebody first wants it: most who look on never do. */
function sheetButton(key, load, possible) {
  let loading = null;
  let sheet = null;
  let given = [];
  const root = el("button", { type: "button", onclick: open }, say(key));
  async function open() {
    try {
      loading ??= load(root);
      sheet = await loading;
    } catch {
      loading = null; // the server is away; the next tap asks again
      byId("reply").textContent = say("command.unheard");
      return;
    }
    sheet.draw(...given);
    sheet.open();
  }
  return {
    root,
    open,
    draw(state, live, layout) {
      given = [state, layout];
      root.disabled = !live || !possible(state);
      sheet?.draw(...given);
    },
  };
}

/** The game before, as long as this one has no move: its end may have been a mistake, or the new game. */
function takeUpButton(command) {
  const words = el("small", { class: "quiet" });
  const root = el("button", { type: "button", class: "take-up", onclick: () => command("take_up", {}) }, el("span", {}, say("command.take_up")), words);
  return {
    root,
    draw(state, live) {
      root.hidden = !state.last_game;
      root.disabled = !live;
      words.textContent = state.last_game?.words ?? "";
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

/** Who sits here: kept in this browser, and written beside what is commanded from it. */
function nameField() {
  const input = el("input", { id: "own-name", maxlength: 40, autocomplete: "nickname", value: ownName(), onchange: () => setOwnName(input.value) });
  const root = el("label", { for: "own-name", class: "own-name" }, el("span", {}, say("command.name")), input);
  return { root, draw() {} };
}
