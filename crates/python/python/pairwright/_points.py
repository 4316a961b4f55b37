"""Runs command lines on the workers of a Dask cluster, for ``pairwright sim … --cluster`` and ``cargo lab run --cluster``.

``python -m pairwright._points ADDRESS`` reads a JSON list of lines, each a list of words, and prints a JSON list with the object that
each line's ``--json`` prints. With ``--program`` a worker runs that program, which it sees under the same path; otherwise the command
runs inside the worker process. ``--cache`` is a directory in which answers are kept by the digest of their line and of the version.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from . import _native
from ._dispatch import settle
from ._errors import InternalError, PairwrightError, Rejected, UsageError


def run_line(program: str | None, words: list[str]) -> dict[str, Any]:
    """Runs a line on a worker; returns the object that it prints."""
    settle()
    if program is None:
        answer: dict[str, Any] = json.loads(_native.call(words))
        return answer
    done = subprocess.run([program, "--json", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        said = [line for line in (done.stdout + done.stderr).splitlines() if line.strip()]
        raise UsageError(f"{program} {' '.join(words)}: {said[-1] if said else f'exit code {done.returncode}'}")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def main(words: Sequence[str] | None = None) -> int:
    """Runs the lines of standard input; returns the exit code of the command."""
    from distributed import Client
    from distributed.security import Security

    from .scale import Cached

    parser = argparse.ArgumentParser(prog="python -m pairwright._points", description="Command lines on a Dask cluster.")
    parser.add_argument("cluster", metavar="ADDRESS", help="scheduler, such as tls://host:8786")
    parser.add_argument("--program", metavar="PATH", help="what a worker runs [default: the command inside of the worker]")
    parser.add_argument("--cache", metavar="DIR", help="keep answers by the digest of their line")
    asked = parser.parse_args(words)
    try:
        lines: list[list[str]] = json.load(sys.stdin)
        with Client(asked.cluster, security=Security()) as client:
            workers = Cached(client, None if asked.cache is None else Path(asked.cache), lambda done, total, what: None)
            found = workers.map(run_line, [asked.program] * len(lines), lines)
    except PairwrightError as why:
        rejected, internal = isinstance(why, Rejected), isinstance(why, InternalError)
        print(f"pairwright: {'rejected: ' if rejected else ''}{why}", file=sys.stderr)
        return 1 if rejected else 3 if internal else 2
    except (OSError, ValueError) as why:
        print(f"pairwright: {asked.cluster}: {why}", file=sys.stderr)
        return 2
    print(json.dumps(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
