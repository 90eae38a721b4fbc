// The map of one plane onto another, given by four points: what a camera does with a flat board.

/** The eight numbers of the map that takes each of four points to its fellow; null where there is none. */
export function homography(from, to) {
  const rows = from.flatMap(([x, y], at) => {
    const [u, v] = to[at];
    return [
      [x, y, 1, 0, 0, 0, -u * x, -u * y, u],
      [0, 0, 0, x, y, 1, -v * x, -v * y, v],
    ];
  });
  return solved(rows);
}

/** A point under such a map. */
export function mapped(h, [x, y]) {
  const w = h[6] * x + h[7] * y + 1;
  return [(h[0] * x + h[1] * y + h[2]) / w, (h[3] * x + h[4] * y + h[5]) / w];
}

/** Solve n linear equations of n numbers, each row with its right side last (Gauss, with pivots). */
function solved(rows) {
  const n = rows.length;
  for (let column = 0; column < n; column += 1) {
    let pivot = column;
    for (let row = column + 1; row < n; row += 1) if (Math.abs(rows[row][column]) > Math.abs(rows[pivot][column])) pivot = row;
    if (Math.abs(rows[pivot][column]) < 1e-9) return null; // three points in a line
    [rows[column], rows[pivot]] = [rows[pivot], rows[column]];
    for (let row = 0; row < n; row += 1) {
      if (row === column) continue;
      const factor = rows[row][column] / rows[column][column];
      for (let k = column; k <= n; k += 1) rows[row][k] -= factor * rows[column][k];
    }
  }
  return rows.map((row, at) => row[n] / row[at]);
}
