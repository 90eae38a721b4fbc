// What stands at a ring beside its colour: the letter, whether it is threatened, whether it must go.

import { svg } from "./dom.js";
import { lookOf, onCircle } from "./pieces.js";

/** The letter on a ring, in a disc, or in a diamond where the next move could cut the ring off. */
export function badge(layout, seat, label, threatened) {
  const look = lookOf(layout, label);
  const [x, y] = spot(seat, seat.badge_deg);
  const r = (seat.r_mm - seat.inner_mm) * 0.98;
  const frame = { class: "badge", fill: look.fill, stroke: look.shade };
  return svg(
    "g",
    { class: threatened ? "threatened" : "", transform: `translate(${x} ${y})` },
    threatened
      ? svg("rect", { ...frame, x: -r, y: -r, width: 2 * r, height: 2 * r, rx: r * 0.18, transform: "rotate(45)" })
      : svg("circle", { ...frame, r }),
    svg("text", { class: "letter", "font-size": r * 1.45, fill: look.ink }, look.text),
  );
}

/** A ring that must leave the board: it lies there still, broken, with a cross. */
export function cutOff(layout, seat, player) {
  const look = lookOf(layout, player);
  const [x, y] = spot(seat, seat.badge_deg + 180);
  const band = seat.r_mm - seat.inner_mm;
  const circle = { cx: seat.x_mm, cy: seat.y_mm, r: (seat.r_mm + seat.inner_mm) / 2 };
  return svg(
    "g",
    { class: "orphan" },
    svg("circle", { ...circle, class: "orphan-ring", stroke: look.fill, "stroke-width": band * 0.8 }),
    svg("circle", { ...circle, class: "orphan-edge", r: seat.r_mm }),
    svg("circle", { ...circle, class: "orphan-edge", r: seat.inner_mm }),
    badge(layout, seat, player, false),
    svg("circle", { class: "orphan-mark", cx: x, cy: y, r: band }),
    svg("text", { class: "orphan-cross", x, y, "font-size": band * 1.5 }, "✕"),
  );
}

const spot = (seat, deg) => onCircle(seat.x_mm, seat.y_mm, (seat.r_mm + seat.inner_mm) / 2, deg);
