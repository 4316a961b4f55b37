"""Keys and proofs of Groth16, Plonk and fflonk."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from . import _native
from ._circuit import PathLike, Witness
from ._command import command
from ._held import OfProtocol
from ._progress import Progress, Watched
from ._table import Report

#: JSON of snarkjs: its text, its bytes, or the objects of Python's json module.
Json = str | bytes | dict[str, Any] | list[Any]


def _bytes(value: Json | PathLike) -> bytes:
    """The bytes of JSON that is given as text, as bytes, as objects, or as the path of a file (a ``Path``)."""
    if isinstance(value, os.PathLike):
        return Path(value).read_bytes()
    if isinstance(value, str):
        return value.encode()
    if isinstance(value, (bytes, bytearray)):
        return bytes(value)
    return json.dumps(value).encode()


class Proof(OfProtocol["_native.Proof"]):
    """A proof together with its public values."""

    __slots__ = ()

    def __init__(self) -> None:
        raise TypeError("proofs come from ProvingKey.prove and VerifyingKey.proof")

    def json(self) -> str:
        """The proof as the JSON of snarkjs, byte for byte."""
        return self._handle.json()

    def public_json(self) -> str:
        """The public values as the JSON of snarkjs, byte for byte."""
        return self._handle.public_json()

    @property
    def public(self) -> list[int]:
        """The public values."""
        return [int(value) for value in json.loads(self.public_json())]

    def calldata(self) -> str:
        """The arguments of a call of the Solidity contract that verifies this proof."""
        return self._handle.calldata()

    def save(self, proof: PathLike, public: PathLike) -> None:
        """Writes the two JSON files of snarkjs."""
        Path(proof).write_text(self.json(), encoding="utf-8")
        Path(public).write_text(self.public_json(), encoding="utf-8")

    def __repr__(self) -> str:
        protocol, curve, public = self._handle.about()
        return f"<Proof: {protocol} on {curve}, {public} public values>"


class Proved:
    """A proof with the costs of its operators."""

    __slots__ = ("proof", "report")

    def __init__(self, proof: Proof, report: Report) -> None:
        #: The proof, with its public values.
        self.proof = proof
        #: The cost of every operator.
        self.report = report

    @property
    def public(self) -> list[int]:
        """The public values."""
        return self.proof.public

    def __repr__(self) -> str:
        return f"<Proved: {self.proof!r}>"


class VerifyingKey(OfProtocol["_native.VerifyingKey"]):
    """A verifying key, prepared for many proofs.

    It is refused when anybody can forge proofs for it (``allow_unsafe=True`` takes it all the same).
    """

    __slots__ = ()

    def __init__(self, source: PathLike | Json, *, allow_unsafe: bool = False) -> None:
        """Reads a key of snarkjs: from a file whose path is given, or from JSON (text that begins with ``{``, bytes, a dict)."""
        if isinstance(source, str) and not source.lstrip().startswith("{"):
            source = Path(source)
        name = os.fspath(source) if isinstance(source, os.PathLike) else "verifying key"
        try:
            data = _bytes(source)
        except OSError as why:
            from ._errors import FileError

            raise FileError(f"{name}: {why.strerror}") from why
        self._handle = _native.VerifyingKey.from_json(data, name, allow_unsafe)

    @property
    def public(self) -> int:
        """Number of public values that a proof has."""
        return self._handle.about()[2]

    def json(self) -> str:
        """The key as the JSON of snarkjs, byte for byte."""
        return self._handle.json()

    def save(self, path: PathLike) -> None:
        """Writes the file of snarkjs."""
        Path(path).write_text(self.json(), encoding="utf-8")

    def proof(self, proof: Json | os.PathLike[str], public: Json | os.PathLike[str] | Sequence[int]) -> Proof:
        """Reads a proof and its public values for this key: JSON of snarkjs as text, bytes, objects, or the ``Path`` of a file.

        Raises :class:`Rejected` if a point is not on its curve or not in its subgroup, and :class:`FormatError` if a value is not
        below the modulus, which would be a second encoding of another value.
        """
        values: Any = public
        if isinstance(public, Sequence) and not isinstance(public, (str, bytes, bytearray)):
            values = [str(value) for value in public]
        return Proof._of(self._handle.proof(_bytes(proof), _bytes(values)))

    def verify(
        self, proof: Proof | Json | os.PathLike[str], public: Json | os.PathLike[str] | Sequence[int] | None = None
    ) -> bool:
        """Accepts a proof: returns True or raises. It never returns False, which could be overlooked.

        A :class:`Proof` contains its public values; for a proof in any other form that :meth:`proof` reads, give ``public``.

        Raises :class:`Rejected` with the reason.
        """
        self._handle.verify(self._read(proof, public)._handle)
        return True

    def verify_many(self, proofs: Iterable[Proof | tuple[Any, Any]]) -> bool:
        """Accepts many proofs together (each a :class:`Proof`, or a pair of proof and public values): returns True or raises.

        The verification equations are added with random weights: a bad proof is accepted with probability at most 2^-127.

        Raises :class:`Rejected`, whose ``index`` is the position of the first proof that is not accepted.
        """
        read: list[_native.Proof] = []
        for index, item in enumerate(proofs):
            try:
                one = item if isinstance(item, Proof) else self.proof(*item)
            except Exception as why:
                if hasattr(why, "index"):
                    why.index = index
                raise
            read.append(one._handle)
        self._handle.verify_many(read)
        return True

    def _read(self, proof: Any, public: Any) -> Proof:
        from ._errors import UsageError

        if isinstance(proof, Proof):
            if public is None:
                return proof
            return self.proof(proof.json(), public)
        if public is None:
            raise UsageError("verify: a proof that is given as JSON needs its public values")
        return self.proof(proof, public)

    def __repr__(self) -> str:
        protocol, curve, public = self._handle.about()
        return f"<VerifyingKey: {protocol} on {curve}, {public} public values>"


class ProvingKey(OfProtocol["_native.ProvingKey"]):
    """A proving key (.zkey) of snarkjs, of Groth16, Plonk or fflonk. The file is memory-mapped and not copied.

    It is refused when anybody can forge proofs for it (``allow_unsafe=True`` takes it all the same).
    """

    __slots__ = ("path",)
    path: Path

    def __init__(self, path: PathLike, *, allow_unsafe: bool = False) -> None:
        self.path = Path(path)
        self._handle = _native.ProvingKey.open(os.fspath(path), allow_unsafe)

    @property
    def public(self) -> int:
        """Number of public values of the circuit."""
        return self._handle.about()[2]

    @property
    def wires(self) -> int:
        """Number of wires of the circuit, which is the number of values of a witness."""
        return self._handle.about()[3]

    @property
    def domain(self) -> int:
        """Number of points of the evaluation domain."""
        return self._handle.about()[4]

    def info(self) -> dict[str, Any]:
        """The description of the key's file, as :func:`inspect` gives it."""
        return inspect(self.path)

    def check(self, *, progress: Progress = None) -> int:
        """Checks every element of the key, and returns their number."""
        with Watched(progress, "check") as watch:
            return self._handle.check(watch)

    def precompute(self, multiples: int = 4) -> int:
        """Precomputes multiples of the key's points, at most ``multiples`` of each; returns the memory that they take, in bytes.

        Proofs on this computer (``device="cpu"``) then take fewer additions, and do not read the key again. Four multiples take four
        times the memory of the key's points, and sums over 2^16 points are up to 1.15 times as fast; with 16 up to 1.3 times, but
        reading them may limit several threads, on BN254 so far that nothing is gained. The precomputation takes as long as ten to twenty
        proofs, so it pays off for a process that proves many witnesses. Where multiples would save nothing, as beyond 2^19 points, none
        are kept.
        """
        if multiples < 1:
            from ._errors import UsageError

            raise UsageError("precompute: at least one multiple is needed")
        return self._handle.precompute(multiples)

    def vkey(self) -> VerifyingKey:
        """The key's verifying key, with all points checked."""
        return VerifyingKey._of(self._handle.verifying_key())

    def prove(
        self,
        witness: Witness | PathLike,
        *,
        device: str = "cpu",
        slots: Mapping[str, str] | None = None,
        seed: str | bytes | None = None,
        progress: Progress = None,
    ) -> Proved:
        """Proves that a witness satisfies the circuit, and verifies the proof before returning it.

        ``device`` runs the operators and ``slots`` names other devices for single slots, such as ``{"tree": "cpu+mtu"}``; the
        proof's bytes do not depend on them. Randomness comes from the operating system, or from ``seed`` (16 secret bytes or more, or
        their hexadecimal digits), which makes the proof reproducible. ``progress`` is a function, or True for a bar.

        Raises :class:`WitnessError` if the witness does not satisfy the circuit.
        """
        values = witness if isinstance(witness, Witness) else Witness(witness)
        digits = seed.hex() if isinstance(seed, (bytes, bytearray)) else seed
        with Watched(progress, "prove") as watch:
            native, report = self._handle.prove(values._handle, device, list((slots or {}).items()), digits, watch)
        return Proved(Proof._of(native), Report(json.loads(report)))

    def __repr__(self) -> str:
        protocol, curve, public, wires, domain = self._handle.about()
        return f"<ProvingKey: {protocol} on {curve}, {public} public values, {wires} wires, domain {domain}>"


def setup(
    r1cs: PathLike,
    zkey: PathLike,
    *,
    ptau: PathLike | None = None,
    protocol: str = "groth16",
    unsafe_local: bool = False,
) -> ProvingKey:
    """Makes a proving key for constraints from the powers of tau of a ceremony, and writes it.

    ``unsafe_local=True`` draws the secrets here instead, for tests: whoever controls this machine can then forge proofs.
    """
    command("setup", r1cs, output=zkey, ptau=ptau, protocol=protocol, unsafe_local=unsafe_local)
    return ProvingKey(zkey)


def prove(key: ProvingKey | PathLike, witness: Witness | PathLike, **how: Any) -> Proved:
    """:meth:`ProvingKey.prove` of a key or of its file."""
    return (key if isinstance(key, ProvingKey) else ProvingKey(key)).prove(witness, **how)


def verify(key: VerifyingKey | PathLike | Json, public: Any, proof: Any) -> bool:
    """:meth:`VerifyingKey.verify` of a key or of its file; the order of the arguments is that of the command."""
    return (key if isinstance(key, VerifyingKey) else VerifyingKey(key)).verify(proof, public)


def inspect(path: PathLike) -> dict[str, Any]:
    """Describes a file of circom or snarkjs: its kind, curve, protocol, sizes and sections."""
    return command("inspect", path)
