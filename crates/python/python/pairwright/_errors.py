"""The classes of what can go wrong. Their texts are those of the command."""

from __future__ import annotations


class PairwrightError(Exception):
    """Everything that this package raises on its own account.

    ``index`` is the position in a list of the item that is at fault, where there is a list and one item is.
    """

    index: int | None

    def __init__(self, message: str, *, index: int | None = None) -> None:
        super().__init__(message)
        self.index = index


class Rejected(PairwrightError):
    """A proof, a signature or an opening is not accepted."""


class UsageError(PairwrightError, ValueError):
    """An argument is not what it should be, or arguments do not fit each other."""


class FormatError(PairwrightError, ValueError):
    """A file, or bytes in place of one, is damaged or of another kind."""


class WitnessError(PairwrightError, ValueError):
    """A witness cannot be computed, or does not satisfy the circuit."""


class FileError(PairwrightError, OSError):
    """A file cannot be read or written."""

    def __str__(self) -> str:
        return str(self.args[0])


class InternalError(PairwrightError, RuntimeError):
    """A fault of the library or of the machine: there is no verdict."""
