"""Hands tasks to the workers of a Dask cluster: the functions that run there, and the loop that waits for them."""

from __future__ import annotations

import json
import os
import secrets
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from . import _native
from ._errors import PairwrightError

if TYPE_CHECKING:
    from distributed import Client, Future

#: A task is run a second time when it has taken this many times its expected time.
LATE = 3.0
#: Seconds before which no task counts as late.
PATIENCE = 5.0
#: Seconds between two checks of the running tasks.
LOOK = 1.0


class Liar(PairwrightError):
    """A worker has written wrong bytes for its task. ``worker`` and ``task`` name both."""

    def __init__(self, worker: str, task: str) -> None:
        super().__init__(f"worker {worker}: what it wrote for task {task} is not what the task gives")
        self.worker = worker
        self.task = task


def settle() -> str:
    """Sets the number of threads of this worker's operators to that of Dask; returns the worker's address."""
    from distributed import get_worker

    worker = get_worker()
    _native.set_threads(max(1, int(worker.state.nthreads)))
    return str(worker.address)


def run_job(job: str) -> tuple[str, str]:
    """Runs a task; returns its outcome as JSON, and the address of the worker."""
    worker = settle()
    return _native.run_job(job), worker


def run_aside(job: str) -> list[str]:
    """Runs a task with its outputs in a temporary folder; returns the digests of the outputs."""
    description = json.loads(job)
    with tempfile.TemporaryDirectory(prefix="pairwright-audit-") as folder:
        for region in description["task"]["outputs"]:
            path = os.path.join(folder, region["file"])
            description["files"][region["file"]]["path"] = path
            # Tasks create no files.
            open(path, "ab").close()
        description["durable"] = False
        outcome = json.loads(_native.run_job(json.dumps(description)))
    digests: list[str] = outcome["outputs"]
    return digests


def run_apart(job: str) -> list[str]:
    """:func:`run_aside` in a separate process, since all threads of this one may be waiting for the cluster."""
    code = "import json, sys; from pairwright._dispatch import run_aside; print(json.dumps(run_aside(sys.stdin.read())))"
    found = subprocess.run([sys.executable, "-c", code], input=job, stdout=subprocess.PIPE, text=True, check=True)
    digests: list[str] = json.loads(found.stdout)
    return digests


def audit_job(job: str) -> tuple[list[str], str]:
    """:func:`run_aside` on a worker; returns the address of the worker too."""
    worker = settle()
    return run_aside(job), worker


def run_command(words: list[str]) -> tuple[str, float, str]:
    """Runs the command; returns its JSON output, the time in seconds, and the address of the worker."""
    worker = settle()
    start = time.perf_counter()
    answer = _native.call(words)
    return answer, time.perf_counter() - start, worker


def run_function(function: Callable[..., dict[str, Any]], arguments: tuple[Any, ...]) -> dict[str, Any]:
    """Calls a function with the worker's threads."""
    settle()
    return function(*arguments)


@dataclass(eq=False)
class Running:
    """A task that was handed out, with the futures that compute it."""

    name: str
    job: str
    estimate: float
    since: float
    #: For an audit: the worker that ran the task first, which must not run it again.
    audited: str | None = None
    futures: list[Future] = field(default_factory=list)


@dataclass(frozen=True)
class Done:
    """A finished task: the worker that ran it, its description, and the digests of its outputs."""

    worker: str
    job: str
    outputs: list[str]


class Dispatcher:
    """Hands out the tasks of one proof as they become ready, and enters their outcomes."""

    def __init__(self, client: Client, retries: int, tell: Callable[[int, int, str], object]) -> None:
        self.client = client
        self.retries = retries
        self.tell = tell
        self.running: dict[Future, Running] = {}
        self.done: dict[str, Done] = {}
        #: Makes the Dask keys of this proof different from those of other runs, which may have been cancelled.
        self.run = secrets.token_hex(8)
        #: Ratios of the measured to the estimated time of tasks.
        self.ratios: list[float] = []
        #: Seconds that each task took.
        self.times: dict[str, float] = {}
        #: Seconds from the first task to the last.
        self.seconds = 0.0
        #: Number of tasks that were run a second time because they were late.
        self.repeated = 0
        #: Time at which the last task ended, by the monotonic clock.
        self.moved = 0.0

    def __call__(self, tasks: _native.Tasks) -> None:
        """Runs until every task of a plan is entered. An exception ends the proof; finished tasks are in its ledger."""
        start = time.monotonic()
        self._until_done(tasks, lambda: self._hand_out(tasks), lambda task, result: self._enter(tasks, task, result))
        self.seconds = time.monotonic() - start

    def _until_done(
        self, tasks: _native.Tasks, hand_out: Callable[[], object], enter: Callable[[Running, Any], object]
    ) -> None:
        """Hands out tasks and enters their results until none is left, or the proof has to end."""
        try:
            hand_out()
            while self.running:
                tasks.go_on()
                for future in self._ended():
                    task, result = self._result(future)
                    if task is not None:
                        self.moved = time.monotonic()
                        enter(task, result)
                self._repeat_late()
                hand_out()
        finally:
            for future in self.running:
                future.cancel()
            self.running.clear()

    def _ended(self) -> list[Future]:
        """Waits at most LOOK seconds for futures that end."""
        from distributed import wait

        try:
            return list(wait(list(self.running), timeout=LOOK, return_when="FIRST_COMPLETED").done)
        except TimeoutError:
            return []

    def _hand_out(self, tasks: _native.Tasks) -> None:
        for name, urgency, estimate, job in tasks.ready():
            self._submit(Running(name, job, estimate, time.monotonic()), priority=urgency)

    def _submit(self, task: Running, *, priority: float, suffix: str = "", workers: list[str] | None = None) -> None:
        future = self.client.submit(
            run_job if task.audited is None else audit_job,
            task.job,
            key=f"pairwright-{'' if task.audited is None else 'audit-'}{task.name}-{self.run}{suffix}",
            retries=self.retries,
            priority=priority,
            workers=workers,
            allow_other_workers=workers is not None and task.audited is None,
        )
        task.futures.append(future)
        self.running[future] = task

    def _result(self, future: Future) -> tuple[Running | None, Any]:
        """The task of a future that has ended, with its result; no task if there is no new result."""
        task = self.running.pop(future, None)
        if task is None:
            return None, None
        try:
            result = future.result(timeout=PATIENCE)
        except TimeoutError:
            # The task is finished, but its worker, which holds the outcome, does not answer.
            self._elsewhere(task, future)
            return None, None
        for other in task.futures:
            if self.running.pop(other, None) is not None:
                other.cancel()
        return task, result

    def _enter(self, tasks: _native.Tasks, task: Running, result: tuple[str, str]) -> None:
        outcome, worker = result
        about = json.loads(outcome)
        tasks.enter(outcome)
        self.done[task.name] = Done(worker, task.job, about["outputs"])
        self.times[task.name] = about["seconds"]
        self.ratios.append(about["seconds"] / max(task.estimate, 1e-6))
        self.tell(tasks.done, tasks.total, task.name)

    def _elsewhere(self, task: Running, future: Future) -> None:
        """Runs a task again on workers that do not hold the future, unless it is running there already."""
        holders = {worker for workers in self.client.who_has([future]).values() for worker in workers}
        future.cancel()
        if any(other in self.running for other in task.futures):
            return
        others = [worker for worker in self._workers() if worker not in holders and worker != task.audited]
        if others or task.audited is None:
            self._repeat(task, others or None)
        else:
            self._compare(task, None)

    def _repeat(self, task: Running, workers: list[str] | None) -> None:
        self.repeated += 1
        task.since = time.monotonic()
        self._submit(task, priority=0.0, suffix=f"-{len(task.futures)}", workers=workers)

    def _workers(self) -> list[str]:
        return list(self.client.scheduler_info(n_workers=-1)["workers"])

    def _repeat_late(self) -> None:
        """If workers are idle, runs tasks a second time that take far longer than expected."""
        if len(self.ratios) < 3:
            return
        now, usual = time.monotonic(), statistics.median(self.ratios)

        def waited(task: Running) -> float:
            # Tasks of an audit wait in a queue: they are late only if no other task ends.
            return now - (task.since if task.audited is None else max(task.since, self.moved))

        late = [
            task
            for task in dict.fromkeys(self.running.values())
            if sum(future in self.running for future in task.futures) == 1 and waited(task) > max(PATIENCE, LATE * usual * task.estimate)
        ]
        if not late:
            return
        processing = self.client.processing()
        idle = [worker for worker, keys in processing.items() if not keys]
        for task in late:
            free = [worker for worker in idle if worker != task.audited]
            if free:
                idle.remove(free[0])
                self._repeat(task, [free[0]])
            elif task.audited is not None and idle:
                # No other worker is left to run it again.
                self._give_up(task)
                self._compare(task, None)

    def _give_up(self, task: Running) -> None:
        for future in task.futures:
            if self.running.pop(future, None) is not None:
                future.cancel()

    def audit(self, tasks: _native.Tasks) -> int:
        """Runs every task again on another worker, and compares the outputs. Returns the number of tasks.

        A worker that does not answer is replaced by another one, or by this process if no other is left. If two results differ,
        this process runs the task too and decides. Raises :class:`Liar`.
        """
        every = self._workers()
        self.moved = time.monotonic()
        estimates = statistics.median(self.ratios) if self.ratios else 1.0
        asked: set[str] = set()

        def ask() -> None:
            for name, done in self.done.items():
                if name in asked:
                    continue
                asked.add(name)
                others = [worker for worker in every if worker != done.worker] or every
                estimate = self.times.get(name, 0.0) / max(estimates, 1e-6)
                task = Running(name, done.job, estimate, time.monotonic(), audited=done.worker)
                self._submit(task, priority=0.0, workers=others)

        self._until_done(tasks, ask, self._compare)
        return len(asked)

    def _compare(self, task: Running, result: tuple[list[str], str] | None) -> None:
        """Compares the outputs of a task with those of its second run; without a result this process runs it."""
        done = self.done[task.name]
        if result is not None and result[0] == done.outputs:
            return
        truth = run_apart(done.job)
        if truth != done.outputs:
            raise Liar(done.worker, task.name)
        if result is not None and truth != result[0]:
            raise Liar(result[1], task.name)
