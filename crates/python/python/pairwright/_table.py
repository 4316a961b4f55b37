"""Tables: columns by name, for data frames and for notebooks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from . import _native

if TYPE_CHECKING:
    import pandas

#: What a cell holds.
Cell = str | int | float | bool | None


class Table:
    """Columns by name, all of the same length, each of one type; the names include the units.

    It implements Arrow's interface (``__arrow_c_stream__``) for readers such as polars, pyarrow, duckdb and pandas.

    >>> table = Table({"size": [1024, 2048], "cycles": [5.5, None]})
    >>> len(table), table.columns
    (2, ['size', 'cycles'])
    >>> table["size"]
    [1024, 2048]
    >>> list(table)[0]
    {'size': 1024, 'cycles': 5.5}
    """

    def __init__(self, columns: Mapping[str, Sequence[Cell]]) -> None:
        self._columns = {name: list(cells) for name, cells in columns.items()}
        lengths = {len(cells) for cells in self._columns.values()}
        if len(lengths) > 1:
            from ._errors import UsageError

            raise UsageError(f"Table: columns of different lengths, {sorted(lengths)}")

    @classmethod
    def from_rows(cls, rows: Iterable[Mapping[str, Cell]]) -> Table:
        """Makes a table from rows; a column that a row lacks is None there."""
        rows = list(rows)
        names = list(dict.fromkeys(name for row in rows for name in row))
        return cls({name: [row.get(name) for row in rows] for name in names})

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return list(self._columns)

    def __len__(self) -> int:
        return len(next(iter(self._columns.values()), []))

    def __getitem__(self, name: str) -> list[Cell]:
        return list(self._columns[name])

    def __iter__(self) -> Iterator[dict[str, Cell]]:
        names = self.columns
        return (dict(zip(names, cells, strict=True)) for cells in zip(*self._columns.values(), strict=True))

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """The table as a stream of Arrow's interface for C."""
        return _native.arrow_stream(list(self._columns.items()))

    def to_pandas(self) -> pandas.DataFrame:
        """The table as a data frame of pandas, which has to be installed."""
        import pandas

        return pandas.DataFrame(self._columns)

    def _cells(self) -> list[list[str]]:
        return [["" if cell is None else f"{cell:.6g}" if isinstance(cell, float) else str(cell) for cell in row.values()] for row in self]

    def __repr__(self) -> str:
        rows = [self.columns, *self._cells()]
        if not self.columns:
            return "<empty Table>"
        widths = [max(len(row[i]) for row in rows) for i in range(len(self.columns))]
        return "\n".join("  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in rows)

    def _repr_html_(self) -> str:
        from html import escape

        head = "".join(f"<th>{escape(name)}</th>" for name in self.columns)
        body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in self._cells())
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def flat(value: Mapping[str, Any], before: str = "") -> dict[str, Cell]:
    """The numbers and strings in nested objects, named by their paths; lists are left out.

    >>> flat({"design": {"pes": 4}, "cycles": 7, "trace": [1, 2]})
    {'design.pes': 4, 'cycles': 7}
    """
    cells: dict[str, Cell] = {}
    for name, item in value.items():
        if isinstance(item, Mapping):
            cells |= flat(item, f"{before}{name}.")
        elif not isinstance(item, (list, tuple)):
            cells[before + name] = item
    return cells


class Answer(Mapping[str, Any]):
    """The object that a command prints with ``--json``: a mapping, which is also a table."""

    def __init__(self, members: Mapping[str, Any]) -> None:
        self._members = dict(members)

    def __getitem__(self, name: str) -> Any:
        return self._members[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._members)

    def __len__(self) -> int:
        return len(self._members)

    @property
    def table(self) -> Table:
        """One row with every number and string, named by its path; the names include the units."""
        skipped = ("schema_version", "command", "status", "warnings")
        return Table.from_rows([flat({name: item for name, item in self.items() if name not in skipped})])

    def to_pandas(self) -> pandas.DataFrame:
        """The table as a data frame of pandas."""
        return self.table.to_pandas()

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.table.__arrow_c_stream__(requested_schema)

    def _repr_html_(self) -> str:
        return self.table._repr_html_()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._members})"


class Report(Answer):
    """The costs of a session's operators: the object that ``--report`` writes, with a row for each operator."""

    @property
    def table(self) -> Table:
        """A row for each operator: phase, operator, size, kind of time, seconds, share, bytes, and the figures of models."""
        rows = []
        for operator in self["operators"]:
            rows.append({name: item for name, item in operator.items() if name not in ("cost", "bound")})
        return Table.from_rows(flat(row) for row in rows)

    def _repr_html_(self) -> str:
        from ._plot import svg

        table = self.table
        return table._repr_html_() + svg(table, "operator", "seconds", f"{self['device']}, {self['curve']}")
