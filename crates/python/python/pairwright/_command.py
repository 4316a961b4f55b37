"""The command from Python: its options as keywords, its answer as a dict."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Mapping
from typing import Any

from . import _native

#: The types of an option's value.
Option = str | int | float | bool | None | os.PathLike[str] | Iterable[Any] | Mapping[str, Any]


def option_words(options: Mapping[str, Option]) -> list[str]:
    """The words of the command line for options given as keywords.

    A name's underscores become hyphens, True is an option without a value, False and None are none, a list repeats the option,
    and a mapping repeats it with ``key=value``.

    >>> option_words({"size": "2^10", "fit_buffers": True, "set": {"pes": 4}, "trace": None})
    ['--size', '2^10', '--fit-buffers', '--set', 'pes=4']
    """
    words: list[str] = []
    for name, value in options.items():
        flag = "--" + name.rstrip("_").replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            words.append(flag)
        elif isinstance(value, Mapping):
            for key, item in value.items():
                words += [flag, f"{key}={listed(item)}"]
        elif isinstance(value, (str, int, float, os.PathLike)):
            words += [flag, os.fspath(value) if isinstance(value, os.PathLike) else str(value)]
        else:
            for item in value:
                words += [flag, str(item)]
    return words


def listed(value: Any) -> str:
    """A value in the form that the command reads; several values are joined with commas."""
    if isinstance(value, (list, tuple, range)):
        return ",".join(str(item) for item in value)
    return str(value)


def command(*words: str | os.PathLike[str], **options: Option) -> dict[str, Any]:
    """Runs the command in this process and returns the object that ``--json`` prints, as a dict.

    The words are those of the command's line without its name; keywords are its options. Nothing is printed. The objects are
    described by the schemas that the book lists.

    >>> command("gen", "kernel", op="addmod", bits=128, target="c")["words"]
    2

    Raises a class of :mod:`pairwright` with the command's own text where the command fails.
    """
    line = [os.fspath(word) for word in words] + option_words(options)
    answer: dict[str, Any] = json.loads(_native.call(line))
    return answer


def main() -> None:
    """The program ``pairwright``: the command itself."""
    sys.exit(_native.command(["pairwright", *sys.argv[1:]]))
