// Every number of a board file, for those who have a ruler: which, how much, set.

import { el, showAnew } from "./dom.js";
import { button, field, select } from "./setup_form.js";
import { say } from "./texts.js";

/** @param set (path with dots, number) */
export function editorNumbers(set) {
  const which = el("div");
  const value = el("input", { type: "number", step: "any", inputmode: "decimal", onkeydown: (event) => event.key === "Enter" && send() });
  const press = button(say("setup.editor.set"), send);
  let chosen = null;
  let numbers = new Map();

  function choose(path) {
    chosen = path;
    value.value = String(numbers.get(path));
  }

  function send() {
    if (value.value !== "" && value.reportValidity()) set(chosen, Number(value.value));
  }

  return {
    root: el("details", {}, el("summary", {}, say("setup.editor.numbers")), el("p", { class: "setup-note" }, say("setup.editor.numbers.words")), el("div", { class: "setup-row setup-save" }, which, field(say("setup.editor.number"), value), press)),
    draw(board, can) {
      numbers = new Map(leaves(board));
      showAnew(which, JSON.stringify([...numbers.keys()]), () => {
        choose(numbers.has(chosen) ? chosen : [...numbers.keys()][0]);
        return [field(say("setup.editor.which"), select([...numbers.keys()].map((path) => [path, path]), choose))];
      });
      if (document.activeElement !== value && numbers.has(chosen)) value.value = String(numbers.get(chosen));
      press.disabled = !can;
    },
  };
}

/** [path, number] of every number in a mapping, however deep. */
const leaves = (mapping, before = "") =>
  Object.entries(mapping ?? {}).flatMap(([key, value]) => {
    if (typeof value === "number") return [[before + key, value]];
    return value && typeof value === "object" && !Array.isArray(value) ? leaves(value, `${before}${key}.`) : [];
  });
