// The places of a board in words.

import { say } from "./texts.js";

const LANE = /^(\w+)>(\w+) ([LMR])$/;
const SEAT = /^(\w+)\.([SMLP])$/;

/** A place in words. */
export function placeWords(place) {
  const [, from, to, side] = LANE.exec(place) ?? [];
  if (from) return say("pick.lane", { from, to, side: say(`pick.side.${side}`) });
  const [, station, size] = SEAT.exec(place) ?? [];
  if (size) return size === "P" ? say("pick.post", { station }) : say("pick.ring", { station, size: say(`size.${size}`) });
  return place;
}
