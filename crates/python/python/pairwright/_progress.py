"""Progress of work: reports to a function of the caller, or to a bar on standard error."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import TextIO

#: Called with the units done, the units in all (0 where nobody knows) and what begins now (empty when something ended).
Callback = Callable[[int, int, str], object]
#: A function of progress, True for a bar on standard error, or None.
Progress = Callback | bool | None

#: Seconds before a bar is shown: short work has none.
PATIENCE = 0.5
#: Seconds between two drawings.
EVERY = 0.1
WIDTH = 30


class Bar:
    """A progress bar on one line of a terminal, which is removed when the work ends."""

    def __init__(self, title: str, to: TextIO | None = None) -> None:
        self.title = title
        self.to = sys.stderr if to is None else to
        self.begun = self.drawn = time.monotonic()
        self.shown = False
        self.what = ""

    def __call__(self, done: int, total: int, what: str) -> None:
        self.what = what or self.what
        now = time.monotonic()
        if now - self.begun < PATIENCE or now - self.drawn < EVERY:
            return
        self.drawn, self.shown = now, True
        share = min(done / total, 1.0) if total else 0.0
        bar = ("=" * int(share * WIDTH) + ">")[:WIDTH].ljust(WIDTH)
        percent = f"{share:4.0%}" if total else "    "
        self.to.write(f"\r{self.title} {bar} {percent} [{now - self.begun:.1f} s] {self.what:<40.40}")
        self.to.flush()

    def close(self) -> None:
        """Removes the bar from its line."""
        if self.shown:
            self.to.write("\r" + " " * (len(self.title) + WIDTH + 64) + "\r")
            self.to.flush()


class Watched:
    """A context manager that provides the progress function for one piece of work, or None."""

    def __init__(self, progress: Progress, title: str) -> None:
        self.bar = Bar(title) if progress is True else None
        self.given = progress if callable(progress) else None

    def __enter__(self) -> Callback | None:
        return self.bar or self.given

    def __exit__(self, *_: object) -> None:
        if self.bar is not None:
            self.bar.close()
