"""No wire of the applications' circuits is free: pytest interop/test_determined.py

A circuit that forgets a constraint still accepts every honest witness; what it loses is that the inputs determine the
other wires. Near a witness they do when the constraints' derivative in those wires has full rank. That is computed
here, with readers of .r1cs and .wtns and an elimination that share no code with the product.
"""

import heapq
import os
import struct
import subprocess
import tempfile
import unittest
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAIRWRIGHT = os.environ.get("PAIRWRIGHT_BIN", str(ROOT / "target/debug/pairwright"))
FIELD = 32  # bytes of an element


def sections(path):
    data = Path(path).read_bytes()
    out, offset = {}, 12
    while offset < len(data):
        kind, size = struct.unpack_from("<IQ", data, offset)
        out[kind] = data[offset + 12 : offset + 12 + size]
        offset += 12 + size
    return out


def little(data, offset):
    return int.from_bytes(data[offset : offset + FIELD], "little")


class Circuit:
    """Constraints as three lists of (wire, coefficient) each, and which wires are inputs."""

    def __init__(self, path):
        part = sections(path)
        self.p = little(part[1], 4)
        self.wires, outputs, public, private = struct.unpack_from("<4I", part[1], 4 + FIELD)
        (count,) = struct.unpack_from("<I", part[1], 28 + FIELD)
        labels = struct.unpack(f"<{self.wires}Q", part[3])
        # Labels: 0 is the constant one, then the outputs and the inputs of the main component, then all the rest.
        self.inputs = {w for w, label in enumerate(labels) if outputs < label <= outputs + public + private}
        self.constraints, offset = [], 0
        for _ in range(count):
            sides = []
            for _ in range(3):
                (terms,) = struct.unpack_from("<I", part[2], offset)
                offset += 4
                side = []
                for _ in range(terms):
                    side.append((struct.unpack_from("<I", part[2], offset)[0], little(part[2], offset + 4)))
                    offset += 4 + FIELD
                sides.append(side)
            self.constraints.append(sides)

    def derivative(self, witness):
        """A row per constraint: the derivative of a b - c in every wire that is neither constant nor an input."""
        rows = []
        for a, b, c in self.constraints:
            at = [sum(x * witness[w] for w, x in side) % self.p for side in (a, b, c)]
            assert (at[0] * at[1] - at[2]) % self.p == 0
            row = defaultdict(int)
            for side, factor in ((a, at[1]), (b, at[0]), (c, -1)):
                for wire, x in side:
                    row[wire] += x * factor
            rows.append({w: x % self.p for w, x in row.items() if x % self.p and w and w not in self.inputs})
        return rows


def rank(rows, p):
    """Sparse elimination: the shortest row next, and in it the column that fewest others have."""
    rows = [dict(row) for row in rows]
    users = defaultdict(set)
    for i, row in enumerate(rows):
        for column in row:
            users[column].add(i)
    queue = [(len(row), i) for i, row in enumerate(rows) if row]
    heapq.heapify(queue)
    used = set()
    while queue:
        size, i = heapq.heappop(queue)
        if i in used or size != len(rows[i]):
            continue
        used.add(i)
        column = min(rows[i], key=lambda c: len(users[c]))
        inverse = pow(rows[i][column], -1, p)
        for j in [j for j in users[column] if j != i]:
            factor = rows[j][column] * inverse % p
            for c, x in rows[i].items():
                rows[j][c] = (rows[j].get(c, 0) - factor * x) % p
                users[c].add(j)
                if rows[j][c] == 0:
                    del rows[j][c]
                    users[c].discard(j)
            if rows[j] and j not in used:
                heapq.heappush(queue, (len(rows[j]), j))
        for c in rows[i]:
            users[c].discard(i)
    return len(used)


class Determined(unittest.TestCase):
    def rows(self, folder, name):
        at = ROOT / "circuits/apps" / folder / "bls12381"
        with tempfile.TemporaryDirectory() as scratch:
            wtns = Path(scratch) / "w.wtns"
            command = [PAIRWRIGHT, "witness", at / f"{name}.wasm", at / "input.json", "-o", wtns]
            subprocess.run(command, check=True, capture_output=True)
            values = sections(wtns)[2]
        witness = [little(values, i) for i in range(0, len(values), FIELD)]
        circuit = Circuit(at / f"{name}.r1cs")
        self.assertEqual(circuit.wires, len(witness))
        return circuit, circuit.derivative(witness)

    def test_applications(self):
        for folder, name in (("merkle", "tree8"), ("sudoku", "sudoku1"), ("rollup", "rollup1")):
            with self.subTest(name):
                circuit, rows = self.rows(folder, name)
                self.assertEqual(rank(rows, circuit.p), circuit.wires - 1 - len(circuit.inputs))

    def test_a_missing_constraint_is_noticed(self):
        circuit, rows = self.rows("merkle", "tree8")
        free = circuit.wires - 1 - len(circuit.inputs)
        for i in (0, len(rows) // 2, len(rows) - 1):
            self.assertEqual(rank(rows[:i] + rows[i + 1 :], circuit.p), free - 1)


if __name__ == "__main__":
    unittest.main()
