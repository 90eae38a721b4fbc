// A position as reference states have it, and as labels at places, as drawings have it. Every game is one entry here.

const EMPTY = ".";
const SUPPLY = { B: 8, K: 1, Y: 8, W: 1 }; // Infinity's marbles

const places = (layout, kind) => (layout.shapes ?? []).filter((shape) => shape.kind === kind);

const infinity = {
  sightOf(state) {
    const columns = state.board.split("|").map((column) => [...column]);
    return Object.fromEntries(columns.flatMap((column, channel) => column.map((label, slot) => [`${channel + 1}.${slot + 1}`, label])));
  },

  /** What is said of the well belongs to the marbles on the board: with others there, it is not known any more. */
  stateOf(sight, layout, before) {
    const columns = [];
    for (const { place } of places(layout, "disc")) {
      const channel = Number(place.split(".")[0]) - 1;
      columns[channel] = (columns[channel] ?? "") + (sight[place] ?? EMPTY);
    }
    const board = columns.join("|");
    const { well, ...others } = before ?? {};
    return { ...others, board, ...(well !== undefined && board === before.board ? { well } : {}) };
  },

  well(sight) {
    const left = { ...SUPPLY };
    for (const label of Object.values(sight)) if (label in left) left[label] -= 1;
    return left;
  },

  empty: (layout) => ({ board: Array.from(new Set(places(layout, "disc").map(({ place }) => place.split(".")[0])), (channel) => EMPTY.repeat(places(layout, "disc").filter(({ place }) => place.startsWith(`${channel}.`)).length)).join("|") }),
};

const finity = {
  sightOf(state, layout) {
    const lanes = new Map(places(layout, "lane").flatMap((lane) => lane.names.map((name) => [name, lane.place])));
    const sight = {};
    for (const bridge of state.bridges ?? []) {
      const [colour, slot] = split(bridge);
      if (lanes.has(slot)) sight[lanes.get(slot)] = `${colour} ${slot.split(">")[0]}`;
    }
    for (const [player, slots] of Object.entries(state.blockers ?? {}))
      for (const slot of slots) if (lanes.has(slot)) sight[lanes.get(slot)] = `blocker ${player}`;
    for (const [station, rings] of Object.entries(state.rings ?? {}))
      for (const [size, player] of Object.entries(rings)) sight[`${station}.${size}`] = player;
    for (const [player, station] of Object.entries(state.posts ?? {})) sight[`${station}.P`] = player;
    return sight;
  },

  stateOf(sight, layout, before) {
    const bridges = [];
    const rings = {};
    const posts = {};
    const blockers = Object.fromEntries(Object.keys(layout.players).map((player) => [player, []]));
    for (const shape of layout.shapes) {
      const label = sight[shape.place] ?? EMPTY;
      if (label === EMPTY) continue;
      const [first, second] = split(label);
      if (shape.kind === "ring") (rings[shape.station] ??= {})[shape.size] = label;
      else if (shape.kind === "post") posts[label] = shape.place.split(".")[0];
      else if (first === "blocker") blockers[second].push(shape.place);
      else bridges.push(`${first} ${shape.names.find((name) => name.startsWith(`${second}>`))}`);
    }
    const players = before?.players ?? Object.keys(layout.players).length;
    return { ...before, players, bridges, rings, posts, blockers };
  },

  well: () => ({}),

  empty: (layout) => ({ players: Object.keys(layout.players).length, bridges: [], rings: {}, posts: {}, blockers: {} }),
};

const GAMES = { infinity, finity };

function split(text) {
  const at = text.indexOf(" ");
  return [text.slice(0, at), text.slice(at + 1)];
}

/** Labels by place; what is empty may be left out. */
export const sightOf = (game, state, layout) => (state ? GAMES[game].sightOf(state, layout) : {});

/** The reference state of labels by place. @param before keeps what cannot be tapped */
export const stateOf = (game, sight, layout, before) => GAMES[game].stateOf(sight, layout, before);

/** How many pieces of each label lie beside the board, where the board shows it. */
export const wellOf = (game, sight) => GAMES[game].well(sight);

/** The state of the board without pieces. */
export const emptyState = (game, layout) => GAMES[game].empty(layout);

/** A place by its name for people. */
export function placeWords(shape, say) {
  const [first, last] = shape.place.split(".");
  if (shape.kind === "disc") return say("setup.place.slot", { channel: first, slot: last });
  if (shape.kind === "ring") return say(`setup.place.ring.${last}`, { station: first });
  if (shape.kind === "post") return say("setup.place.post", { station: first });
  if (shape.kind === "dial") return say("setup.place.knob");
  return say("setup.place.slot_between", { slot: shape.place });
}

/** A label at a place in words: a bridge says where it leads. */
export function labelWords(shape, label, layout, say) {
  if (label === EMPTY) return say("board.nothing");
  const [colour, tail] = split(label);
  if (shape.kind === "lane" && colour !== "blocker") {
    const tip = shape.names.find((name) => name.startsWith(`${tail}>`))?.slice(tail.length + 1).split(" ")[0];
    return say(`setup.bridge.${colour}`, { tail, tip });
  }
  return layout.labels?.[label]?.name ?? label;
}
