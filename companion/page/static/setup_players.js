// Who plays: names and colours; in Finity also the tower's cones and where everybody starts; in Infinity the knob.

import { el, showAnew } from "./dom.js";
import { pieceIcon } from "./pieces.js";
import { field, fill, select } from "./setup_form.js";
import { knobForm } from "./setup_knob.js";
import { towerForm } from "./setup_tower.js";
import { say } from "./texts.js";

export function playersPanel({ command }) {
  const names = el("div", { class: "setup-fields" });
  const posts = el("div", { class: "setup-fields" });
  const colours = el("p", { class: "setup-note" }, say("setup.players.colours"));
  const tower = towerForm(command);
  const knob = knobForm(command);
  const inputs = new Map();
  const selects = new Map();

  function nameFields(state) {
    inputs.clear();
    return state.players.map(({ player, words }) => {
      const input = el("input", { maxlength: 60, autocomplete: "off", onchange: () => command("set_names", { names: { [player]: input.value.trim() } }) });
      inputs.set(player, input);
      return field([lookOf(state, player), " ", say("setup.players.name", { player: words })], input);
    });
  }

  /** Two players change places, so that nobody is left without one. */
  function seat(player, station) {
    const now = seats(latest);
    const other = Object.keys(now).find((each) => now[each] === station);
    return command("set_game", { posts: { ...now, [other]: now[player], [player]: station } });
  }

  function postFields(state) {
    selects.clear();
    return state.players.map(({ player, words }) => {
      const choice = select(state.stations.map((station) => [station, station]), (station) => seat(player, station));
      selects.set(player, choice);
      return field([lookOf(state, player), " ", say("setup.players.start", { player: state.draft.names[player] || words })], choice);
    });
  }

  let latest = null;
  return {
    root: el("div", {}, names, colours, tower.root, posts, knob.root),
    draw(state, can) {
      latest = state;
      showAnew(names, JSON.stringify([state.players, state.layout.players]), () => nameFields(state));
      for (const [player, input] of inputs) {
        fill(input, state.draft.names[player] ?? "");
        input.disabled = !can && document.activeElement !== input;
      }
      const seated = state.stations.length > 0 && state.layout.players;
      showAnew(posts, JSON.stringify(seated ? [state.players, state.stations, state.draft.names] : null), () => (seated ? [el("h3", {}, say("setup.players.posts")), ...postFields(state)] : []));
      for (const [player, choice] of selects) {
        fill(choice, seats(state)[player]);
        choice.disabled = !can;
      }
      tower.root.hidden = state.draft.game !== "finity";
      colours.hidden = tower.root.hidden || state.calibration !== null;
      if (!tower.root.hidden) tower.draw(state, can);
      knob.root.hidden = state.knob === null || state.knob === undefined;
      if (!knob.root.hidden) knob.draw(state, can);
    },
  };
}

/** Who starts where: as it was chosen, else in the order of the stations. */
export const seats = (state) => state.draft.setup.posts ?? Object.fromEntries(state.players.map(({ player }, at) => [player, state.stations[at]]));

/** A player's piece as the board shows it, in the colour that the camera has learnt. */
function lookOf(state, player) {
  const label = state.layout.players?.[player]?.label;
  return label ? pieceIcon(state.layout, label, "") : null;
}
