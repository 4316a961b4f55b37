"""The modelled accelerators: machines of four papers, run from Python.

The models of the machines are cycle-accurate, except for the AI Engines' multi-scalar multiplication (``aie_msm``): that is a rate
model, whose units have an interval and a latency that were measured on the clocked array.

Every function is a subcommand of ``pairwright sim``, its keywords are that command's options (``pairwright sim ntt --help``
lists them), and its result is the object that ``--json`` prints. A design's own parameters are given by ``set``.

>>> run = mtu(workload="merkle", size="2^10", pes=4)
>>> run["cycles"] > 0 and run["workload"]
'merkle'
>>> table = sweep("mtu", {"pes": [2, 4]}, workload="merkle", size="2^10")
>>> table["pes"], table["cycles"][0] > table["cycles"][1]
([2, 4], True)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Executor, ThreadPoolExecutor
from html import escape
from itertools import product
from typing import Any

from ._command import Option, command
from ._errors import UsageError
from ._native import threads
from ._table import Answer, Table

#: The machines' subcommands by the names of the functions here.
_COMMANDS = {
    "ntt": ("sim", "ntt"),
    "msm": ("sim", "msm"),
    "pairing": ("sim", "pairing"),
    "groth16": ("sim", "groth16"),
    "program": ("sim", "program"),
    "mtu": ("sim", "mtu"),
    "aie": ("sim", "aie"),
    "aie_board": ("sim", "aie-board"),
    "aie_msm": ("sim", "aie-msm"),
    "cluster": ("sim", "cluster"),
}


#: The breakdown of the time in the answers of the machines: the path of the member that holds it, and its unit.
_PARTS = {
    "cycles_by_class": "cycles",
    "sections": "cycles",
    "account.busy": "busy cycles",
    "account.operations": "operations",
    "pl_cycles": "cycles of the programmable logic",
    "latency.stages": "nanoseconds",
    "stalls": "stalled cycles of tiles",
    "kinds": "core seconds",
}


class Result(Answer):
    """The result of a simulation: the object that the command prints, with a table of one row. Notebooks also show a picture of its
    parts."""

    @property
    def parts(self) -> Table:
        """The breakdown of the time, if the machine reports one, with one row per part: ``part``, and a column named by the unit.

        >>> mtu(workload="merkle", size="2^10", pes=4).parts["part"]
        ['products', 'sums', 'hashes', 'buffer_accesses']
        """
        for path, unit in _PARTS.items():
            found: Any = self
            for name in path.split("."):
                found = found.get(name) if isinstance(found, Mapping) else None
            if found:
                rows = dict(_parts(found))
                return Table({"part": list(rows), unit: list(rows.values())})
        return Table({})

    def _repr_html_(self) -> str:
        from ._plot import svg

        row, parts = next(iter(self.table)), self.parts
        cells = "".join(f"<tr><td>{escape(name)}</td><td>{escape(str(cell))}</td></tr>" for name, cell in row.items())
        table = f"<table><caption>{escape(str(self.get('command')))}</caption>{cells}</table>"
        if not len(parts):
            return table
        name, unit = parts.columns
        return table + svg(parts, name, unit, str(self.get("command")))


def _parts(found: Any) -> Iterator[tuple[str, float]]:
    """Flattens a member to its parts: numbers by name, several units of one kind by number, and lists of named sections."""
    if not isinstance(found, Mapping):
        yield from ((str(section["name"]), section["end"] - section["start"]) for section in found)
        return
    for name, item in found.items():
        if isinstance(item, Mapping):
            yield name, item["core_seconds"]
        elif isinstance(item, list):
            yield from ((f"{name} {i}", number) for i, number in enumerate(item))
        else:
            yield name, item


def run(machine: str, **options: Option) -> Result:
    """Runs a machine by its name; see the functions of this module."""
    if machine not in _COMMANDS:
        raise UsageError(f"sim: there is no machine {machine!r}; there are {', '.join(_COMMANDS)}")
    return Result(command(*_COMMANDS[machine], **options))


def ntt(**options: Option) -> Result:
    """A transform on the crypto-processor: ``size``, ``direction``, ``coset``, ``design``, ``set``, ..."""
    return run("ntt", **options)


def msm(**options: Option) -> Result:
    """A multi-scalar multiplication on the crypto-processor: ``size``, ``group``, ``window``, ``design``, ``set``, ..."""
    return run("msm", **options)


def pairing(**options: Option) -> Result:
    """A pairing on the crypto-processor: ``design``, ``schedule``, ``set``, ..."""
    return run("pairing", **options)


def groth16(**options: Option) -> Result:
    """A whole Groth16 proof on the crypto-processor, its operators one after another."""
    return run("groth16", **options)


def program(name: str, **options: Option) -> Result:
    """A program of the crypto-processor by its name; ``command("sim", "program", list=True)`` lists them."""
    return Result(command(*_COMMANDS["program"], name, **options))


def mtu(**options: Option) -> Result:
    """A tree on the Multifunction Tree Unit: ``workload``, ``size``, ``pes``, ``bandwidth``, ``traversal``, ``set``, ..."""
    return run("mtu", **options)


def aie(**options: Option) -> Result:
    """A point addition on AI Engines: ``method``, ``form``, ``set``, ..."""
    return run("aie", **options)


def aie_board(**options: Option) -> Result:
    """A stream of point additions on a board with AI Engines."""
    return run("aie_board", **options)


def aie_msm(**options: Option) -> Result:
    """A multi-scalar multiplication on a board with AI Engines, by a rate model."""
    return run("aie_msm", **options)


def cluster(**options: Option) -> Result:
    """A simulated Groth16 proof by tasks on a cluster: ``size``, ``curve``, ``memory``, ``design``, ``measured``, ``set``, ..."""
    return run("cluster", **options)


class SweepTable(Table):
    """A table of a sweep: the varied parameters, then the results. Notebooks also show a picture."""

    def __init__(self, columns: Mapping[str, Any], x: str, y: str | None, title: str) -> None:
        super().__init__(columns)
        self.x, self.y, self.title = x, y, title

    def plot(self, x: str | None = None, y: str | None = None) -> Any:
        """A figure of matplotlib, which has to be installed: one column over another."""
        from ._plot import figure

        return figure(self, x or self.x, y or self.y or self.x, self.title)

    def _repr_html_(self) -> str:
        from ._plot import svg

        return super()._repr_html_() + (svg(self, self.x, self.y, self.title) if self.y else "")


def sweep(
    machine: str | Callable[..., Mapping[str, Any]],
    parameters: Mapping[str, Iterable[Any]],
    *,
    executor: Executor | Any = None,
    **options: Option,
) -> SweepTable:
    """Runs a machine on every combination of parameter values, and returns a table with a row for each.

    A parameter is an option of the command, or a design's own where its name has a dot or is no option (``"sram.banks"``).
    ``executor`` runs the points: any :class:`concurrent.futures.Executor`, or an object with its ``map``; threads by default. A
    point that the machine refuses has the reason in the column ``refused``.
    """
    names = list(parameters)
    points = [dict(zip(names, values, strict=True)) for values in product(*map(list, parameters.values()))]
    if not points:
        raise UsageError("sweep: a parameter without values leaves no points")
    if executor is not None:
        found = list(executor.map(_point, *zip(*((machine, point, options) for point in points), strict=True)))
    else:
        pool = ThreadPoolExecutor(threads())
        try:
            found = list(pool.map(_point, *zip(*((machine, point, options) for point in points), strict=True)))
        finally:
            pool.shutdown(cancel_futures=True)
    if all("refused" in row for row in found):
        raise UsageError(f"sweep: no point can be built; the first: {found[0]['refused']}")
    rows = [point | {name: cell for name, cell in row.items() if name not in point} for point, row in zip(points, found, strict=True)]
    table = Table.from_rows(rows)
    quantity = next((name for name in ("cycles", "cycles_seconds", "seconds") if name in table.columns), None)
    columns = {name: table[name] for name in table.columns}
    return SweepTable(columns, names[0], quantity, str(machine if isinstance(machine, str) else machine.__name__))


def _point(machine: str | Callable[..., Mapping[str, Any]], point: dict[str, Any], options: dict[str, Any]) -> dict[str, Any]:
    """The result at one point, or the reason why there is none."""
    inner = {name: value for name, value in point.items() if "." in name}
    outer = {name: value for name, value in point.items() if "." not in name}
    every: dict[str, Any] = options | outer
    if inner:
        every["set"] = dict(every.get("set") or {}) | inner
    try:
        found = run(machine, **every) if isinstance(machine, str) else Result(machine(**every))
    except UsageError as why:
        return {"refused": str(why)}
    return next(iter(found.table))
