// Sudoku puzzles with one solution, from a seed.
import { shuffled } from "./draw.mjs";

const units = Array.from({ length: 81 }, (_, c) => {
  const [row, column] = [Math.floor(c / 9), c % 9];
  return [row, 9 + column, 18 + 3 * Math.floor(row / 3) + Math.floor(column / 3)];
});

/** Up to `limit` solutions of a grid (81 digits, 0 for an empty cell); digits are tried in the given order. */
export function solutions(grid, limit, order = [0, 1, 2, 3, 4, 5, 6, 7, 8]) {
  const [cells, used, found] = [[...grid], new Array(27).fill(0), []];
  for (let c = 0; c < 81; c++) if (cells[c]) for (const u of units[c]) used[u] |= 1 << cells[c];
  const search = () => {
    // The empty cell with the fewest candidates.
    let [best, candidates, fewest] = [-1, 0, 10];
    for (let c = 0; c < 81 && fewest > 1; c++) {
      if (cells[c]) continue;
      const free = 0x3fe & ~(used[units[c][0]] | used[units[c][1]] | used[units[c][2]]);
      let count = 0;
      for (let rest = free; rest; rest &= rest - 1) count++;
      if (count < fewest) [best, candidates, fewest] = [c, free, count];
    }
    if (best < 0) return found.push([...cells]) >= limit;
    for (const d of order) {
      const bit = 1 << (d + 1);
      if (!(candidates & bit)) continue;
      cells[best] = d + 1;
      for (const u of units[best]) used[u] ^= bit;
      if (search()) return true;
      cells[best] = 0;
      for (const u of units[best]) used[u] ^= bit;
    }
    return false;
  };
  search();
  return found;
}

/** A full grid, and the clues that are left when every cell is emptied whose clue is not needed. */
export function puzzle(...labels) {
  // A shuffled first row, and the other digits in shuffled order.
  const first = shuffled(9, ...labels, "row").map((d) => d + 1);
  const [solution] = solutions([...first, ...new Array(72).fill(0)], 1, shuffled(9, ...labels, "digits"));
  const clues = [...solution];
  for (const c of shuffled(81, ...labels, "cells")) {
    clues[c] = 0;
    if (solutions(clues, 2).length > 1) clues[c] = solution[c];
  }
  return { clues, solution };
}
