// A batch of Sudoku puzzles: the prover knows a solution of each.
pragma circom 2.0.0;

include "../../poseidon/poseidon.circom";

// One puzzle. clues[c] is the digit given in cell c (row by row), or 0 where the cell is empty; is[c][d] is 1 when
// the solution has digit d + 1 in cell c. `digest` = Poseidon2 of the clues of cells 0 to 40 and 41 to 80, each
// packed four bits a cell, lowest cell lowest.
//
// A digit d weighs 16^d, so nine cells hold the digits 1 to 9 exactly when they weigh 1 + 16 + ... + 16^8: no digit
// can occur 16 times. The constraint is squared: as a linear one it would be eliminated, and leave long rows.
template Sudoku() {
    signal input clues[81];
    signal input is[81][9];
    signal output digest;

    var weight[81];
    for (var c = 0; c < 81; c++) {
        var digit = 0;
        var times = 0;
        weight[c] = 0;
        for (var d = 0; d < 9; d++) {
            is[c][d] * (is[c][d] - 1) === 0;
            digit += (d + 1) * is[c][d];
            times += is[c][d];
            weight[c] += (1 << (4 * d)) * is[c][d];
        }
        (times - 1) * (times - 1) === 0;
        // A clue is 0 or the digit of the solution, hence below 10: packing is injective.
        clues[c] * (clues[c] - digit) === 0;
    }

    var whole = (1 << 36) \ 15;
    for (var g = 0; g < 9; g++) {
        var row = -whole;
        var column = -whole;
        var box = -whole;
        for (var i = 0; i < 9; i++) {
            row += weight[9 * g + i];
            column += weight[9 * i + g];
            box += weight[9 * (3 * (g \ 3) + i \ 3) + 3 * (g % 3) + i % 3];
        }
        row * row === 0;
        column * column === 0;
        box * box === 0;
    }

    var packed[2] = [0, 0];
    for (var c = 0; c < 41; c++) {
        packed[0] += (1 << (4 * c)) * clues[c];
    }
    for (var c = 41; c < 81; c++) {
        packed[1] += (1 << (4 * (c - 41))) * clues[c];
    }
    component hash = Poseidon2();
    hash.left <== packed[0];
    hash.right <== packed[1];
    digest <== hash.out;
}

// `puzzles` is the hash of all clues: from 0, Poseidon2 of what was hashed so far and the next puzzle's digest.
template SudokuBatch(count) {
    signal input clues[count][81];
    signal input is[count][81][9];
    signal output puzzles;

    component puzzle[count];
    component chain[count];
    var sum = 0;
    for (var i = 0; i < count; i++) {
        puzzle[i] = Sudoku();
        puzzle[i].clues <== clues[i];
        puzzle[i].is <== is[i];
        chain[i] = Poseidon2();
        chain[i].left <== sum;
        chain[i].right <== puzzle[i].digest;
        sum = chain[i].out;
    }
    puzzles <== sum;
}
