"""Pictures of tables by matplotlib, where it is installed."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._table import Table


def _numbers(cells: list[Any]) -> list[float] | None:
    """Converts cells to numbers if possible; a size may be written as a power."""
    numbers = []
    for cell in cells:
        if isinstance(cell, str):
            base, _, exponent = cell.partition("^")
            if not (base.isdigit() and (exponent.isdigit() or not exponent)):
                return None
            cell = int(base) ** int(exponent or 1)
        if isinstance(cell, bool) or not isinstance(cell, (int, float)):
            return None
        numbers.append(float(cell))
    return numbers


def figure(table: Table, x: str, y: str, title: str = "") -> Any:
    """A figure of matplotlib with one column over another: a line where both are numbers, bars where the first is not."""
    from matplotlib.figure import Figure

    rows = [(a, b) for a, b in zip(table[x], table[y], strict=True) if b is not None]
    xs = _numbers([a for a, _ in rows])
    ys = [float(b) for _, b in rows if isinstance(b, (int, float))]
    picture = Figure(figsize=(5.5, 3.2), layout="constrained")
    axes = picture.subplots()
    if xs is None:
        axes.barh([str(a) for a, _ in rows], ys)
        axes.invert_yaxis()
        axes.set_xlabel(y)
    else:
        order = sorted(range(len(xs)), key=xs.__getitem__)
        axes.plot([xs[i] for i in order], [ys[i] for i in order], marker="o")
        if min(xs) > 0 and max(xs) >= 8 * min(xs):
            axes.set_xscale("log", base=2)
        axes.set_xlabel(x)
        axes.set_ylabel(y)
    axes.set_title(title)
    return picture


def svg(table: Table, x: str, y: str, title: str = "") -> str:
    """The figure as SVG, or nothing if matplotlib is not installed or there is nothing to draw."""
    if not len(table) or x not in table.columns or y not in table.columns:
        return ""
    try:
        picture = figure(table, x, y, title)
    except ImportError:
        return ""
    text = io.StringIO()
    picture.savefig(text, format="svg")
    drawing = text.getvalue()
    return drawing[drawing.index("<svg") :]
