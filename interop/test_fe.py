"""Functional encryption by the equations of its papers, on py_ecc: ciphertexts and keys in both directions.

ALS16 is ePrint 2015/608, section 4; KLMMRW is ePrint 2016/440, section 3. The bytes are those of
docs/book/src/howto/functional-encryption.md.
"""

import hashlib
import json
import os
import secrets
import subprocess
from pathlib import Path

import pytest
from py_ecc.bls.hash_to_curve import hash_to_G1
from py_ecc.bls.point_compression import compress_G1, compress_G2, decompress_G1, decompress_G2
from py_ecc.optimized_bls12_381 import FQ12, G1, G2, Z1, add, curve_order, eq, multiply, neg, pairing

ROOT = Path(__file__).resolve().parent.parent
PAIRWRIGHT = os.environ.get("PAIRWRIGHT_BIN", str(ROOT / "target/debug/pairwright"))

TAG = b"PAIRWRIGHT-FE-ALS16-V01-WITH-BLS12381G1_XMD:SHA-256_SSWU_RO_"
H = hash_to_G1(b"h", TAG, hashlib.sha256)
BOUND = 200
X, Y = [3, -5, 7], [2, 11, 10]
PRODUCT = 21


class Folder:
    """A folder in which the command runs, and its documents."""

    def __init__(self, path):
        self.path = path

    def run(self, line):
        run = subprocess.run([PAIRWRIGHT, *line.split()], cwd=self.path, capture_output=True, text=True, check=False)
        assert run.returncode == 0, run.stderr
        return run.stdout.strip()

    def vector(self, name, values):
        document = {"type": "pairwright fe vector", "version": 1, "values": values}
        (self.path / name).write_text(json.dumps(document))

    def data(self, name, kind):
        """The bytes behind the head of a document."""
        document = json.loads((self.path / name).read_text())
        data = bytes.fromhex(document["data"])
        assert data[:6] == bytes([1, kind, 0, 0, 0, len(X)])
        return data[6:]

    def write(self, name, what, scheme, kind, body):
        data = bytes([1, kind, 0, 0, 0, len(X)]) + body
        document = {
            "type": f"pairwright fe {what}",
            "version": 1,
            "scheme": scheme,
            "dimension": len(X),
            "data": data.hex(),
        }
        (self.path / name).write_text(json.dumps(document))

    def decrypts(self, key, ciphertext):
        return int(self.run(f"fe decrypt {key} {ciphertext} --bound {BOUND}"))


@pytest.fixture
def folder(tmp_path):
    made = Folder(tmp_path)
    made.vector("x.json", X)
    made.vector("y.json", Y)
    return made


def scalars(data):
    return [int.from_bytes(data[i : i + 32], "big") for i in range(0, len(data), 32)]


def g1_points(data):
    return [decompress_G1(int.from_bytes(data[i : i + 48], "big")) for i in range(0, len(data), 48)]


def g2_points(data):
    parts = [int.from_bytes(data[i : i + 48], "big") for i in range(0, len(data), 48)]
    return [decompress_G2(pair) for pair in zip(parts[::2], parts[1::2], strict=True)]


def g1_bytes(points):
    return b"".join(compress_G1(point).to_bytes(48, "big") for point in points)


def g2_bytes(points):
    return b"".join(part.to_bytes(48, "big") for point in points for part in compress_G2(point))


def times(point, k):
    return multiply(point, k % curve_order)


def inner(a, b):
    return sum(x * y for x, y in zip(a, b, strict=True)) % curve_order


def small(start, step, same):
    """The number in the range for which so many steps lead to the target."""
    up, down = start, start
    for z in range(BOUND + 1):
        if same(up):
            return z
        if same(down):
            return -z
        up, down = step(up, 1), step(down, -1)
    raise AssertionError("no result in the range")


def test_public_keys(folder):
    folder.run("fe setup --dimension 3 -o master.json --public public.json")
    master = scalars(folder.data("master.json", 1))
    s, t = master[:3], master[3:]
    public = g1_points(folder.data("public.json", 2))
    for point, s_i, t_i in zip(public, s, t, strict=True):
        assert eq(point, add(times(G1, s_i), times(H, t_i)))

    # The command's key and ciphertext, opened here.
    folder.run("fe derive master.json y.json -o key.json")
    key = folder.data("key.json", 3)
    assert [int.from_bytes(key[8 * i : 8 * i + 8], "big", signed=True) for i in range(3)] == Y
    s_y, t_y = scalars(key[24:])
    assert (s_y, t_y) == (inner(s, Y), inner(t, Y))
    folder.run("fe encrypt public.json x.json -o ciphertext.json")
    c, d, *e = g1_points(folder.data("ciphertext.json", 4))
    total = add(times(c, -s_y), times(d, -t_y))
    for e_i, y_i in zip(e, Y, strict=True):
        total = add(total, times(e_i, y_i))
    assert small(Z1, lambda p, sign: add(p, G1 if sign > 0 else neg(G1)), lambda p: eq(p, total)) == PRODUCT
    assert folder.decrypts("key.json", "ciphertext.json") == PRODUCT

    # A key and a ciphertext of this model, opened by the command.
    r = secrets.randbelow(curve_order)
    model = [times(G1, r), times(H, r)]
    model += [add(times(G1, x_i), times(h_i, r)) for x_i, h_i in zip(X, public, strict=True)]
    folder.write("model.json", "ciphertext", "als16", 4, g1_bytes(model))
    body = b"".join(y.to_bytes(8, "big", signed=True) for y in Y)
    body += b"".join(k.to_bytes(32, "big") for k in (inner(s, Y), inner(t, Y)))
    folder.write("model-key.json", "function key", "als16", 3, body)
    assert folder.decrypts("key.json", "model.json") == PRODUCT
    assert folder.decrypts("model-key.json", "model.json") == PRODUCT


def minor(matrix, row, column):
    return [[x for j, x in enumerate(r) if j != column] for i, r in enumerate(matrix) if i != row]


def determinant(matrix):
    """By the expansion along the first row: another way than elimination."""
    if not matrix:
        return 1
    signed = (entry * (-1) ** j * determinant(minor(matrix, 0, j)) for j, entry in enumerate(matrix[0]))
    return sum(signed) % curve_order


def test_hidden_vectors(folder):
    folder.run("fe setup --scheme klmmrw --dimension 3 -o master.json")
    entries = scalars(folder.data("master.json", 17))
    matrix = [entries[i : i + 3] for i in range(0, 9, 3)]
    det = determinant(matrix)
    # det(B) times the transposed inverse is the matrix of cofactors.
    dual = [[(-1) ** (i + j) * determinant(minor(matrix, i, j)) % curve_order for j in range(3)] for i in range(3)]

    def rotated(vector, by):
        return [sum(v * row[j] for v, row in zip(vector, by, strict=True)) % curve_order for j in range(3)]

    alpha, beta = secrets.randbelow(curve_order), secrets.randbelow(curve_order)
    key = [times(G1, alpha * det)] + [times(G1, alpha * v) for v in rotated(Y, matrix)]
    ciphertext = [times(G2, beta)] + [times(G2, beta * v) for v in rotated(X, dual)]
    folder.write("model-key.json", "function key", "klmmrw", 18, g1_bytes(key))
    folder.write("model.json", "ciphertext", "klmmrw", 19, g2_bytes(ciphertext))
    folder.run("fe derive master.json y.json -o key.json")
    folder.run("fe encrypt master.json x.json -o ciphertext.json")
    assert folder.decrypts("model-key.json", "model.json") == PRODUCT
    assert folder.decrypts("key.json", "model.json") == PRODUCT
    assert folder.decrypts("model-key.json", "ciphertext.json") == PRODUCT

    # The command's key and ciphertext, opened here.
    k1, *k2 = g1_points(folder.data("key.json", 18))
    c1, *c2 = g2_points(folder.data("ciphertext.json", 19))
    base, power = pairing(c1, k1), FQ12.one()
    for k, c in zip(k2, c2, strict=True):
        power *= pairing(c, k)
    inverse = base.inv()
    assert small(FQ12.one(), lambda f, sign: f * (base if sign > 0 else inverse), lambda f: f == power) == PRODUCT
