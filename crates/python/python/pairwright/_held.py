"""Base classes of objects that wrap handles of the native module."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

if TYPE_CHECKING:
    from typing import Self

    class _Named(Protocol):
        @property
        def curve(self) -> str: ...

    class _Compared(_Named, Protocol):
        def equal(self, other: Any, /) -> bool: ...

    class _Told(Protocol):
        def about(self) -> tuple[Any, ...]: ...


Handle = TypeVar("Handle")
Named = TypeVar("Named", bound="_Named")
Compared = TypeVar("Compared", bound="_Compared")
Told = TypeVar("Told", bound="_Told")


class Held(Generic[Handle]):
    """An object that wraps a handle."""

    __slots__ = ("_handle",)
    _handle: Handle

    @classmethod
    def _of(cls, native: Handle) -> Self:
        held = cls.__new__(cls)
        held._handle = native
        return held


class OnCurve(Held[Named]):
    """An object that belongs to a curve."""

    __slots__ = ()

    @property
    def curve(self) -> str:
        """The curve's name in snarkjs' files, such as ``"bn128"``."""
        return self._handle.curve


class Comparable(OnCurve[Compared]):
    """An object that belongs to a curve and can be compared with others of its type."""

    __slots__ = ()
    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, type(self)) and self._handle.equal(other._handle)


class OfProtocol(Held[Told]):
    """A key or a proof of a protocol on a curve."""

    __slots__ = ()

    @property
    def protocol(self) -> str:
        """``"groth16"``, ``"plonk"`` or ``"fflonk"``."""
        protocol: str = self._handle.about()[0]
        return protocol

    @property
    def curve(self) -> str:
        """The curve's name in snarkjs' files."""
        curve: str = self._handle.about()[1]
        return curve
