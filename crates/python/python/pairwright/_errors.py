"""The exceptions of this package. Their messages are those of the command."""

from __future__ import annotations


class PairwrightError(Exception):
    """The base class of all exceptions of this package.

    ``index`` is the position of the faulty item in a list, if there is a list and a single faulty item.
    """

    index: int | None

    def __init__(self, message: str, *, index: int | None = None) -> None:
        super().__init__(message)
        self.index = index


class Rejected(PairwrightError):
    """A proof, a signature or an opening is not accepted."""


class UsageError(PairwrightError, ValueError):
    """An argument is invalid, or arguments do not fit each other."""


class FormatError(PairwrightError, ValueError):
    """A file, or bytes given instead of a file, are damaged or of another kind."""


class WitnessError(PairwrightError, ValueError):
    """A witness cannot be computed, or does not satisfy the circuit."""


class FileError(PairwrightError, OSError):
    """A file cannot be read or written."""

    def __str__(self) -> str:
        return str(self.args[0])


class InternalError(PairwrightError, RuntimeError):
    """A fault of the library or of the machine: there is no verdict."""
