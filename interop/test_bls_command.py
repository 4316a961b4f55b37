"""BLS signatures of the command against py_ecc's: three schemes, aggregates, proofs of possession, keys from material."""

import json
import os
import secrets
import subprocess
from pathlib import Path

import pytest
from py_ecc.bls import G2Basic, G2MessageAugmentation, G2ProofOfPossession

ROOT = Path(__file__).resolve().parent.parent
SCHEMES = {"basic": G2Basic, "aug": G2MessageAugmentation, "pop": G2ProofOfPossession}


def binary():
    """PAIRWRIGHT_BIN, else the newest of the release and the debug build."""
    if "PAIRWRIGHT_BIN" in os.environ:
        return os.environ["PAIRWRIGHT_BIN"]
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    built = [target / profile / "pairwright" for profile in ("release", "debug")]
    return max((path for path in built if path.exists()), key=lambda path: path.stat().st_mtime)


def run(folder, *words):
    return subprocess.run([binary(), "--json", "bls", *map(str, words)], cwd=folder, capture_output=True, text=True, check=False)


def ok(folder, *words):
    done = run(folder, *words)
    assert done.returncode == 0, done.stdout
    return json.loads(done.stdout)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_signatures_are_the_same(tmp_path, scheme):
    peer = SCHEMES[scheme]
    keys, signatures, lines, messages = [], [], "", []
    for index in range(2):
        material = secrets.token_bytes(32)
        (tmp_path / "material").write_bytes(material)
        made = ok(tmp_path, "keygen", "--material", "material", "--info", "i", "-o", f"k{index}")
        secret = peer.KeyGen(material, b"i")
        key = peer.SkToPk(secret)
        assert made["public_key"] == key.hex()
        message = secrets.token_bytes(20 * index)
        (tmp_path / f"m{index}").write_bytes(message)
        signature = ok(tmp_path, "sign", f"k{index}", f"m{index}", "--scheme", scheme)["signature"]
        assert signature == peer.Sign(secret, message).hex()
        assert peer.Verify(key, message, bytes.fromhex(signature))
        ok(tmp_path, "verify", key.hex(), f"m{index}", signature, "--scheme", scheme)
        keys.append(key)
        messages.append(message)
        signatures.append(signature)
        lines += f"{key.hex()} m{index}\n"
    (tmp_path / "list").write_text(lines)
    whole = ok(tmp_path, "aggregate", *signatures, "--scheme", scheme)["signature"]
    assert whole == peer.Aggregate([bytes.fromhex(s) for s in signatures]).hex()
    assert peer.AggregateVerify(keys, messages, bytes.fromhex(whole))
    proved = ["--proved"] if scheme == "pop" else []
    ok(tmp_path, "aggregate-verify", "list", whole, "--scheme", scheme, *proved)
    assert run(tmp_path, "aggregate-verify", "list", signatures[0], "--scheme", scheme, *proved).returncode == 1


def test_proofs_of_possession_and_one_message(tmp_path):
    peer = G2ProofOfPossession
    (tmp_path / "m").write_bytes(b"one message")
    documents, signatures, keys = [], [], []
    for index in range(2):
        ok(tmp_path, "keygen", "-o", f"k{index}")
        secret = int(json.loads((tmp_path / f"k{index}").read_text())["secret_key"], 16)
        proof = ok(tmp_path, "pop-prove", f"k{index}", "-o", f"p{index}")["proof_of_possession"]
        keys.append(peer.SkToPk(secret))
        assert proof == peer.PopProve(secret).hex()
        assert peer.PopVerify(keys[-1], bytes.fromhex(proof))
        signatures.append(ok(tmp_path, "sign", f"k{index}", "m", "--scheme", "pop")["signature"])
        documents.append(f"p{index}")
    whole = ok(tmp_path, "aggregate", *signatures, "--scheme", "pop")["signature"]
    assert peer.FastAggregateVerify(keys, b"one message", bytes.fromhex(whole))
    ok(tmp_path, "fast-aggregate-verify", "m", whole, *documents)
    assert run(tmp_path, "fast-aggregate-verify", "m", whole, documents[0]).returncode == 1
