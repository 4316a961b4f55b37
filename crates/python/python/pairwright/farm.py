"""Many proofs with one key on a Dask cluster: each proof on one worker, many at a time.

>>> from pairwright import farm  # doctest: +SKIP
>>> made = farm.prove_many(client, "c.zkey", ["1.wtns", "2.wtns"], "proofs")  # doctest: +SKIP
>>> made.throughput, made.percentile(99)  # doctest: +SKIP

Every worker has to see the key's file under the same path; the workers of a machine share its pages.
"""

from __future__ import annotations

import json
import os
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ._circuit import PathLike
from ._dispatch import run_command
from ._errors import UsageError
from ._progress import Progress, Watched
from ._table import Table

if TYPE_CHECKING:
    from distributed import Client, Future

__all__ = ["Made", "Proof", "prove_many", "serve"]


@dataclass(frozen=True)
class Proof:
    """The result for one witness: the files of the proof, or the reason why there is none."""

    witness: Path
    proof: Path
    public: Path
    worker: str | None
    #: Seconds from the submission to the cluster to the end, and seconds on the worker.
    latency: float
    seconds: float | None
    error: str | None

    @property
    def good(self) -> bool:
        """Whether the proof was made and verified."""
        return self.error is None


class Made(list[Proof]):
    """The results in the order of the witnesses, with the total time."""

    def __init__(self, proofs: Iterable[Proof], elapsed: float) -> None:
        super().__init__(proofs)
        #: Seconds from the first submission to the last end.
        self.elapsed = elapsed

    @property
    def failed(self) -> list[Proof]:
        """The proofs that failed."""
        return [proof for proof in self if not proof.good]

    @property
    def throughput(self) -> float:
        """Throughput in proofs per second."""
        return (len(self) - len(self.failed)) / self.elapsed if self.elapsed > 0 else 0.0

    def percentile(self, percent: float) -> float:
        """The given percentile of the latency in seconds, by the nearest-rank method."""
        latencies = sorted(proof.latency for proof in self if proof.good)
        if not latencies:
            return float("nan")
        rank = max(1, -(-len(latencies) * percent // 100))
        return latencies[int(min(rank, len(latencies))) - 1]

    @property
    def table(self) -> Table:
        """A row for each proof."""
        rows = [
            {
                "witness": str(proof.witness),
                "worker": proof.worker,
                "latency_s": proof.latency,
                "seconds": proof.seconds,
                "error": proof.error,
            }
            for proof in self
        ]
        return Table.from_rows(rows)

    def _repr_html_(self) -> str:
        return self.table._repr_html_()


def _submit(client: Client, key: PathLike, witness: Path, into: Path, retries: int) -> tuple[Future, Path, Path]:
    proof, public = into / f"{witness.stem}.proof.json", into / f"{witness.stem}.public.json"
    words = ["prove", os.path.abspath(key), os.fspath(witness), "--output", os.fspath(proof), "--public", os.fspath(public)]
    return client.submit(run_command, words, pure=False, retries=retries), proof, public


def _end(witness: Path, proof: Path, public: Path, future: Future, since: float) -> Proof:
    latency = time.monotonic() - since
    try:
        _, seconds, worker = future.result()
    except Exception as why:  # noqa: BLE001 a proof that fails must not end the others
        return Proof(witness, proof, public, None, latency, None, f"{type(why).__name__}: {why}")
    return Proof(witness, proof, public, worker, latency, seconds, None)


def prove_many(
    client: Client,
    key: PathLike,
    witnesses: Iterable[PathLike],
    into: PathLike,
    *,
    max_in_flight: int | None = None,
    retries: int = 3,
    progress: Progress = None,
) -> Made:
    """Makes a proof for every witness, verified by the worker that made it, and writes it to the directory ``into``.

    The files are ``NAME.proof.json`` and ``NAME.public.json`` for a witness ``NAME.wtns``. At most ``max_in_flight`` proofs are
    submitted to the cluster at a time (by default twice the number of its workers), so that a long list takes no memory there. A
    proof that fails has an ``error`` and does not prevent the others.
    """
    paths = [Path(path).absolute() for path in witnesses]
    folder = Path(into).absolute()
    twice = [name for name, count in Counter(path.stem for path in paths).items() if count > 1]
    if twice:
        raise UsageError(f"prove_many: several witnesses are called {twice[0]}, whose proofs would have one name")
    folder.mkdir(parents=True, exist_ok=True)
    limit = max_in_flight or 2 * max(1, len(client.scheduler_info(n_workers=-1)["workers"]))
    made: list[Proof | None] = [None] * len(paths)
    waiting = iter(enumerate(paths))
    start = time.monotonic()
    with Watched(progress, "prove") as told:
        for i, proof in _flow(client, key, waiting, folder, limit, retries):
            made[i] = proof
            if told:
                told(sum(one is not None for one in made), len(paths), proof.witness.name)
    return Made([proof for proof in made if proof is not None], time.monotonic() - start)


def _flow(
    client: Client, key: PathLike, waiting: Iterator[tuple[int, Path]], folder: Path, limit: int, retries: int
) -> Iterator[tuple[int, Proof]]:
    """Keeps a number of proofs submitted to the cluster, and yields each one when it has ended."""
    from distributed import as_completed

    flying: dict[Future, tuple[int, Path, Path, Path, float]] = {}
    ended = as_completed()

    def more() -> None:
        while len(flying) < limit:
            following = next(waiting, None)
            if following is None:
                return
            i, witness = following
            future, proof, public = _submit(client, key, witness, folder, retries)
            flying[future] = (i, witness, proof, public, time.monotonic())
            ended.add(future)

    more()
    while flying:
        future = next(ended)
        i, witness, proof, public, since = flying.pop(future)
        yield i, _end(witness, proof, public, future, since)
        more()


def serve(
    client: Client,
    key: PathLike,
    inbox: PathLike,
    into: PathLike,
    *,
    until: Callable[[], bool],
    every: float = 1.0,
    max_in_flight: int | None = None,
    retries: int = 3,
) -> Iterator[Proof]:
    """Proves every witness (``NAME.wtns``) that appears in a directory until ``until()`` is true; yields each proof when it ends.

    A witness whose proof was made is removed; one that failed is renamed to ``NAME.wtns.failed`` with the reason beside it in
    ``NAME.wtns.error``. Producers have to write a witness under another name first and then rename it.
    """
    box, folder = Path(inbox).absolute(), Path(into).absolute()
    folder.mkdir(parents=True, exist_ok=True)
    while not until():
        found = sorted(box.glob("*.wtns"))
        if not found:
            time.sleep(every)
            continue
        limit = max_in_flight or 2 * max(1, len(client.scheduler_info(n_workers=-1)["workers"]))
        for _, proof in _flow(client, key, iter(enumerate(found)), folder, limit, retries):
            if proof.good:
                proof.witness.unlink(missing_ok=True)
            else:
                Path(f"{proof.witness}.error").write_text(json.dumps({"error": proof.error}) + "\n", encoding="utf-8")
                proof.witness.rename(f"{proof.witness}.failed")
            yield proof
