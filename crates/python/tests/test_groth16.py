"""Groth16 for the repository's circuits: proofs by this package and by snarkjs, and inputs that have to be refused."""

import json
import re
import sys
from pathlib import Path

import pairwright as pw
import pytest
from conftest import ROOT

sys.path.insert(0, str(ROOT / "bench"))
import processes

CURVES = ["bn128", "bls12381"]


@pytest.fixture(params=CURVES)
def cube(request, vectors) -> Path:
    return vectors / "circom/cube" / request.param


def other(values, by=1):
    return [str(int(values[0]) + by), *values[1:]]


def test_a_circuit_is_proved_and_verified(cube, circuits, vectors, tmp_path):
    source = circuits / "cube" / cube.name
    circuit = pw.Circuit(source / "cube.r1cs", wasm=source / "cube.wasm")
    witness = circuit.witness({"x": 3})
    assert witness.ints()[:2] == [1, 35] and witness.curve == cube.name
    assert bytes(witness) == (vectors / f"witness/cube.{cube.name}.wtns").read_bytes()
    assert circuit.witness(source / "input.json").ints() == witness.ints()
    ptau = vectors / f"circom/ptau/{cube.name}.4.prepared.ptau"
    key = pw.setup(source / "cube.r1cs", tmp_path / "cube.zkey", ptau=ptau)
    assert (key.protocol, key.curve, key.public) == ("groth16", cube.name, 1)
    proved = key.prove(witness)
    assert proved.public == [35]
    assert proved.report["curve"] and len(proved.report.table) > 4
    vkey = key.vkey()
    assert vkey.verify(proved.proof) is True
    # Through the files of snarkjs.
    proved.proof.save(tmp_path / "proof.json", tmp_path / "public.json")
    vkey.save(tmp_path / "vkey.json")
    assert pw.verify(tmp_path / "vkey.json", tmp_path / "public.json", tmp_path / "proof.json") is True


def test_proofs_of_snarkjs_are_accepted(cube):
    vkey = pw.VerifyingKey(cube / "verification_key.json")
    assert vkey.verify(cube / "proof.json", cube / "public.json") is True
    proof = json.loads((cube / "proof.json").read_text())
    assert vkey.verify(proof, [35]) is True
    assert vkey.verify(json.dumps(proof), ["35"]) is True
    assert json.loads(vkey.json()) == json.loads((cube / "verification_key.json").read_text())
    assert json.loads(pw.ProvingKey(cube / "cube.zkey").vkey().json()) == json.loads(vkey.json())


def test_what_is_wrong_is_rejected_and_never_false(cube):
    key = pw.ProvingKey(cube / "cube.zkey")
    vkey, witness = key.vkey(), pw.Witness(cube / "witness.wtns")
    good, again = key.prove(witness).proof, key.prove(witness).proof
    assert good.json() != again.json(), "blinded"
    with pytest.raises(pw.Rejected):
        vkey.verify(good, [36])
    mixed = json.loads(good.json()) | {"pi_a": json.loads(again.json())["pi_a"]}
    with pytest.raises(pw.Rejected):
        vkey.verify(mixed, good.public)
    off_curve = json.loads(good.json())
    off_curve["pi_a"][0] = str(int(off_curve["pi_a"][0]) ^ 1)
    with pytest.raises(pw.Rejected, match="curve"):
        vkey.verify(off_curve, good.public)
    order = {"bn128": pw.bn254, "bls12381": pw.bls12_381}[cube.name].Fr.modulus
    with pytest.raises(pw.FormatError, match="public.*not below"):
        vkey.verify(good.json(), [35 + order])
    with pytest.raises(pw.FormatError, match="public"):
        vkey.verify(good.json(), "[12")
    with pytest.raises(pw.UsageError, match="public values"):
        vkey.verify(good.json())


def test_many_proofs_and_the_index_of_a_bad_one(cube):
    key = pw.ProvingKey(cube / "cube.zkey")
    vkey, witness = key.vkey(), pw.Witness(cube / "witness.wtns")
    proofs = [key.prove(witness).proof for _ in range(4)]
    assert vkey.verify_many(proofs) is True
    assert vkey.verify_many([]) is True
    bad = vkey.proof(proofs[2].json(), [36])
    with pytest.raises(pw.Rejected) as caught:
        vkey.verify_many([proofs[0], proofs[1], bad, proofs[3]])
    assert caught.value.index == 2
    with pytest.raises(pw.Rejected) as caught:
        vkey.verify_many([proofs[0], (proofs[1].json(), ["35", "36"])])
    assert caught.value.index == 1


def test_a_seed_makes_the_proof_of_the_command(cube, tmp_path):
    key, seed = pw.ProvingKey(cube / "cube.zkey"), "00112233445566778899aabbccddeeff"
    proved = key.prove(cube / "witness.wtns", seed=seed)
    assert key.prove(cube / "witness.wtns", seed=bytes.fromhex(seed)).proof.json() == proved.proof.json()
    answer = pw.command(
        "prove", cube / "cube.zkey", cube / "witness.wtns", seed=seed, output=tmp_path / "p", public=tmp_path / "q"
    )
    assert answer["status"] == "ok" and answer["wires"] == key.wires
    assert (tmp_path / "p").read_text() == proved.proof.json()
    with pytest.raises(pw.UsageError, match="16 bytes"):
        key.prove(cube / "witness.wtns", seed="0011")


def test_another_device_makes_the_same_proof(cube):
    key, seed = pw.ProvingKey(cube / "cube.zkey"), bytes(range(16))
    witness = pw.Witness(cube / "witness.wtns")
    proofs = {
        key.prove(witness, seed=seed, **how).proof.json()
        for how in ({}, {"device": "reference"}, {"slots": {"ntt": "reference"}})
    }
    assert len(proofs) == 1
    with pytest.raises(pw.UsageError, match="no device"):
        key.prove(witness, device="abacus")


def test_a_key_is_sent_to_a_board_once(tmp_path):
    """Proofs with the same devices are made on one board: the second proof finds the key in the chip's memory."""
    for name, data in zip(["c.r1cs", "c.wtns"], processes.chain(6, 2), strict=True):
        (tmp_path / name).write_bytes(data)
    key = pw.setup(tmp_path / "c.r1cs", tmp_path / "c.zkey", unsafe_local=True)

    def sent():
        report = key.prove(pw.Witness(tmp_path / "c.wtns"), device="chip").report
        return report["totals"]["to_machine_bytes"]

    first, second, third = sent(), sent(), sent()
    # Points of the key have at least 64 bytes, a witness value has 32.
    assert 0 < second < first / 2 and second == third


def test_multiples_of_a_key_change_no_proof(tmp_path, cube, circuits, vectors):
    """With precomputed multiples the key's points are not read again, and the proofs are the same."""
    for name, data in zip(["c.r1cs", "c.wtns"], processes.chain(8, 2), strict=True):
        (tmp_path / name).write_bytes(data)
    ptau = vectors / f"circom/ptau/{cube.name}.4.prepared.ptau"
    small = circuits / "cube" / cube.name / "cube.r1cs"
    keys = [
        (pw.setup(tmp_path / "c.r1cs", tmp_path / "c.zkey", unsafe_local=True), tmp_path / "c.wtns"),
        (pw.setup(small, tmp_path / "plonk.zkey", ptau=ptau, protocol="plonk"), vectors / f"witness/cube.{cube.name}.wtns"),
    ]
    for key, witness in keys:

        def proved(key=key, witness=witness):
            made = key.prove(pw.Witness(witness), seed=bytes(range(16)))
            points = {"read_a", "read_b_g1", "read_b_g2", "read_c", "read_h", "read_powers"}
            return made.proof.json(), points & {row["operator"] for row in made.report["operators"]}

        (proof, read), nothing, taken = proved(), key.precompute(1), key.precompute()
        assert read and nothing == 0 and taken > 64 * key.domain
        assert proved() == (proof, set()) and key.precompute() == taken
        with pytest.raises(pw.UsageError, match="at least one"):
            key.precompute(0)


def test_files_that_do_not_fit_are_named(vectors, circuits):
    bn128, bls = vectors / "circom/cube/bn128", vectors / "circom/cube/bls12381"
    key = pw.ProvingKey(bn128 / "cube.zkey")
    with pytest.raises(pw.UsageError, match=r"cube\.zkey.*bn128.*bls12381"):
        key.prove(bls / "witness.wtns")
    with pytest.raises(pw.UsageError, match="wires"):
        key.prove(vectors / "witness/chain250.bn128.wtns")
    with pytest.raises(pw.FileError, match=r"no-such\.zkey"):
        pw.ProvingKey("no-such.zkey")
    with pytest.raises(pw.FileError, match=r"no-such\.json"):
        pw.VerifyingKey("no-such.json")
    with pytest.raises(pw.UsageError, match="expected a"):
        pw.ProvingKey(bn128 / "cube.r1cs")
    with pytest.raises(pw.UsageError, match="groth16 on bn128.*groth16 on bls12381"):
        key.vkey().verify(pw.ProvingKey(bls / "cube.zkey").prove(bls / "witness.wtns").proof)
    assert isinstance(pw.FileError("x"), OSError) and isinstance(pw.FormatError("x"), ValueError)


def test_damaged_files_say_where(vectors):
    for name in ["half.zkey", "nvars.zkey"]:
        with pytest.raises(pw.FormatError, match=re.escape(name)):
            pw.ProvingKey(vectors / "corrupt" / name)
    for name in ["short.wtns", "version9.wtns", "value_ge_r.wtns"]:
        with pytest.raises(pw.FormatError, match=re.escape(name)):
            pw.Witness(vectors / "corrupt" / name)


def test_a_witness_that_does_not_satisfy_is_refused(cube):
    data = bytearray((cube / "witness.wtns").read_bytes())
    data[-32] ^= 1
    witness = pw.Witness.from_bytes(bytes(data))
    with pytest.raises(pw.WitnessError, match="constraint"):
        witness.check(cube / "cube.r1cs")
    with pytest.raises(pw.WitnessError, match="does not"):
        pw.ProvingKey(cube / "cube.zkey").prove(witness)


def test_setup_inspect_and_check(cube, circuits, tmp_path, vectors):
    curve = cube.name
    ptau = vectors / f"circom/ptau/{curve}.4.prepared.ptau"
    for protocol in ["groth16", "plonk"] + (["fflonk"] if curve == "bn128" else []):
        # The vectors have 2^4 powers, too few for fflonk.
        how = {"unsafe_local": True} if protocol == "fflonk" else {"ptau": ptau}
        key = pw.setup(cube / "cube.r1cs", tmp_path / f"{protocol}.zkey", protocol=protocol, **how)
        about = key.info()
        assert (about["protocol"], about["curve"]) == (protocol, curve)
        assert key.check() > 10
        proved = key.prove(cube / "witness.wtns")
        assert key.vkey().verify(proved.proof) is True and proved.public == [35]
        assert key.vkey().verify_many([proved.proof, key.prove(cube / "witness.wtns").proof]) is True
        with pytest.raises(pw.Rejected):
            key.vkey().verify(proved.proof.json(), [36])
        if curve == "bn128":
            assert proved.proof.calldata().count("0x") >= 9
