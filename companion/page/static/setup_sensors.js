// A serial board or pins of a Raspberry Pi, where some are fitted: what they feel, the camera need not see.

import { el, showAnew } from "./dom.js";
import { button, field, fill, select } from "./setup_form.js";
import { say } from "./texts.js";

const PINS = ["knob_a", "knob_b"];
const BEAMS = ["entry", "exit"];

export function sensorsForm(command) {
  const ports = el("div");
  const heard = el("p", { class: "setup-note", role: "status" });
  const pins = Object.fromEntries([...PINS, ...BEAMS].map((key) => [key, el("input", { maxlength: 60, autocomplete: "off", spellcheck: "false", placeholder: BEAMS.includes(key) ? "BCM5 BCM6 BCM13 BCM19" : "BCM17" })]));
  const edges = el("input", { type: "number", min: 1, max: 16, value: 4 });
  const level = select([["0", say("setup.sensors.level.low")], ["1", say("setup.sensors.level.high")]], () => {});
  const use = button(say("setup.sensors.gpio.use"), sendPins);
  const none = button(say("setup.sensors.gpio.none"), () => command("choose_sensors", { gpio: null }));
  let port = null;
  let told = null;

  function sendPins() {
    const words = (key) => pins[key].value.split(/[\s,]+/).filter(Boolean);
    const gpio = Object.fromEntries([...PINS.map((key) => [key, words(key)[0]]), ...BEAMS.map((key) => [key, words(key)])].filter(([, value]) => value?.length));
    command("choose_sensors", { gpio: { ...gpio, edges_per_detent: Number(edges.value), beam_blocked_level: Number(level.value) } });
  }

  function portSelect(found, absent) {
    const list = [["", say("setup.sensors.none")], ...found.map(({ device, words }) => [device, words])];
    if (absent) list.push([absent, absent]);
    port = select(list, (device) => command("choose_sensors", { serial: device ? found.find((each) => each.device === device)?.serial ?? { port: device } : null }));
    return [field(say("setup.sensors.serial"), port)];
  }

  return {
    root: el(
      "details",
      {},
      el("summary", {}, say("setup.sensors")),
      el("p", { class: "setup-note" }, say("setup.sensors.words")),
      ports,
      heard,
      el("details", {}, el("summary", {}, say("setup.sensors.gpio")), el("div", { class: "setup-fields" }, Object.entries(pins).map(([key, input]) => field(say(`setup.sensors.${key}`), input)), field(say("setup.sensors.edges"), edges), field(say("setup.sensors.level"), level), el("div", { class: "setup-row" }, use, none))),
    ),
    draw(state, can) {
      const chosen = portOf(state);
      const absent = state.ports.some(({ device }) => device === chosen) ? null : chosen;
      showAnew(ports, JSON.stringify([state.ports, absent]), () => portSelect(state.ports, absent));
      fill(port, chosen ?? "");
      for (const input of [port, edges, level, use, none, ...Object.values(pins)]) input.disabled = !can;
      none.hidden = !state.draft.gpio;
      heard.textContent = state.sensors?.words ?? "";
      const mark = JSON.stringify(state.draft.gpio);
      if (mark === told) return;
      told = mark;
      const gpio = state.draft.gpio ?? {};
      for (const [key, input] of Object.entries(pins)) fill(input, [gpio[key] ?? []].flat().join(" "));
      fill(edges, gpio.edges_per_detent ?? 4);
      fill(level, gpio.beam_blocked_level ?? 0);
    },
  };
}

/** The device of the serial board that is chosen, null where none is. */
function portOf(state) {
  const { serial } = state.draft;
  if (!serial) return null;
  return serial.port ?? state.ports.find((each) => each.serial?.usb_serial === serial.usb_serial)?.device ?? serial.usb_serial;
}
