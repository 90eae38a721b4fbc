// A sheet over the page, for what takes more than one tap. It keeps the keyboard within, Escape closes it, and the
// keyboard goes back to what opened it, or to another command where that is gone or cannot be pressed any more.

import { el, show } from "./dom.js";
import { say } from "./texts.js";

export class Sheet {
  /** @param name of its heading in the catalogue @param giveBack focuses the opener, where the browser did not */
  constructor(name, giveBack = () => {}) {
    const id = `sheet-${name.replaceAll(".", "-")}`;
    this.body = el("div", { class: "sheet-body" });
    this.reply = el("p", { class: "reply", role: "status" });
    const close = el("button", { type: "button", class: "sheet-close", onclick: () => this.close() }, say("sheet.close"));
    const head = el("header", { class: "sheet-head" }, el("h2", { id, tabindex: "-1" }, say(name)), close);
    this.root = el("dialog", { class: "sheet", "aria-labelledby": id }, head, this.reply, this.body);
    this.root.addEventListener("close", () => {
      if (!this.hasGivenBack) giveBack();
      if (!this.hasGivenBack) document.querySelector("#commands button:enabled")?.focus();
    });
    document.body.append(this.root);
  }

  get isOpen() {
    return this.root.open;
  }

  /** Whether something that is still there has the keyboard: the browser gives it back to what had it before. */
  get hasGivenBack() {
    return document.activeElement !== document.body && !this.root.contains(document.activeElement);
  }

  open() {
    this.say("");
    if (!this.isOpen) this.root.showModal();
  }

  close() {
    this.root.close();
  }

  /** Show other contents; the keyboard goes to the first thing that can be chosen, or the heading. */
  show(...children) {
    show(this.body, ...children);
    const first = this.body.querySelector("select, button, input") ?? this.root.querySelector("h2");
    first.focus({ preventScroll: true });
    this.root.scrollTop = 0;
  }

  say(words) {
    this.reply.textContent = words;
  }
}
