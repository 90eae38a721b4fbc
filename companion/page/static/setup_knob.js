// Which way the knob turns for Blue: said by hand, or shown by turning it.

import { el } from "./dom.js";
import { button, choices } from "./setup_form.js";
import { say } from "./texts.js";

export function knobForm(command) {
  const of = choices(say("setup.knob.which"), "knob", ["cw", "ccw"].map((way) => ({ value: way, content: [el("span", { class: "setup-turn", "aria-hidden": "true" }, way === "cw" ? "↻" : "↺"), el("strong", {}, say(`setup.knob.${way}`))] })), (blue_knob) => command("set_knob", { blue_knob }));
  const said = el("p", { class: "setup-note", role: "status" });
  const trouble = el("p", { class: "setup-note" });
  const start = button(say("setup.knob.try"), press);
  let seen = null;
  let from = null;

  async function press() {
    from = seen;
    const answer = await command("try_knob", {});
    if (!answer.ok) from = null;
    else if (from !== null) said.textContent = say("setup.knob.turn");
  }

  function turned(clicks) {
    const blue_knob = clicks > 0 ? "cw" : "ccw";
    from = null;
    said.textContent = say("setup.knob.found", { way: say(`setup.knob.${blue_knob}`) });
    command("set_knob", { blue_knob });
  }

  return {
    root: el("section", { "aria-labelledby": "knob-title" }, el("h3", { id: "knob-title" }, say("setup.knob.title")), el("p", {}, say("setup.knob.words")), of.root, el("div", { class: "setup-row" }, start), trouble, said),
    draw(state, can) {
      of.draw(state.knob, can);
      const { sensors } = state;
      start.hidden = !sensors;
      start.disabled = !can || sensors?.state !== "ok";
      trouble.textContent = sensors && sensors.state !== "ok" ? sensors.words : "";
      // A board that starts anew counts from elsewhere.
      if (state.knob_seen === null || seen === null) from = from === null ? null : state.knob_seen;
      seen = state.knob_seen;
      if (from !== null && seen !== null && seen !== from && can) turned(seen - from);
    },
  };
}
