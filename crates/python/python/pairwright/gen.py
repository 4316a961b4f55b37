"""Kernels of multi-word modular arithmetic, generated for C, Rust, vector instructions and CUDA.

>>> text = kernel(op="mulmod", bits=256, target="c")
>>> "mulmod" in text
True
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from ._circuit import PathLike
from ._command import Option, command
from ._table import Table, flat


def _modulus(modulus: int | str | None) -> str | None:
    return hex(modulus) if isinstance(modulus, int) else modulus


def kernel(
    *, op: str, bits: int | None = None, modulus: int | str | None = None, target: str = "c", **options: Option
) -> str:
    """The source of a kernel: an operation (``addmod``, ``mulmod``, ``ntt``, ...) for a modulus, or for any modulus of ``bits`` bits.

    Further keywords are options of ``pairwright gen kernel``: ``reduction``, ``range``, ``mul``, ``log_size``.
    """
    return str(command("gen", "kernel", op=op, bits=bits, modulus=_modulus(modulus), target=target, **options)["text"])


def field(
    *, modulus: int | str, target: str = "c", out: PathLike | None = None, **options: Option
) -> dict[str, str]:
    """A whole prime field for a modulus, as a C header or a Rust module: the contents of its files by name.

    The files are also written to the folder ``out``, if it is given. Further keywords are options of ``pairwright gen field``:
    ``prefix``, ``form``, ``log_size``.
    """
    with tempfile.TemporaryDirectory() as place:
        folder = place if out is None else out
        written = command("gen", "field", modulus=_modulus(modulus), target=target, out=folder, **options)["files"]
        return {Path(path).name: Path(path).read_text(encoding="utf-8") for path in written}


def targets() -> Table:
    """The targets that kernels can be generated for."""
    rows = command("gen", "targets")["targets"]
    return Table.from_rows(flat(row) for row in rows)


def explain(*, op: str, bits: int, **options: Option) -> dict[str, object]:
    """The derivation of an operation's kernel, rule by rule: ``steps``, and the ``kernel`` before and after."""
    return command("gen", "explain", op=op, bits=bits, **options)
