// The places of a board in words, what lies at one in words, and the pieces that lie beside the board.

const EMPTY = ".";
const MARBLES = { B: 8, K: 1, Y: 8, W: 1 }; // of Infinity, all in the well that are not on the board

/** How many pieces of each label lie beside the board, where the board shows it. */
export function piecesLeft(layout, sight) {
  if (!layout.shapes?.some(({ kind }) => kind === "well")) return {};
  const left = { ...MARBLES };
  // More may have been entered than a set has: whoever sees it can mend it.
  for (const label of Object.values(sight)) if (left[label] > 0) left[label] -= 1;
  return left;
}

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
  const [colour, tail] = label.split(" ");
  if (shape.kind === "lane" && colour !== "blocker") {
    const tip = shape.names.find((name) => name.startsWith(`${tail}>`))?.slice(tail.length + 1).split(" ")[0];
    return say(`setup.bridge.${colour}`, { tail, tip });
  }
  return layout.labels?.[label]?.name ?? label;
}

/** A stop of the knob in words. */
export function stopWords(dial, stop, say) {
  const text = dial.stops.find((each) => each.stop === stop)?.text ?? String(stop);
  if (stop === 0) return say("setup.stop.even");
  if (stop === Math.max(...dial.stops.map((each) => each.stop))) return say("setup.stop.infinity");
  return say(stop > 0 ? "setup.stop.clockwise" : "setup.stop.counter", { text });
}
