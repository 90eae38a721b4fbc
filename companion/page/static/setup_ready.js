// Everything at a glance, and the first move.

import { el, showAnew } from "./dom.js";
import { button } from "./setup_form.js";
import { seats } from "./setup_players.js";
import { coneRow } from "./setup_tower.js";
import { say } from "./texts.js";

export function readyPanel({ command }) {
  const summary = el("dl", { class: "setup-summary" });
  const warning = el("div", { class: "setup-advice" });
  const begin = button(say("setup.ready.begin"), () => command("begin", {}), "primary setup-begin");
  const save = button(say("setup.ready.save"), () => command("save", {}));
  const files = el("p", { class: "quiet", role: "status" });
  const game = el("p", {}, el("a", { href: "../" }, say("setup.ready.game")));

  return {
    root: el("div", {}, summary, warning, el("div", { class: "setup-row" }, begin, save), files, game),
    draw(state, can) {
      showAnew(summary, JSON.stringify([state.draft, state.rules, state.calibration, state.players]), () => lines(state).map(([key, value]) => el("div", {}, el("dt", {}, say(key)), el("dd", {}, value))));
      showAnew(warning, JSON.stringify(state.new_game ?? []), () => (state.new_game ?? []).map((words) => el("p", {}, words)));
      begin.disabled = save.disabled = !can || !state.ready;
      const said = state.saved ? say("setup.ready.saved", { config: state.files.config }) : say("setup.ready.files", { config: state.files.config });
      if (files.textContent !== said) files.textContent = said;
      game.hidden = !state.playing;
    },
  };
}

function lines(state) {
  const { draft, calibration, players } = state;
  const { game, names, setup, camera, serial, gpio, without_camera: without } = draft;
  const changed = state.rules.filter((rule) => JSON.stringify(rule.value) !== JSON.stringify(rule.default));
  const nothing = say("setup.ready.nothing");
  return [
    ["setup.game.title", game ? say(`game.${game}`) : nothing],
    ["setup.players.title", players.map(({ player, words }) => (names[player] ? `${names[player]} (${words})` : words)).join(", ") || nothing],
    ["setup.camera.title", camera ? (state.cameras.find(({ device }) => device === camera.device)?.words ?? String(camera.device)) : without ? say("setup.camera.without") : nothing],
    ...(serial || gpio ? [["setup.sensors", [serial ? say("setup.sensors.serial") : "", gpio ? say("setup.sensors.gpio") : ""].filter(Boolean).join(", ")]] : []),
    ...(without ? [] : [["setup.learn.title", calibration ? say(calibration.ok ? (calibration.doubtful.length ? "setup.learn.doubtful" : "setup.learn.good") : "setup.learn.bad") : nothing]]),
    ...(game === "finity" ? [["setup.tower.title", setup.pattern ? coneRow(setup.pattern) : nothing], ["setup.players.posts", Object.entries(seats(state)).map(([player, station]) => `${names[player] || player}: ${station}`).join(", ")]] : []),
    ...(state.knob ? [["setup.knob.title", say(`setup.knob.${state.knob}`)]] : []),
    ["setup.rules.title", changed.length ? say("setup.ready.rules", { n: changed.length }) : say("setup.rules.usual_all")],
  ];
}
