// "What lies here?": a dialog with the few things that can.

import { el } from "./dom.js";
import { say } from "./texts.js";

/**
 * Ask for one label.
 * @param choices [{label, words, icon, key}]; @param now the label that is there
 * @returns a promise of the label, null where the person left it as it was
 */
export function askWhich(title, choices, now) {
  return new Promise((resolve) => {
    let answer = null;
    const pick = (label) => {
      answer = label;
      dialog.close();
    };
    const rows = choices.map(({ label, words, icon, key }) =>
      el("button", { type: "button", class: "setup-pick", "aria-pressed": String(label === now), "data-label": label, onclick: () => pick(label) }, icon, el("span", {}, words), key ? el("kbd", { "aria-hidden": "true" }, key) : null),
    );
    const dialog = el(
      "dialog",
      { class: "setup-picker", "aria-labelledby": "picker-title", onclick: (event) => event.target === dialog && dialog.close() },
      el("h3", { id: "picker-title" }, title),
      el("div", { class: "setup-picks" }, rows),
      el("button", { type: "button", class: "setup-link", onclick: () => dialog.close() }, say("setup.entry.leave")),
    );
    dialog.addEventListener("keydown", (event) => {
      const choice = choices.find(({ key }) => key && key === event.key.toUpperCase());
      if (choice && !event.ctrlKey && !event.altKey && !event.metaKey) pick(choice.label);
      const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
      if (step) {
        event.preventDefault();
        rows.at((rows.indexOf(document.activeElement) + step) % rows.length)?.focus();
      }
    });
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(answer);
    });
    document.body.append(dialog);
    dialog.showModal();
    (rows.find((row) => row.dataset.label === now) ?? rows[0]).focus();
  });
}
