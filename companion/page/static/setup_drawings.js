// Little drawings: each game, where markers go, a tower of cones. They say nothing that does not stand in words beside.

import { svg } from "./dom.js";
import { points } from "./pieces.js";

const BLUE = "#2f5fd0";
const YELLOW = "#f5c518";

const drawing = (width, height, ...parts) => svg("svg", { viewBox: `0 0 ${width} ${height}`, class: "setup-drawing", "aria-hidden": "true" }, parts);

export const GAME_DRAWINGS = {
  infinity: () =>
    drawing(
      120,
      90,
      svg("rect", { class: "panel", x: 12, y: 2, width: 96, height: 86, rx: 10 }),
      [0, 1, 2, 3].map((channel) => svg("line", { class: "groove groove-floor", x1: 33 + 18 * channel, x2: 33 + 18 * channel, y1: 12, y2: 46, "stroke-width": 12 })),
      svg("path", { class: "groove groove-floor", d: "M26 57 A34 23 0 0 0 94 57", "stroke-width": 11 }),
      svg("circle", { class: "knob-rim", cx: 60, cy: 61, r: 8 }),
      [[33, 46, BLUE], [51, 46, YELLOW], [51, 34.5, BLUE], [69, 46, YELLOW], [87, 46, BLUE], [87, 34.5, YELLOW], [28, 65, BLUE], [92, 65, YELLOW], [37, 74, BLUE], [83, 74, YELLOW], [49, 79, BLUE], [71, 79, YELLOW]].map(([cx, cy, fill]) => svg("circle", { cx, cy, r: 5, fill })),
    ),
  finity: () =>
    drawing(
      120,
      90,
      [[60, 45], [60, 17], [60, 73], [35.7, 31], [84.3, 31], [35.7, 59], [84.3, 59]].map(([x, y]) => [svg("polygon", { class: "tile", points: hexagon(x, y, 16) }), svg("polygon", { class: "tile-face", points: hexagon(x, y, 15) })]),
      [13, 10, 7, 4].map((r, level) => svg("circle", { cx: 60, cy: 45, r, fill: level % 2 ? "#f7f8fa" : "#16191f", stroke: "#8b95a6", "stroke-width": 0.5 })),
      [[60, 17, "#2bb8dd"], [84.3, 31, "#2bb8dd"], [60, 73, YELLOW], [35.7, 59, YELLOW]].map(([cx, cy, stroke]) => svg("circle", { cx, cy, r: 7, fill: "none", stroke, "stroke-width": 3.4 })),
      [[72, 24, 30, "#16191f"], [84.3, 45, 90, "#f7f8fa"], [48, 66, 210, "#f7f8fa"]].map(([x, y, deg, fill]) => svg("polygon", { class: "arrow", points: "-8,-2 3,-2 3,-4.5 9,0 3,4.5 3,2 -8,2 -6,0", fill, stroke: "#20252e", transform: `translate(${x} ${y}) rotate(${deg})` })),
    ),
};

const hexagon = (x, y, r) => points(...[0, 60, 120, 180, 240, 300].map((deg) => [x + r * Math.cos((deg * Math.PI) / 180), y + r * Math.sin((deg * Math.PI) / 180)]));

/** For each game what lies between the markers, the rectangle of the markers [x, y, width, height], and a marker's side. */
const MATS = {
  infinity: { corners: [[27, 3, 66, 84], 14], parts: () => svg("rect", { class: "panel", x: 24, y: 0, width: 72, height: 90, rx: 7 }) },
  finity: {
    corners: [[4, 4, 112, 82], 18],
    parts: () => [
      svg("rect", { class: "setup-mat", x: 1, y: 1, width: 118, height: 88, rx: 3 }),
      [[60, 45], [60, 26], [60, 64], [43.5, 35.5], [76.5, 35.5], [43.5, 54.5], [76.5, 54.5], [27, 45], [93, 45]].map(([x, y]) => svg("polygon", { class: "tile-face setup-tile", points: hexagon(x, y, 10.6) })),
    ],
  },
};

/** Where the markers lie: one at each corner, with its number and whether it is seen. @param seen null where nobody looks */
export function markerDrawing(game, markers, seen) {
  const { corners: [[left, top, width, height], side], parts } = MATS[game] ?? MATS.infinity;
  const places = [[left, top], [left + width - side, top], [left + width - side, top + height - side], [left, top + height - side]];
  const squares = markers.slice(0, places.length).map((id, at) => {
    const found = seen?.includes(id);
    return svg(
      "g",
      { class: `setup-marker ${seen === null ? "" : found ? "seen" : "missing"}`, transform: `translate(${places[at].join(" ")})` },
      svg("rect", { width: side, height: side, rx: 1.5 }),
      svg("text", { x: side / 2, y: side * (seen === null ? 0.53 : 0.37), "font-size": side * 0.5 }, String(id)),
      seen === null ? null : svg("text", { x: side / 2, y: side * 0.77, "font-size": side * 0.36 }, found ? "✓" : "?"),
    );
  });
  return drawing(120, 90, parts(), squares);
}
