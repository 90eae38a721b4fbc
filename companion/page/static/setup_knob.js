// Which way the knob turns for Blue: said by hand, or shown by turning it.

import { el } from "./dom.js";
import { button, choices } from "./setup_form.js";
import { say } from "./texts.js";

const STOPS = 10; // of a whole turn

export function knobForm(command) {
  const of = choices(say("setup.knob.which"), "knob", ["cw", "ccw"].map((way) => ({ value: way, content: [el("span", { class: "setup-turn", "aria-hidden": "true" }, way === "cw" ? "↻" : "↺"), el("strong", {}, say(`setup.knob.${way}`))] })), (blue_knob) => command("set_knob", { blue_knob }));
  const said = el("p", { class: "setup-note", role: "status" });
  const start = button(say("setup.knob.try"), () => {
    from = seen;
    said.textContent = say("setup.knob.turn");
  });
  let seen = null;
  let from = null;

  /** Less than half a turn either way from where it stood. */
  function turned(stop) {
    const way = ((stop - from + STOPS + STOPS / 2) % STOPS) - STOPS / 2;
    if (way === 0) return;
    const blue_knob = way > 0 ? "cw" : "ccw";
    from = null;
    said.textContent = say("setup.knob.found", { way: say(`setup.knob.${blue_knob}`) });
    command("set_knob", { blue_knob });
  }

  return {
    root: el("section", { "aria-labelledby": "knob-title" }, el("h3", { id: "knob-title" }, say("setup.knob.title")), el("p", {}, say("setup.knob.words")), of.root, el("div", { class: "setup-row" }, start), said),
    draw(state, can) {
      of.draw(state.knob, can);
      seen = typeof state.knob_seen === "number" ? state.knob_seen : null;
      start.hidden = seen === null;
      start.disabled = !can;
      if (from !== null && seen !== null && can) turned(seen);
    },
  };
}
