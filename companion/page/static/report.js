// Recording the next minutes for a bug report, and taking the file along.

import { ownToken } from "./commands.js";
import { el, show } from "./dom.js";
import { number, say } from "./texts.js";

const MINUTES = 2;
const LOOK_MS = 1000;

/** @param address of the table's report */
export function reportBox(address) {
  const shown = el("div", {});
  const told = el("p", { role: "status" });
  let timer = 0;
  let open = false;

  const headers = () => ({ "Content-Type": "application/json", "X-Companion-Token": ownToken() });

  async function command(name, args) {
    const body = JSON.stringify({ seq: 0, transaction: `report ${crypto.getRandomValues(new Uint32Array(3)).join("-")}`, args });
    try {
      const answer = await (await fetch(`${address}/command/${name}`, { method: "POST", headers: headers(), body })).json();
      told.textContent = answer.detail ?? "";
    } catch {
      told.textContent = say("command.unheard");
    }
    await look();
  }

  async function save() {
    try {
      const answer = await fetch(`${address}/file`, { headers: headers() });
      if (!answer.ok) throw new Error(String(answer.status));
      const file = URL.createObjectURL(await answer.blob());
      el("a", { href: file, download: "report.zip" }).click();
      setTimeout(() => URL.revokeObjectURL(file), 60_000);
    } catch {
      told.textContent = say("command.unheard");
    }
  }

  function draw(state) {
    const size = number(state.size / 1e6);
    const running = state.left_s !== null;
    const focused = shown.contains(document.activeElement);
    show(
      shown,
      running ? el("p", {}, say("report.running", { seconds: Math.ceil(state.left_s), size })) : null,
      state.failed ? el("p", {}, state.failed) : null,
      running
        ? el("button", { type: "button", onclick: () => command("stop", {}) }, say("report.stop"))
        : el("button", { type: "button", onclick: () => command("start", { minutes: MINUTES }) }, say("report.start", { n: MINUTES })),
      state.ready ? el("button", { type: "button", onclick: save }, say("report.save", { size })) : null,
    );
    if (focused) shown.querySelector("button")?.focus();
  }

  let last = "";

  async function look() {
    clearTimeout(timer);
    try {
      const answer = await fetch(address, { cache: "no-store" });
      const text = await answer.text();
      if (answer.ok && text !== last) draw(JSON.parse(text));
      last = text;
    } catch {
      last = ""; // the server is away; asked again
    }
    if (open) timer = setTimeout(look, LOOK_MS);
  }

  function toggle(event) {
    open = event.target.open;
    clearTimeout(timer);
    if (open) look();
  }

  return el("details", { ontoggle: toggle }, el("summary", {}, say("report")), el("p", { class: "quiet" }, say("report.what")), shown, told);
}
