// 90 puzzles.
pragma circom 2.0.0;

include "sudoku.circom";

component main = SudokuBatch(90);
