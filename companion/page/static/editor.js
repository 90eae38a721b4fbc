// The board editor: the lines of a board file over a camera picture, dragged until they lie on what is there. Its corners
// move the whole, its dots single places; with the keyboard arrows do. What it shows and takes: `calibration/editing.py`.

import { el, showAnew } from "./dom.js";
import { editorNumbers } from "./editor_numbers.js";
import { editorScene } from "./editor_scene.js";
import { button, field, select } from "./setup_form.js";
import { say } from "./texts.js";

const SUFFIX = ".json";

export function boardEditor({ command, go }) {
  const scene = editorScene((what) => edit(what));
  const begin = el("div");
  const work = el("div");
  const advice = el("div", { class: "setup-advice", role: "status" });
  const places = el("div");
  const numbers = editorNumbers((what, value) => edit({ do: "set", what, value }));
  const name = el("input", { maxlength: 60, autocomplete: "off", spellcheck: "false", value: "my_board" });
  const saved = el("p", { class: "setup-note", role: "status" });
  const undo = button(say("setup.editor.undo"), () => edit({ do: "undo" }));
  const measure = button(say("setup.editor.measure"), () => edit({ do: "measure_markers" }));
  const anew = button(say("setup.editor.anew"), () => edit({ do: "begin", board: latest.source }));
  const save = button(say("setup.editor.save"), saveIt, "primary");
  const close = button(say("setup.editor.close"), async () => (await edit({ do: "close" })).ok && go("mat"));
  const use = button(say("setup.editor.use"), async () => (await command("choose_board", { board: latest.saved.split("/").at(-1) })).ok && go("mat"), "primary");
  const tools = [undo, measure, anew, save, close, use];
  let latest = null;
  let fresh = false; // begun here: the first corner is gone to
  let begun = 0; // every beginning has a picture of its own

  async function edit(what) {
    if (what.do !== "begin") return command("edit_board", what);
    begun += 1;
    fresh = latest === null;
    const answer = await command("edit_board", what);
    if (answer.ok && latest) scene.focus();
    return answer;
  }

  function saveIt() {
    const wanted = name.value.trim();
    if (wanted === "") return name.focus();
    edit({ do: "save", path: wanted.endsWith(SUFFIX) ? wanted : wanted + SUFFIX });
  }

  function beginning(state) {
    const list = [state.draft.board ?? state.draft.game, ...(state.boards ?? []).map(({ board }) => board ?? state.draft.game)];
    const each = [...new Set(list)].map((board) => button(say("setup.editor.begin", { board: boardWords(state, board) }), () => edit({ do: "begin", board }), "primary"));
    return [el("p", {}, say(state.draft.camera ? "setup.editor.how" : "setup.editor.no_camera")), el("div", { class: "setup-row" }, state.draft.camera ? each : null)];
  }

  work.append(
    el("p", {}, say("setup.editor.keys")),
    advice,
    scene.root,
    el("div", { class: "setup-row" }, undo, measure, anew),
    places,
    numbers.root,
    el("div", { class: "setup-row setup-save" }, field(say("setup.editor.name"), name), save, use, close),
    saved,
  );

  return {
    root: el("div", {}, begin, work),
    draw(state, can) {
      if (latest === null && state.board_editor) begun += 1;
      latest = state.board_editor;
      showAnew(begin, JSON.stringify(latest ? null : [state.boards, state.draft.board, state.draft.game, state.draft.camera]), () => (latest || !state.draft.game ? [] : beginning(state)));
      for (const each of begin.querySelectorAll("button")) each.disabled = !can;
      work.hidden = latest === null;
      for (const tool of tools) tool.disabled = !can;
      if (latest === null) return;
      undo.disabled = !can || latest.undo === 0;
      use.hidden = latest.saved === null;
      const said = latest.saved ? say("setup.editor.saved", { path: latest.saved }) : "";
      if (saved.textContent !== said) saved.textContent = said;
      advice.classList.toggle("good", latest.advice.length === 0);
      showAnew(advice, JSON.stringify([latest.advice, latest.error_px]), () => [...latest.advice.map((words) => el("p", {}, words)), latest.error_px === null ? null : el("p", { class: "quiet" }, say("setup.editor.error", { error: Number(latest.error_px.toFixed(1)) }))]);
      showAnew(places, JSON.stringify(scene.names(latest)), () => [field(say("setup.editor.place"), select([["", say("setup.editor.choose")], ...scene.names(latest)], (id) => id && scene.focus(id)))]);
      scene.draw(latest, begun, can);
      numbers.draw(latest.board, can);
      if (fresh) scene.focus();
      fresh = false;
    },
  };
}

function boardWords(state, board) {
  const known = (state.boards ?? []).find((each) => (each.board ?? state.draft.game) === board);
  return known?.words ?? String(board);
}
