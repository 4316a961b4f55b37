"""Zero-knowledge proofs, pairings and models of accelerators.

>>> import pairwright as pw
>>> key = pw.ProvingKey(VECTORS / "circom/cube/bn128/cube.zkey")
>>> proved = key.prove(VECTORS / "circom/cube/bn128/witness.wtns")
>>> key.vkey().verify(proved.proof)
True

A verifier returns True or raises :class:`Rejected`. Operators release the interpreter's lock and use all cores
(:func:`set_threads`). No other package has to be installed; arrays and tables work with numpy, pandas and every reader of Arrow.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ._circuit import Circuit, Witness
from ._command import command
from ._errors import FileError, FormatError, InternalError, PairwrightError, Rejected, UsageError, WitnessError
from ._keys import Proof, Proved, ProvingKey, VerifyingKey, inspect, prove, setup, verify
from ._native import isa, set_threads, threads, version
from ._table import Report, Table

if TYPE_CHECKING:
    from . import bls, curves, farm, gen, ibe, kzg, merkle, mle, scale, sim, sumcheck, tlock
    from ._arrays import FieldArray, PointArray, Target
    from .curves import bls12_377, bls12_381, bn254, msm, ntt, pairing

__version__ = version()

__all__ = [
    "Circuit",
    "FieldArray",
    "FileError",
    "FormatError",
    "InternalError",
    "PairwrightError",
    "PointArray",
    "Proof",
    "Proved",
    "ProvingKey",
    "Rejected",
    "Report",
    "Table",
    "Target",
    "UsageError",
    "VerifyingKey",
    "Witness",
    "WitnessError",
    "bls",
    "bls12_377",
    "bls12_381",
    "bn254",
    "command",
    "curves",
    "farm",
    "gen",
    "ibe",
    "inspect",
    "isa",
    "kzg",
    "merkle",
    "mle",
    "msm",
    "ntt",
    "pairing",
    "prove",
    "scale",
    "set_threads",
    "setup",
    "sim",
    "sumcheck",
    "threads",
    "tlock",
    "verify",
]

#: Modules that are imported when they are first used.
_MODULES = ("bls", "curves", "farm", "gen", "ibe", "kzg", "merkle", "mle", "scale", "sim", "sumcheck", "tlock")
#: Names that are imported when they are first used, by their modules.
_NAMES = {name: "_arrays" for name in ("FieldArray", "PointArray", "Target")} | {
    name: "curves" for name in ("bls12_377", "bls12_381", "bn254", "msm", "ntt", "pairing")
}


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return import_module(f"{__name__}.{name}")
    if name in _NAMES:
        value = getattr(import_module(f"{__name__}.{_NAMES[name]}"), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
