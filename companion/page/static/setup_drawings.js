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
      svg("path", { class: "groove groove-floor", d: "M24 60 A36 30 0 0 0 96 60", "stroke-width": 12 }),
      svg("circle", { class: "knob-rim", cx: 60, cy: 66, r: 9 }),
      [[33, 46, BLUE], [51, 46, YELLOW], [51, 34.5, BLUE], [69, 46, YELLOW], [87, 46, BLUE], [87, 34.5, YELLOW], [28, 70, BLUE], [92, 70, YELLOW], [38, 80, YELLOW], [82, 80, BLUE]].map(([cx, cy, fill]) => svg("circle", { cx, cy, r: 5.2, fill })),
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

/** Where the markers lie: one at each corner, with its number and whether it is seen. */
export function markerDrawing(markers, seen) {
  const corners = [[6, 6], [94, 6], [94, 64], [6, 64]];
  const board = svg("rect", { class: "panel", x: 31, y: 9, width: 58, height: 72, rx: 7 });
  const mat = svg("rect", { class: "setup-mat", x: 1, y: 1, width: 118, height: 88, rx: 4 });
  const squares = markers.map((id, at) => {
    const [x, y] = corners[at] ?? [0, 0];
    return svg(
      "g",
      { class: seen === null ? "setup-marker" : seen.includes(id) ? "setup-marker seen" : "setup-marker missing", transform: `translate(${x} ${y})` },
      svg("rect", { width: 20, height: 20, rx: 1.5 }),
      svg("text", { x: 10, y: seen === null ? 10.5 : 7.5 }, String(id)),
      seen === null ? null : svg("text", { class: "setup-mark", x: 10, y: 15.5 }, seen.includes(id) ? "✓" : "?"),
    );
  });
  return drawing(120, 90, mat, board, squares);
}
