"""Proofs and sweeps of models on many processes or machines, by Dask distributed.

>>> from distributed import Client, LocalCluster  # doctest: +SKIP
>>> client = Client(LocalCluster(n_workers=2, threads_per_worker=1))  # doctest: +SKIP
>>> from pairwright import scale  # doctest: +SKIP
>>> scale.prove(client, "c.zkey", "c.wtns", work="/shared/proof", memory="256M")  # doctest: +SKIP

A proof is a plan of tasks. A task reads regions of files, computes, and writes regions at fixed offsets, so it can run on any worker and
more than once. Tasks are sent as descriptions; their data is exchanged through a directory that all workers see. Randomness is drawn in
the process that calls :func:`prove`, and no worker sees it; the proof is verified there before it is written. It has the same bytes as a
proof that one machine makes from the same seed.

Dask executes code that its peers send. Use it only among machines that trust each other, with encrypted connections:
``Security.temporary()`` of ``distributed``, or certificates of your own.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _native, sim
from ._calibrate import calibrate
from ._circuit import PathLike
from ._command import Option, option_words
from ._dispatch import Dispatcher, Liar, run_function
from ._errors import InternalError, PairwrightError, Rejected
from ._progress import Progress, Watched
from ._table import Answer

if TYPE_CHECKING:
    from distributed import Client

__all__ = ["Liar", "Proved", "calibrate", "prove", "sweep"]


class Proved(Answer):
    """The output of the command for a proof that it has written, with statistics of the cluster."""

    def __init__(self, answer: Mapping[str, Any], hands: Dispatcher, audited: int) -> None:
        super().__init__(answer)
        workers: dict[str, int] = {}
        for done in hands.done.values():
            workers[done.worker] = workers.get(done.worker, 0) + 1
        #: Number of tasks that each worker has run.
        self.workers = workers
        #: Number of tasks that were late and run a second time.
        self.repeated = hands.repeated
        #: Number of tasks that were run again by another worker and compared.
        self.audited = audited


def prove(
    client: Client,
    key: PathLike,
    witness: PathLike,
    *,
    work: PathLike,
    proof: PathLike = "proof.json",
    public: PathLike = "public.json",
    memory: str = "512M",
    parts: int = 16,
    shards: PathLike | None = None,
    seed: str | bytes | None = None,
    retries: int = 3,
    audit: bool = False,
    progress: Progress = None,
) -> Proved:
    """Proves with a Groth16 key on the workers of a cluster, verifies the proof, and writes it and the public values.

    ``work`` is a directory that every worker sees under this path; an interrupted proof is resumed from its contents.
    ``memory`` bounds the tasks of a worker. ``parts`` is the smallest number of tasks of a kind: choose at least twice the number of
    threads of the cluster. It is resumed only with the same memory, parts and number of threads here. ``shards`` is the
    sharded key of ``pairwright shard``, which is otherwise made in ``work``. A task that fails, or whose worker is gone, runs again
    up to ``retries`` times; one that is late runs on a second worker too. ``audit`` runs each task again on another worker
    before anything is written, and names a worker that wrote wrong bytes. Ctrl-C ends the proof within a
    second: waiting tasks are withdrawn, running ones end on their workers, and the same call resumes the proof.

    Raises :class:`Liar`, and the exceptions of the package if the command fails.
    """
    digits = seed.hex() if isinstance(seed, (bytes, bytearray)) else seed
    words = ["prove", os.fspath(key), os.fspath(witness)]
    words += option_words(
        {
            "output": proof,
            "public": public,
            "memory": memory,
            "parts": parts,
            "work": work,
            "shards": shards,
            "seed": digits,
        }
    )
    audited = 0
    with Watched(progress, "prove") as told:
        dispatcher = Dispatcher(client, retries, told or (lambda done, total, what: None))

        def run(tasks: _native.Tasks) -> None:
            nonlocal audited
            dispatcher(tasks)
            if audit:
                audited = dispatcher.audit(tasks)

        answer = json.loads(_native.prove_by(words, run))
    return Proved(answer, dispatcher, audited)


def sweep(
    client: Client,
    machine: str,
    parameters: Mapping[str, Iterable[Any]],
    *,
    cache: PathLike | None = None,
    progress: Progress = None,
    **options: Option,
) -> sim.SweepTable:
    """:func:`pairwright.sim.sweep` on the workers of a cluster: the same table.

    ``cache`` is a directory in which results are kept by the digest of their configuration and of the version: a sweep that was
    interrupted or extended computes only the new points.
    """
    with Watched(progress, "sweep") as told:
        workers = Cached(client, None if cache is None else Path(cache), told or (lambda done, total, what: None))
        return sim.sweep(machine, parameters, executor=workers, **options)


class Cached:
    """Calls of a function on a cluster, with a cache of their results."""

    def __init__(self, client: Client, folder: Path | None, tell: Callable[[int, int, str], object]) -> None:
        self.client = client
        self.folder = folder
        self.tell = tell
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)

    def map(self, function: Callable[..., dict[str, Any]], *arguments: Iterable[Any]) -> list[dict[str, Any]]:
        """The results of the function for all arguments, in order; each is cached as soon as it is known."""
        from distributed import as_completed

        points = list(zip(*arguments, strict=True))
        found: list[dict[str, Any]] = [{}] * len(points)
        futures = {}
        for i, point in enumerate(points):
            digest = hashlib.blake2b(json.dumps([_native.version(), point], default=str).encode(), digest_size=16).hexdigest()
            kept = None if self.folder is None else self.folder / f"{digest}.json"
            if kept is not None and kept.is_file():
                found[i] = json.loads(kept.read_text(encoding="utf-8"))
            else:
                futures[self.client.submit(run_function, function, point, key=f"pairwright-sweep-{digest}")] = (i, kept)
        done = len(points) - len(futures)
        for future in as_completed(list(futures)):
            i, kept = futures[future]
            found[i] = future.result()
            if kept is not None:
                _write(kept, json.dumps(found[i]))
            done += 1
            self.tell(done, len(points), str(points[i][1]))
        return found


def _write(path: Path, text: str) -> None:
    """Writes a file that appears only when it is complete."""
    part = path.with_suffix(f".{os.getpid()}.part")
    part.write_text(text, encoding="utf-8")
    part.replace(path)


def main(words: Sequence[str] | None = None) -> int:
    """The program ``python -m pairwright.scale``, which ``pairwright prove --cluster`` starts: a proof on an existing cluster, or
    on processes of this machine. Returns the exit code of the command."""
    parser = argparse.ArgumentParser(prog="python -m pairwright.scale", description="Groth16 proofs on a Dask cluster.")
    parser.add_argument("key", help="proving key (.zkey)")
    parser.add_argument("witness", help="witness (.wtns)")
    parser.add_argument("--cluster", metavar="ADDRESS", help="scheduler, such as tls://host:8786 [default: processes here]")
    parser.add_argument("--workers", type=int, default=2, help="processes, without --cluster [default: 2]")
    parser.add_argument("--work", metavar="DIR", help="directory that all workers see [default: a temporary one, for processes here]")
    parser.add_argument("--memory", default="512M", help="memory of a worker's tasks [default: 512M]")
    parser.add_argument("--parts", type=int, default=16, help="least number of tasks of a kind [default: 16]")
    parser.add_argument("--shards", metavar="DIR", help="sharded key of `pairwright shard`")
    parser.add_argument("-o", "--output", default="proof.json", help="file of the proof [default: proof.json]")
    parser.add_argument("--public", default="public.json", help="file of the public values [default: public.json]")
    parser.add_argument("--seed", help="secret randomness in hexadecimal digits, for a proof that can be made again")
    parser.add_argument("--audit", action="store_true", help="have every task done again by another worker, and compare")
    parser.add_argument(
        "--calibrate", metavar="FILE", help="measure this machine's tasks instead, for `pairwright sim cluster --measured FILE`"
    )
    parser.add_argument(
        "--compare", metavar=("KEY", "WITNESS"), nargs=2, action="append", default=[], help="proofs to compare predictions with (--calibrate)"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("-q", "--quiet", action="store_true", help="no bar")
    asked = parser.parse_args(words)
    if asked.cluster and not asked.work:
        parser.error("--cluster needs --work, a directory that all its workers see")
    if asked.compare and not asked.calibrate:
        parser.error("--compare needs --calibrate")
    if asked.calibrate and (asked.cluster or asked.audit or asked.json):
        parser.error("--calibrate measures processes of this machine: without --cluster, --audit and --json")
    try:
        if asked.calibrate:
            return _calibrate(asked)
        with ExitStack() as stack:
            work = asked.work or stack.enter_context(tempfile.TemporaryDirectory(prefix="pairwright-"))
            client = stack.enter_context(_client(asked.cluster, asked.workers, stack))
            made = prove(
                client,
                asked.key,
                asked.witness,
                work=os.path.abspath(work),
                proof=asked.output,
                public=asked.public,
                memory=asked.memory,
                parts=asked.parts,
                shards=asked.shards,
                seed=asked.seed,
                audit=asked.audit,
                progress=not asked.quiet and sys.stderr.isatty(),
            )
    except PairwrightError as why:
        rejected, internal = isinstance(why, Rejected), isinstance(why, InternalError)
        print(f"pairwright: {'rejected: ' if rejected else ''}{why}", file=sys.stderr)
        return 1 if rejected else 3 if internal else 2
    except OSError as why:
        print(f"pairwright: {asked.cluster or 'cluster'}: {why}", file=sys.stderr)
        return 2
    if asked.json:
        print(json.dumps({**made, "workers": made.workers, "repeated": made.repeated, "audited": made.audited}))
    else:
        audited = f", {made.audited} of them done twice and compared" if asked.audit else ""
        seconds = made["seconds"]["prove"]
        print(f"{asked.output}: proof by {len(made.workers)} workers, {made['plan']['tasks']} tasks{audited}, in {seconds:.2f} s")
    return 0


def _calibrate(asked: argparse.Namespace) -> int:
    """Measures, writes the calibration file, and prints the error of predictions."""
    tell = (lambda said: None) if asked.quiet else (lambda said: print(said, file=sys.stderr))
    text = calibrate(asked.key, asked.witness, compare=asked.compare, memory=asked.memory, parts=asked.parts, tell=tell)
    _write(Path(asked.calibrate), text)
    for row in json.loads(text)["compared"]:
        ratio = row["predicted"] / row["seconds"]
        size = f"2^{row['log_domain']} on {row['curve']}"
        print(f"{size}, {row['processes']} processes: {row['seconds']:.2f} s, predicted {row['predicted']:.2f} s ({ratio:.2f} times)")
    return 0


def _client(address: str | None, workers: int, stack: ExitStack) -> Client:
    """A client of the cluster at an address, or of a cluster of processes on this machine, which communicate over TLS."""
    from distributed import Client, LocalCluster
    from distributed.security import Security

    if address is not None:
        # Certificates are taken from Dask's configuration.
        return Client(address, security=Security())
    cluster = LocalCluster(
        n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=None, security=Security.temporary()
    )
    return Client(stack.enter_context(cluster))


if __name__ == "__main__":
    sys.exit(main())
