"""Measures the times of proof tasks on this machine, and the error of predictions for proofs that are run."""

from __future__ import annotations

import datetime
import json
import os
import platform
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _native
from ._circuit import PathLike
from ._command import Option, option_words
from ._dispatch import Dispatcher, settle

if TYPE_CHECKING:
    from distributed import Client

#: The version of the file.
VERSION = 1


class _Run:
    """A proof that was run by processes of this machine."""

    def __init__(self, processes: int, dispatcher: Dispatcher, tasks: _native.Tasks) -> None:
        self.processes = processes
        self.seconds = dispatcher.seconds
        self.work = sum(dispatcher.times.values())
        self.costs = tasks.costs()
        self.tasks = tasks.total
        self.curve, self.log_domain = tasks.setting

    def figures(self) -> dict[str, Any]:
        """The members that are written for the run."""
        return {
            "curve": self.curve,
            "log_domain": self.log_domain,
            "tasks": self.tasks,
            "processes": self.processes,
            "seconds": round(self.seconds, 4),
        }


class Bench:
    """Runs proofs on processes of this machine, and keeps the fastest of several runs."""

    def __init__(self, memory: str, parts: int, repeats: int, tell: Callable[[str], object]) -> None:
        self.memory = memory
        self.parts = parts
        self.repeats = repeats
        self.tell = tell

    def run(self, client: Client, processes: int, key: PathLike, witness: PathLike, then: Callable[[_native.Tasks], None]) -> _Run:
        """The fastest of several runs; ``then`` is called with the tasks of each run when they are finished."""
        client.wait_for_workers(processes)
        # Workers import the package before anything is timed.
        workers = client.scheduler_info(n_workers=-1)["workers"]
        client.gather([client.submit(settle, workers=[worker], pure=False) for worker in workers])
        found: list[_Run] = []
        for i in range(self.repeats):
            with tempfile.TemporaryDirectory(prefix="pairwright-") as folder:
                at = Path(folder)
                dispatcher = Dispatcher(client, 0, lambda done, total, what: None)

                def run(tasks: _native.Tasks, dispatcher: Dispatcher = dispatcher) -> None:
                    dispatcher(tasks)
                    found.append(_Run(processes, dispatcher, tasks))
                    then(tasks)

                options: dict[str, Option] = {"memory": self.memory, "parts": self.parts, "work": at / "work"}
                options |= {"output": at / "proof.json", "public": at / "public.json"}
                _native.prove_by(["prove", os.fspath(key), os.fspath(witness), *option_words(options)], run)
            said = f"{os.fspath(key)}, {processes} processes, run {i + 1} of {self.repeats}: {found[-1].seconds:.2f} s"
            self.tell(said)
        return min(found, key=lambda run: run.seconds)


def processor() -> str:
    """The processor's name, and the number of cores."""
    name, family, model = platform.processor() or platform.machine(), "", ""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    for line in lines:
        what, _, value = (part.strip() for part in line.partition(":"))
        if what == "model name":
            name = value
        elif what == "cpu family":
            family = value
        elif what == "model":
            model = value
        elif not what:
            break
    about = f" (family {family} model {model})" if family else ""
    return f"{name}{about}, {cores()} cores"


def cores() -> int:
    """The number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def calibrate(
    key: PathLike,
    witness: PathLike,
    *,
    compare: Sequence[tuple[PathLike, PathLike]] = (),
    processes: Sequence[int] = (1, 2, 4),
    memory: str = "512M",
    parts: int = 16,
    repeats: int = 3,
    tell: Callable[[str], object] = lambda said: None,
) -> str:
    """Measures the tasks of a proof on this machine; returns the text that ``pairwright sim cluster --measured`` reads.

    The factors of tasks come from a proof by one process; what cores cost each other from one by as many processes as there are
    cores. Then the proofs of ``compare`` (keys with their witnesses; the same proof if there is none, which says less) run on each
    number of processes, and stand beside their predictions. Each figure is of the fastest of ``repeats`` runs.
    """
    from distributed import Client, LocalCluster
    from distributed.security import Security

    bench = Bench(memory, parts, repeats, tell)
    compared: list[dict[str, Any]] = []

    def cluster(workers: int) -> LocalCluster:
        return LocalCluster(
            n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=None, security=Security.temporary()
        )

    have = cores()
    nothing: Callable[[_native.Tasks], None] = lambda tasks: None  # noqa: E731
    with cluster(1) as local, Client(local) as client:
        one = bench.run(client, 1, key, witness, nothing)
    crowding = 1.0
    if have > 1:
        with cluster(have) as local, Client(local) as client:
            crowding = max(1.0, bench.run(client, have, key, witness, nothing).work / one.work)
    handover = max(0.0, (one.seconds - one.work) / one.tasks)
    for workers in processes:
        with cluster(workers) as local, Client(local) as client:
            for other_key, other_witness in compare or [(key, witness)]:
                predicted: list[float] = []

                def predict(tasks: _native.Tasks, workers: int = workers, predicted: list[float] = predicted) -> None:
                    predicted.append(tasks.predict(one.costs, (workers, have), (crowding, handover)))

                found = bench.run(client, workers, other_key, other_witness, predict)
                compared.append({**found.figures(), "predicted": round(predicted[0], 4)})
    text = json.dumps(
        {
            "version": VERSION,
            "machine": processor(),
            "program": _native.version(),
            "date": datetime.datetime.now(tz=datetime.UTC).date().isoformat(),
            "of": one.figures(),
            "costs": json.loads(one.costs),
            "crowding": round(crowding, 4),
            "handover": round(handover, 6),
            "compared": compared,
        },
        indent=2,
    )
    _native.check_calibration("the calibration", text)
    return text + "\n"
