// Single pieces as SVG, by the shape of their label's look, at the origin. No game is known here.

import { svg } from "./dom.js";

const radians = (deg) => (deg * Math.PI) / 180;
/** A point on a circle; degrees clockwise from the right, as y points down. */
export const onCircle = (x, y, r, deg) => [x + r * Math.cos(radians(deg)), y + r * Math.sin(radians(deg))];
export const points = (...pairs) => pairs.map((pair) => pair.join(",")).join(" ");

const STAR = points(...Array.from({ length: 10 }, (_, point) => onCircle(0, 0, point % 2 ? 0.46 : 0.98, 36 * point - 90)));

const UNKNOWN = { shape: "ball", fill: "#7d8696", shade: "#555c69", ink: "#fff" };

/** How a label looks; one that the layout does not know is shown by itself. */
export const lookOf = (layout, label) => layout.labels?.[label] ?? { ...UNKNOWN, text: label, name: label };

const letter = (look, size, y = 0) => svg("text", { class: "letter", y, "font-size": size, fill: look.ink }, look.text);

/** Each draws a look of some radius; `seat` is the layout's shape that it stands in, where it stands in one. */
const SHAPES = {
  /** A shaded ball with its letter, on a star where it is a Joker. */
  ball: (look, r) => [
    svg("circle", { r, fill: look.shade }),
    svg("circle", { r: r * 0.94, cy: -r * 0.06, fill: look.fill }),
    look.star ? svg("polygon", { points: STAR, transform: `scale(${r * 0.9})`, fill: look.ink }) : null,
    svg("ellipse", { class: "gloss", cx: -r * 0.3, cy: -r * 0.52, rx: r * 0.3, ry: r * 0.17, transform: `rotate(-24 ${-r * 0.3} ${-r * 0.52})` }),
    look.star ? letter({ ...look, ink: look.fill }, r * 0.72, r * 0.04) : letter(look, r * 1.05),
  ],

  /** A flat ring; by itself, as an icon, with the letter in its middle, on its seat with the letter at a side. */
  ring: (look, r, seat) => {
    const inner = seat?.inner_mm ?? r * 0.62;
    const band = r - inner;
    const middle = (r + inner) / 2;
    return [
      svg("circle", { r: middle, fill: "none", stroke: look.shade, "stroke-width": band }),
      svg("circle", { r: middle, fill: "none", stroke: look.fill, "stroke-width": band * 0.8 }),
      seat ? null : svg("circle", { r: inner, fill: look.fill, opacity: 0.001 }),
      seat ? null : svg("text", { class: "letter", "font-size": r * 0.95, fill: "currentColor" }, look.text),
    ];
  },

  square: (look, r) => [
    svg("rect", { x: -r, y: -r, width: 2 * r, height: 2 * r, rx: r * 0.2, fill: look.shade }),
    svg("rect", { x: -r * 0.86, y: -r * 0.86, width: 1.72 * r, height: 1.72 * r, rx: r * 0.14, fill: look.fill }),
    letter(look, r * 1.3),
  ],

  arrow: (look, r, seat, label) => {
    const way = seat?.ways?.[label] ?? 1;
    return [svg("polygon", { class: "arrow", points: arrow(seat?.length_mm ?? 2 * r, seat?.width_mm ?? r, way), fill: look.fill, stroke: look.shade })];
  },
};

/** An arrow with a swallow tail along x; `way` -1 points to the left. */
function arrow(length, width, way) {
  const end = (way * length) / 2;
  const shaft = width * 0.27;
  const head = end - way * width * 0.95;
  const flare = -end + way * width * 0.45;
  const half = [[end, 0], [head, width / 2], [head, shaft], [flare, shaft], [-end, width * 0.44]];
  return points(...half, [-end + way * width * 0.28, 0], ...half.slice(1).reverse().map(([x, y]) => [x, -y]));
}

/** One piece as a group at (x, y). */
export function piece(layout, label, x, y, r, extra = "", seat = null) {
  const look = lookOf(layout, label);
  const turn = look.shape === "arrow" && seat ? ` rotate(${seat.deg})` : "";
  const parts = (SHAPES[look.shape] ?? SHAPES.ball)(look, r, seat, label);
  return svg("g", { class: `piece ${extra}`, transform: `translate(${x} ${y})${turn}`, "data-label": label }, parts);
}

/** A piece by itself, to stand in a line of text; `said` is what it says beside the text, empty where that says all;
 * an arrow points as it would in its place. */
export function pieceIcon(layout, label, said, place = null) {
  const spoken = said ? { role: "img", "aria-label": said } : { "aria-hidden": "true" };
  return svg("svg", { class: "icon", viewBox: "-10 -10 20 20", ...spoken }, piece(layout, label, 0, 0, 9, "", place?.kind === "lane" ? { ...place, length_mm: 19, width_mm: 10 } : null));
}

/** What is seen against the rules, over what should be there. */
export function wrong(layout, label, x, y, r, seat = null) {
  return svg(
    "g",
    { class: "wrong" },
    label === "." ? svg("circle", { class: "wrong-hole", cx: x, cy: y, r: r * 0.9 }) : piece(layout, label, x, y, r, "", seat),
    svg("circle", { class: "wrong-ring", cx: x, cy: y, r: r + 1.4 }),
    svg("text", { class: "wrong-mark", x: x + r * 0.75, y: y - r * 0.75 }, "!"),
  );
}
