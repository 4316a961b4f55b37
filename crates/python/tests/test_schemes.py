"""BLS signatures, identity-based encryption and KZG, compared with py_ecc, blspy and published vectors."""

import gzip
import json

import blspy
import pairwright as pw
import pytest
from py_ecc.bls import G2ProofOfPossession as peer

SECRETS = [bytes([0] * 31 + [i]) for i in range(1, 5)]


@pytest.fixture(scope="module")
def signers():
    return [pw.bls.SecretKey(secret) for secret in SECRETS]


def test_signatures_are_those_of_py_ecc(signers):
    message = b"a message"
    for secret, signer in zip(SECRETS, signers):
        number = int.from_bytes(secret, "big")
        assert signer.public_key() == peer.SkToPk(number)
        assert signer.sign(message) == peer.Sign(number, message)
    assert signers[0].prove_possession() == peer.PopProve(1)
    assert bytes(pw.bls.SecretKey.key_gen(bytes(range(32)))) == peer.KeyGen(bytes(range(32))).to_bytes(32, "big")
    aggregate = pw.bls.aggregate([signer.sign(message) for signer in signers])
    assert aggregate == peer.Aggregate([peer.Sign(int.from_bytes(s, "big"), message) for s in SECRETS])
    assert pw.bls.verify_same_message([s.public_key() for s in signers], message, aggregate) is True


def test_signatures_of_blspy_are_accepted():
    messages = [bytes([i]) * 8 for i in range(8)]
    signed = []
    for i, message in enumerate(messages):
        key = blspy.PopSchemeMPL.key_gen(bytes([i]) * 32)
        signed.append((bytes(key.get_g1()), message, bytes(blspy.PopSchemeMPL.sign(key, message))))
    assert all(pw.bls.verify(*item) is True for item in signed)
    assert pw.bls.verify_many(signed) is True and pw.bls.verify_many([]) is True
    bad = [*signed[:5], (signed[5][0], b"another", signed[5][2]), *signed[6:]]
    with pytest.raises(pw.Rejected) as caught:
        pw.bls.verify_many(bad)
    assert caught.value.index == 5
    with pytest.raises(pw.Rejected) as caught:
        pw.bls.verify_many([*signed[:3], (signed[3][0], signed[3][1], bytes(96))])
    assert caught.value.index == 3
    keys, texts = [item[0] for item in signed], [item[1] for item in signed]
    together = pw.bls.aggregate(item[2] for item in signed)
    assert together == bytes(blspy.PopSchemeMPL.aggregate([blspy.G2Element.from_bytes(item[2]) for item in signed]))
    assert pw.bls.verify_aggregate(keys, texts, together) is True
    with pytest.raises(pw.Rejected):
        pw.bls.verify_aggregate(keys, texts[::-1], together)


@pytest.mark.parametrize("variant", ["min-pk", "min-sig"])
@pytest.mark.parametrize("scheme", ["possession", "basic", "augmentation"])
def test_every_variant_and_scheme(variant, scheme):
    secret = pw.bls.SecretKey()
    public = secret.public_key(variant=variant)
    signature = pw.bls.sign(bytes(secret), b"m", scheme=scheme, variant=variant)
    assert (len(public), len(signature)) == ((48, 96) if variant == "min-pk" else (96, 48))
    assert pw.bls.verify(public, b"m", signature, scheme=scheme, variant=variant) is True
    with pytest.raises(pw.Rejected):
        pw.bls.verify(public, b"n", signature, scheme=scheme, variant=variant)
    assert pw.bls.verify_possession(public, secret.prove_possession(variant=variant), variant=variant) is True


def test_what_is_no_key_and_no_signature(signers):
    public, signature = signers[0].public_key(), signers[0].sign(b"m")
    with pytest.raises(pw.Rejected, match="signature"):
        pw.bls.verify(public, b"m", signature[:-1])
    with pytest.raises(pw.UsageError, match="public key"):
        pw.bls.verify(bytes([0xC0]) + bytes(47), b"m", signature)
    with pytest.raises(pw.UsageError, match="secret key"):
        pw.bls.SecretKey(bytes(32))
    with pytest.raises(pw.UsageError, match="32"):
        pw.bls.SecretKey.key_gen(b"short")
    with pytest.raises(pw.UsageError, match="min-pk"):
        signers[0].sign(b"m", variant="max-pk")
    with pytest.raises(pw.UsageError, match="possession"):
        signers[0].sign(b"m", scheme="none")
    with pytest.raises(pw.UsageError, match="no signatures"):
        pw.bls.aggregate([])
    assert "01" not in repr(signers[0])


@pytest.mark.parametrize("variant", ["min-pk", "min-sig"])
def test_encryption_to_identities(variant):
    master = pw.bls.SecretKey()
    public = master.public_key(variant=variant)
    sealed = pw.ibe.encrypt(public, b"alice", b"sixteen byte key", variant=variant)
    key = pw.ibe.extract(master, b"alice", variant=variant)
    assert pw.ibe.decrypt(key, sealed, variant=variant) == b"sixteen byte key"
    with pytest.raises(pw.Rejected):
        pw.ibe.decrypt(pw.ibe.extract(master, b"bob", variant=variant), sealed, variant=variant)
    with pytest.raises(pw.Rejected):
        pw.ibe.decrypt(key, sealed[:-1] + bytes([sealed[-1] ^ 1]), variant=variant)
    with pytest.raises(pw.UsageError, match="16 to 32"):
        pw.ibe.encrypt(public, b"alice", b"short", variant=variant)
    with pytest.raises(pw.UsageError, match="ciphertext"):
        pw.ibe.decrypt(key, b"nothing", variant=variant)


def test_a_round_of_drand_opens_what_was_locked_to_it(vectors):
    case = json.loads((vectors / "tlock/fastnet_1000.json").read_text())
    signature, sealed = bytes.fromhex(case["signature"]), bytes.fromhex(case["ibe_ciphertext"])
    assert pw.tlock.decrypt(signature, sealed) == bytes.fromhex(case["ibe_plaintext"])
    # By mistake, this network hashes to G1 with the domain separation tag of G2; this cannot be changed any more.
    tag = b"BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_NUL_"
    ours = pw.tlock.encrypt(bytes.fromhex(case["public_key"]), case["round"], bytes(range(16)), tag=tag)
    assert pw.tlock.decrypt(signature, ours) == bytes(range(16))
    early = pw.tlock.encrypt(bytes.fromhex(case["public_key"]), 999, bytes(16), tag=tag)
    with pytest.raises(pw.Rejected):
        pw.tlock.decrypt(signature, early)


@pytest.fixture(scope="module")
def blobs(vectors):
    return pw.kzg.Blobs(vectors / "kzg/trusted_setup.json.gz")


def test_blobs_are_those_of_the_specification(blobs, vectors):
    """Every case of ethereum/consensus-spec-tests: its result, or its refusal."""
    known = json.loads(gzip.decompress((vectors / "kzg/cases.json.gz").read_bytes()))

    def data(name, value):
        if name.startswith("blob"):
            value = known["blobs"][value]
        return bytes.fromhex(value.removeprefix("0x"))

    functions = {
        "blob_to_kzg_commitment": blobs.commit,
        "compute_kzg_proof": blobs.prove,
        "compute_blob_kzg_proof": blobs.prove_blob,
        "verify_kzg_proof": blobs.verify,
        "verify_blob_kzg_proof": blobs.verify_blob,
        "verify_blob_kzg_proof_batch": lambda *lists: blobs.verify_blobs(zip(*lists, strict=True)),
    }
    checked = 0
    for case in known["cases"]:
        arguments = {
            name: [data(name, item) for item in value] if isinstance(value, list) else data(name, value)
            for name, value in case["input"].items()
        }
        call, output = functions[case["operation"]], case["output"]
        if output is None:
            with pytest.raises((pw.UsageError, ValueError)):
                call(*arguments.values())
        elif output is False:
            with pytest.raises(pw.Rejected):
                call(*arguments.values())
        else:
            given = call(*arguments.values())
            if output is True:
                assert given is True
            elif isinstance(output, list):
                assert ["0x" + item.hex() for item in given] == output
            else:
                assert "0x" + given.hex() == output
        checked += 1
    assert checked == 240


def test_blobs_that_are_none(blobs):
    blob = b"".join(bytes([0]) + bytes([i % 256]) * 31 for i in range(4096))
    commitment = blobs.commit(blob)
    proof = blobs.prove_blob(blob, commitment)
    assert blobs.verify_blobs([(blob, commitment, proof)] * 2) is True
    with pytest.raises(pw.Rejected):
        blobs.verify_blob(blob[:-1] + b"\x01", commitment, proof)
    for call, why in [
        (lambda: blobs.commit(blob[:-1]), "131072"),
        (lambda: blobs.verify_blob(blob, commitment[:-1], proof), "commitment"),
        (lambda: blobs.commit(b"\xff" * 131072), "element 0"),
    ]:
        with pytest.raises(pw.UsageError, match=why):
            call()
    with pytest.raises(pw.FileError):
        pw.kzg.Blobs("no-such-file")


def test_a_blob_comes_back_from_half_of_its_cells(blobs, vectors):
    setup = pw.kzg.Cells(vectors / "kzg/trusted_setup.json.gz")
    blob = b"".join(bytes([0]) + bytes([i % 251]) * 31 for i in range(4096))
    commitment = blobs.commit(blob)
    cells, proofs = setup.prove(blob)
    assert len(cells) == 128 and b"".join(cells[:64]) == blob
    claims = [(commitment, i, cells[i], proofs[i]) for i in (0, 5, 127)]
    assert setup.verify(claims) is True
    with pytest.raises(pw.Rejected):
        setup.verify([(commitment, 1, cells[0], proofs[0])])
    assert setup.recover({i: cells[i] for i in range(1, 128, 2)}) == blob
    with pytest.raises(pw.UsageError, match="64 to 128"):
        setup.recover({0: cells[0]})
