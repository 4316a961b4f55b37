"""Circuits of circom, and their witnesses."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _native
from ._held import OnCurve

if TYPE_CHECKING:
    from ._arrays import FieldArray

#: A path as Python's own functions take it.
PathLike = str | os.PathLike[str]


class Witness(OnCurve["_native.Witness"]):
    """The values of all wires of a circuit: first the constant one, then the public values.

    The object wipes its values when it is deleted. Copies of them (:meth:`array`, :meth:`ints`, :meth:`save`) is secret
    too and are not wiped, since Python's objects cannot be wiped.
    """

    __slots__ = ()

    def __init__(self, path: PathLike) -> None:
        """Reads a witness file (.wtns) of circom or snarkjs."""
        self._handle = _native.Witness.open(os.fspath(path))

    @classmethod
    def from_bytes(cls, data: bytes) -> Witness:
        """Reads the bytes of a witness file."""
        return cls._of(_native.Witness.from_bytes(bytes(data)))

    def __len__(self) -> int:
        return len(self._handle)

    def array(self) -> FieldArray:
        """A copy of the values as an array of scalars."""
        from ._arrays import FieldArray

        return FieldArray.from_bytes(self.curve, self._handle.values())

    def ints(self) -> list[int]:
        """A copy of the values as integers."""
        data = self._handle.values()
        return [int.from_bytes(data[i : i + 32], "little") for i in range(0, len(data), 32)]

    def __bytes__(self) -> bytes:
        """The bytes of a witness file."""
        return self._handle.file()

    def save(self, path: PathLike) -> None:
        """Writes a witness file, which others than its owner cannot read."""
        with open(path, "wb", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
            file.write(bytes(self))

    def check(self, r1cs: PathLike) -> int:
        """Checks the witness against the constraints of a circuit, and returns their number.

        Raises :class:`pairwright.WitnessError` with the number of the first constraint that does not hold.
        """
        return self._handle.check(os.fspath(r1cs))

    def __repr__(self) -> str:
        return f"<Witness: {len(self)} values on {self.curve}>"


class Circuit:
    """A circuit of circom: its constraints (.r1cs), its calculator of witnesses (.wasm), or both.

    ``engine`` selects the engine that runs the calculator: ``"fastest"`` compiles it, ``"interpreted"`` does not.
    """

    def __init__(self, r1cs: PathLike | None = None, *, wasm: PathLike | None = None, engine: str = "fastest") -> None:
        if r1cs is None and wasm is None:
            from ._errors import UsageError

            raise UsageError("Circuit: constraints (r1cs) or a calculator (wasm) are needed")
        self.r1cs = None if r1cs is None else Path(r1cs)
        self.wasm = None if wasm is None else Path(wasm)
        self._calculator = None if wasm is None else _native.Calculator.open(os.fspath(wasm), engine)
        #: The lines that the circuit logged when it computed its last witness.
        self.log: list[str] = []

    def witness(self, inputs: Mapping[str, Any] | PathLike) -> Witness:
        """Computes the witness of inputs: a mapping from signals to integers, decimal strings or nested lists of them, or the
        path of a JSON file. Where there are constraints, the witness is checked against them.
        """
        if self._calculator is None:
            from ._errors import UsageError

            raise UsageError("Circuit: no calculator (wasm) was given")
        if isinstance(inputs, Mapping):
            text = json.dumps(_plain(dict(inputs)))
        else:
            text = Path(inputs).read_text(encoding="utf-8")
        native, self.log = self._calculator.witness(text)
        witness = Witness._of(native)
        if self.r1cs is not None:
            witness.check(self.r1cs)
        return witness

    def info(self) -> dict[str, Any]:
        """The description of the file of constraints, as the command ``inspect`` gives it."""
        from ._keys import inspect

        if self.r1cs is None:
            from ._errors import UsageError

            raise UsageError("Circuit: no constraints (r1cs) were given")
        return inspect(self.r1cs)

    def __repr__(self) -> str:
        return f"Circuit({self.r1cs}, wasm={self.wasm})"


def _plain(value: Any) -> Any:
    """Integers of any length as decimal strings, which is what circom reads; arrays of numpy as lists."""
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return value
    if isinstance(value, int):
        return str(value)
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if hasattr(value, "tolist"):
        return _plain(value.tolist())
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return value
