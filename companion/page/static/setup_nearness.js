// Which place of a board is meant: the one nearest to a tap, or the next one in the way of an arrow key.

const SIDEWAYS = 2.5; // how much further something at the side of an arrow's way counts

const radians = (deg) => (deg * Math.PI) / 180;

/** How far a point lies from a place, in mm of the drawing; 0 within it. */
export function distance(shape, x, y) {
  const [dx, dy] = [x - shape.x_mm, y - shape.y_mm];
  const r = Math.hypot(dx, dy);
  if (shape.kind === "lane") {
    const [cos, sin] = [Math.cos(radians(-shape.deg)), Math.sin(radians(-shape.deg))];
    const [along, across] = [dx * cos - dy * sin, dx * sin + dy * cos].map(Math.abs);
    return Math.hypot(Math.max(0, along - shape.length_mm / 2), Math.max(0, across - shape.width_mm / 2));
  }
  if (shape.inner_mm) return Math.max(0, r - shape.r_mm, shape.inner_mm - r);
  return Math.max(0, r - shape.r_mm);
}

/** The place that is nearest in a direction; the same where there is none. */
export function neighbour(shapes, place, [dx, dy]) {
  const [fromX, fromY] = spot(shapes.find((each) => each.place === place));
  let best = place;
  let least = Infinity;
  for (const each of shapes) {
    const [x, y] = spot(each);
    const along = (x - fromX) * dx + (y - fromY) * dy;
    const far = along + SIDEWAYS * Math.abs((x - fromX) * dy - (y - fromY) * dx);
    if (along > 0.01 && far < least) [best, least] = [each.place, far];
  }
  return best;
}

/** Where a place counts as lying; the rings of a station lie one inside the other, so each counts at its letter. */
function spot(shape) {
  if (shape.badge_deg === undefined) return [shape.x_mm, shape.y_mm];
  const r = (shape.r_mm + shape.inner_mm) / 2;
  return [shape.x_mm + r * Math.cos(radians(shape.badge_deg)), shape.y_mm + r * Math.sin(radians(shape.badge_deg))];
}
