// Fields of the set-up's forms. A field that somebody is in is never changed under their hands.

import { el } from "./dom.js";

let count = 0;

/** A labelled field. @param input an input or select */
export function field(words, input, more = null) {
  input.id ||= `field-${(count += 1)}`;
  return el("label", { for: input.id, class: "setup-field" }, el("span", {}, words), input, more);
}

const pending = new WeakSet();
const known = new WeakMap();

/** Give a field the server's value, unless somebody is writing in it, or what was chosen there is on its way. */
export function fill(input, value) {
  known.set(input, value);
  const writing = document.activeElement === input && input.matches("input:not([type=checkbox], [type=radio])");
  if (!writing && !pending.has(input)) put(input, value);
}

function put(input, value) {
  if (input.matches("[type=checkbox], [type=radio]")) input.checked = value === true;
  else if (input.value !== String(value ?? "")) input.value = String(value ?? "");
}

/** Keep what was chosen in fields until the server has answered; what it refuses goes back to what it was. */
export async function during(ask, ...inputs) {
  for (const input of inputs) pending.add(input);
  const told = await ask();
  for (const input of inputs) {
    pending.delete(input);
    if (told?.ok === false) put(input, known.get(input));
  }
  return told;
}

/** A group of choices of which one holds, as large buttons. @param list [{value, content}] */
export function choices(legend, name, list, choose) {
  const inputs = new Map();
  const rows = list.map(({ value, content }) => {
    const input = el("input", { type: "radio", name, value: String(value), onchange: () => during(() => choose(value), ...inputs.values()) });
    inputs.set(value, input);
    return el("label", { class: "setup-choice" }, input, content);
  });
  const root = el("fieldset", { class: "setup-choices" }, el("legend", {}, legend), el("div", { class: "setup-choice-list" }, rows));
  return {
    root,
    draw(value, can) {
      for (const [own, input] of inputs) {
        fill(input, own === value);
        input.disabled = !can;
      }
    },
  };
}

/** A select. @param list [[value, words]] */
export function select(list, choose) {
  return el("select", { onchange: ({ target }) => during(() => choose(target.value), target) }, list.map(([value, words]) => el("option", { value }, words)));
}

export const button = (words, press, kind = "") => el("button", { type: "button", class: kind, onclick: press }, words);
