// Walks: each player's longest one, the one that holds a ring, and what could be cut off. The state's `explanation`
// says them; here they are found on the layout and drawn.

import { svg } from "./dom.js";
import { playerName, say } from "./texts.js";

const BAND_MM = 4.4;
const CHOSEN_MM = 15;

/** Everything that the drawing asks of the explanation. @param choice {player, station?} or null */
export class Marks {
  constructor(layout, state) {
    this.layout = layout;
    this.state = state;
    this.told = state.explanation ?? {};
    this.players = Object.keys(layout.players ?? {});
    this.lanes = new Map();
    this.stations = new Map();
    for (const shape of layout.shapes ?? []) {
      for (const name of shape.names ?? []) this.lanes.set(name, shape);
      if (shape.kind === "hexagon") this.stations.set(shape.station, shape);
    }
    this.threats = threats(this.told.would_orphan, state.to_move);
  }

  heldBy(player, station) {
    return (this.told.rings ?? []).find((ring) => ring.player === player && ring.station === station) ?? null;
  }

  /** The moves of another player that would cut this ring off. */
  threatened(player, station, size) {
    return this.threats.has(ringKey(player, station, size));
  }

  /** The player whose ring must leave this seat, null where none must. */
  orphan(seat) {
    return (this.state.orphans ?? []).find(([, station, size]) => station === seat.station && size === seat.size)?.[0] ?? null;
  }

  /** The walk of a choice, with what it hangs on; null where there is none any more. */
  walk(choice) {
    if (!choice) return null;
    const told = choice.station ? this.heldBy(choice.player, choice.station) : this.told.partial_paths?.[choice.player];
    return told?.walk ? told : null;
  }

  /** A choice as a sentence. */
  inWords(choice) {
    const player = playerName(this.state, choice.player);
    const told = this.walk(choice);
    if (!choice.station) return say(told?.length ? "walk.path" : "walk.no_path", { player, length: told?.length, walk: told?.walk.join(" → ") });
    const ring = this.heldBy(choice.player, choice.station);
    if (!ring) return "";
    const sizes = ring.sizes.map((size) => say(`size.${size}`)).join(", ");
    const what = { player, sizes, station: choice.station };
    if (!told) return say("walk.unheld", what);
    const said = [say("walk.held", { ...what, walk: told.walk.join(" → ") })];
    if (told.hangs_on?.length) said.push(say("walk.hangs_on", { bridges: told.hangs_on.join(say("walk.and")) }));
    const moves = new Set(ring.sizes.flatMap((size) => this.threats.get(ringKey(choice.player, choice.station, size)) ?? []));
    if (moves.size) said.push(say("walk.threatened", { mover: playerName(this.state, this.state.to_move), moves: [...moves].join(", ") }));
    return said.join(" ");
  }

  /** The lines below the pieces. */
  lines(choice) {
    const chosen = this.walk(choice);
    const drawn = this.players.map((player, seat) => this.line(player, this.told.partial_paths?.[player], seat, chosen !== null));
    return [...drawn, chosen ? this.chosenLine(choice.player, chosen) : null];
  }

  line(player, told, seat, faint) {
    if (!told?.walk || told.walk.length < 2) return null;
    const aside = (seat - (this.players.length - 1) / 2) * BAND_MM;
    const attributes = { class: faint ? "walk faint" : "walk", d: this.way(told, aside), "stroke-width": BAND_MM };
    return svg("path", { ...attributes, stroke: this.layout.players[player].line, "data-player": player });
  }

  chosenLine(player, told) {
    const d = this.way(told, 0);
    return svg("g", { class: "chosen-walk" },
      svg("path", { class: "walk-edge", d, "stroke-width": CHOSEN_MM + 2 }),
      svg("path", { class: "walk", d, stroke: this.layout.players[player].line, "stroke-width": CHOSEN_MM }));
  }

  /** From station to station over the lanes between; `aside` millimetres beside the middle of each lane. */
  way(told, aside) {
    let d = "";
    told.bridges.forEach((bridge, step) => {
      const [from, to] = [told.walk[step], told.walk[step + 1]].map((name) => this.stations.get(name));
      const lane = this.lanes.get(laneName(bridge));
      if (!from || !to || !lane) return;
      const angle = (lane.deg * Math.PI) / 180;
      const [ux, uy] = [Math.cos(angle), Math.sin(angle)];
      const along = Math.sign((to.x_mm - from.x_mm) * ux + (to.y_mm - from.y_mm) * uy) * lane.length_mm * 0.5;
      const [x, y] = [lane.x_mm - uy * aside, lane.y_mm + ux * aside];
      const spots = [[from.x_mm, from.y_mm], [x - ux * along, y - uy * along], [x + ux * along, y + uy * along], [to.x_mm, to.y_mm]];
      d += spots.map((spot, index) => `${index ? "L" : "M"}${spot.map((mm) => mm.toFixed(2)).join(" ")}`).join("");
    });
    return d;
  }

  /** The numbers of a chosen walk's steps on its bridges, and what it hangs on, above the pieces. */
  steps(choice) {
    const told = this.walk(choice);
    if (!told) return [];
    const numbers = new Map();
    told.bridges.forEach((bridge, step) => numbers.set(laneName(bridge), [...(numbers.get(laneName(bridge)) ?? []), step + 1]));
    const hangs = new Set((told.hangs_on ?? []).map(laneName));
    return [...numbers].map(([name, steps]) => {
      const lane = this.lanes.get(name);
      if (!lane) return null;
      const wide = 5 + 3.4 * steps.join("·").length;
      return svg(
        "g",
        { class: hangs.has(name) ? "step hangs" : "step", transform: `translate(${lane.x_mm} ${lane.y_mm})` },
        svg("rect", { x: -wide / 2, y: -4.6, width: wide, height: 9.2, rx: 4.6 }),
        svg("text", { class: "letter", "font-size": 6.6 }, steps.join("·")),
      );
    });
  }
}

const ringKey = (player, station, size) => `${player} ${station} ${size}`;
/** "b N>NE M" is the bridge of a kind in the lane "N>NE M". */
const laneName = (bridge) => bridge.slice(bridge.indexOf(" ") + 1);

/** By ring, the moves that would cut it off though it is not the mover's own. */
function threats(wouldOrphan, mover) {
  const found = new Map();
  for (const [move, orphans] of Object.entries(wouldOrphan ?? {}))
    for (const [player, station, size] of orphans) {
      if (player === mover) continue;
      const key = ringKey(player, station, size);
      found.set(key, [...(found.get(key) ?? []), move]);
    }
  return found;
}
