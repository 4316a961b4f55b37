"""Proofs, farms and sweeps on a cluster of two processes: the results equal those of one process, even when workers fail."""

import json
import os
import resource
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import pairwright as pw
import pytest
from conftest import ROOT, VECTORS

pytest.importorskip("distributed")

from distributed import Client, LocalCluster
from distributed.security import Security
from pairwright import _native, farm, scale, sim

sys.path[:0] = [str(ROOT / "bench"), str(ROOT / "bench/out-of-core")]
import chain as chain_of
import processes

CUBE = VECTORS / "circom/cube/bn128"
SEED = "000102030405060708090a0b0c0d0e0f"


#: Memory limit of a worker in bytes.
MEMORY = 256 << 20


def limit(memory=MEMORY):
    """Sets the memory limit of a worker. A limit during its start could end it before it is watched."""
    resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))


def full(why):
    """The mark of a test that runs only with `cargo x python --full`."""
    return pytest.mark.skipif("PAIRWRIGHT_FULL" not in os.environ, reason=f"full: {why}")


@contextmanager
def two_workers():
    """A client of two single-threaded workers, which communicate over TLS."""
    cluster = LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, security=Security.temporary()
    )
    with cluster, Client(cluster) as client:
        client.wait_for_workers(2, timeout=60)
        yield client


@pytest.fixture(scope="module")
def client():
    with two_workers() as client:
        yield client


@pytest.fixture
def own_client():
    """A cluster for one test, which kills a worker: on a busy machine Dask may fail to start another one in its place."""
    with two_workers() as client:
        yield client


def made_chain(folder, log_rows, prime=processes.R):
    """Writes a key of 2^log_rows rows with its witness, and the proof of one process from a seed."""
    for name, data in zip(["c.r1cs", "c.wtns"], processes.chain(log_rows, 2, prime), strict=True):
        (folder / name).write_bytes(data)
    pw.setup(folder / "c.r1cs", folder / "c.zkey", unsafe_local=True)
    words = ["prove", str(folder / "c.zkey"), str(folder / "c.wtns"), "--seed", SEED]
    pw.command(*words, output=folder / "one.json", public=folder / "one-public.json")
    return folder


@pytest.fixture(scope="module")
def chain(tmp_path_factory):
    """A chain of 2^14 rows on BN254."""
    return made_chain(tmp_path_factory.mktemp("chain"), 14)


def proved(client, chain, tmp_path, most=MEMORY, **more):
    """Proves with workers of limited memory: the proof is that of one process."""
    client.run(limit, most)
    made = scale.prove(
        client,
        chain / "c.zkey",
        chain / "c.wtns",
        work=tmp_path / "work",
        proof=tmp_path / "proof.json",
        public=tmp_path / "public.json",
        seed=SEED,
        **{"memory": "128M", "parts": 4, **more},
    )
    assert (tmp_path / "proof.json").read_bytes() == (chain / "one.json").read_bytes()
    assert (tmp_path / "public.json").read_bytes() == (chain / "one-public.json").read_bytes()
    return made


def test_a_cluster_makes_the_proof_of_one_process(client, chain, tmp_path):
    seen = []
    made = proved(client, chain, tmp_path, audit=True, progress=lambda done, total, what: seen.append((done, total, what)))
    assert made.audited == sum(made.workers.values()) == seen[-1][0] == seen[-1][1] > 8
    assert len(made.workers) == 2 and made.repeated == 0
    assert made["status"] == "ok" and made["command"] == "prove"
    # The secret files are removed from the directory; the sharded key stays for the next proof.
    assert [path.name for path in (tmp_path / "work").iterdir()] == ["shards"]


def test_workers_have_no_more_memory_than_they_may(client):
    client.wait_for_workers(2, timeout=60)
    client.run(limit)
    assert set(client.run(resource.getrlimit, resource.RLIMIT_DATA).values()) == {(MEMORY, MEMORY)}
    with pytest.raises(MemoryError):
        client.submit(bytearray, MEMORY, pure=False).result()


# Each of these tests starts processes of its own, which takes some seconds.
LATER = [pytest.param(kind, marks=full("a cluster for each kind of task")) for kind in ("rows", "quotient", "a", "b1", "c")]


def linger(kind):
    """Makes this worker wait before each task of a kind, so that it can be stopped at it, however fast the task is."""
    from pairwright import _dispatch

    at_once = _dispatch._native.run_job

    def run_job(job):
        if json.loads(job)["task"]["name"].startswith(f"{kind}-"):
            time.sleep(0.5)
        return at_once(job)

    stand_in(run_job)


def stand_in(run_job):
    """Replaces the function that runs a worker's tasks."""
    from pairwright import _dispatch

    _dispatch._native = type("StandIn", (), {"run_job": staticmethod(run_job), "set_threads": _dispatch._native.set_threads})


@pytest.mark.parametrize("kind", ["columns", "b2", *LATER])
def test_a_worker_that_is_killed_loses_nothing(own_client, chain, tmp_path, kind):
    client = own_client
    pids = client.run(os.getpid)
    client.run(linger, kind)
    struck = []

    def strike(done, total, what):
        # The first worker that gets a task of this kind.
        held = client.processing().items()
        holders = [worker for worker, keys in held if any(str(key).startswith(f"pairwright-{kind}-") for key in keys)]
        if holders and not struck:
            struck.append(holders[0])
            os.kill(pids[holders[0]], signal.SIGKILL)

    proved(client, chain, tmp_path, progress=strike)
    assert struck


def test_a_task_that_is_late_runs_on_another_worker(client, chain, tmp_path, monkeypatch):
    from pairwright import _dispatch

    monkeypatch.setattr(_dispatch, "PATIENCE", 1.0)
    monkeypatch.setattr(_dispatch, "LOOK", 0.2)
    client.wait_for_workers(2, timeout=60)
    stopped = []

    def stop(done, total, what):
        # A worker that is stopped but still connected: Dask waits for it.
        if done == 3 and not stopped:
            stopped.append(sorted(client.run(os.getpid).values())[0])
            os.kill(stopped[0], signal.SIGSTOP)

    try:
        made = proved(client, chain, tmp_path, progress=stop)
    finally:
        for pid in stopped:
            os.kill(pid, signal.SIGCONT)
    assert stopped and made.repeated >= 1
    # The stopped worker resumes too late to leave files behind.
    client.run(os.getpid)
    assert [path.name for path in (tmp_path / "work").iterdir()] == ["shards"]


def test_a_scheduler_that_dies_ends_the_proof_and_another_goes_on(client, chain, tmp_path):
    lost = []
    with LocalCluster(n_workers=1, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        other = Client(cluster)

        def lose(done, total, what):
            if done == 4 and not lost:
                lost.append(done)
                cluster.close()

        with pytest.raises(Exception, match=r"(?i)cancel|closed|lost|scheduler"):
            proved(other, chain, tmp_path, progress=lose)
    assert lost and not (tmp_path / "proof.json").exists()
    made = proved(client, chain, tmp_path)
    assert made["plan"]["resumed"] >= 4


def test_a_proof_that_was_interrupted_goes_on(client, chain, tmp_path):
    class Enough(Exception):
        pass

    def stop(done, total, what):
        if done == 4:
            raise Enough

    with pytest.raises(Enough):
        proved(client, chain, tmp_path, progress=stop)
    assert not (tmp_path / "proof.json").exists()
    lines = (tmp_path / "work/done").read_text().splitlines()
    assert len(lines) >= 5, "a head and four tasks"
    made = proved(client, chain, tmp_path)
    assert made["plan"]["resumed"] >= 4


def lie(kind):
    """Makes this worker run something else for each task of a kind."""
    from pairwright import _dispatch

    truth = _dispatch._native.run_job

    def run_job(job):
        about = json.loads(job)
        task = about["task"]
        if task["op"] == kind == "msm" and not task["name"].endswith("-0"):
            # The values of other wires, without a digest check.
            values = task["inputs"][1]
            values["offset"] -= 32
            values.pop("digest", None)
        elif task["op"] == kind != "msm":
            # The factors of another block of the same size.
            task["block"] ^= 1
        return truth(json.dumps(about))

    stand_in(run_job)


def be_honest():
    from pairwright import _dispatch, _native

    _dispatch._native = _native


@pytest.mark.parametrize("kind", ["columns", "rows", "msm"])
def test_a_worker_that_lies_is_named(client, chain, tmp_path, kind):
    client.wait_for_workers(2, timeout=60)
    liar = sorted(client.scheduler_info(n_workers=-1)["workers"])[0]
    client.run(lie, kind, workers=[liar])
    try:
        with pytest.raises(scale.Liar, match=f"for task ({'a|b1|b2|c' if kind == 'msm' else kind})-") as caught:
            proved(client, chain, tmp_path, audit=True)
        assert caught.value.worker == liar
        assert not (tmp_path / "proof.json").exists()
        # Without an audit, the verification of the proof fails.
        with pytest.raises(pw.PairwrightError, match="does not verify"):
            proved(client, chain, tmp_path / "again")
    finally:
        client.run(be_honest, workers=[liar])


def test_an_audit_goes_around_a_worker_that_does_not_answer(client, chain, tmp_path, monkeypatch):
    from pairwright import _dispatch

    monkeypatch.setattr(_dispatch, "PATIENCE", 1.0)
    monkeypatch.setattr(_dispatch, "LOOK", 0.2)
    client.wait_for_workers(2, timeout=60)
    truth, stopped = _dispatch.Dispatcher.audit, []

    def audit(self, tasks):
        stopped.append(sorted(client.run(os.getpid).values())[0])
        os.kill(stopped[0], signal.SIGSTOP)
        return truth(self, tasks)

    monkeypatch.setattr(_dispatch.Dispatcher, "audit", audit)
    try:
        made = proved(client, chain, tmp_path, audit=True)
    finally:
        for pid in stopped:
            os.kill(pid, signal.SIGCONT)
    assert stopped and made.audited == sum(made.workers.values())


def test_a_damaged_region_is_named(client, chain, tmp_path):
    def damage(done, total, what):
        for path in (tmp_path / "work").glob("first.*"):
            with path.open("r+b") as file:
                file.write(b"\\xff" * 64)

    with pytest.raises(Exception, match="first"):
        proved(client, chain, tmp_path, progress=damage, retries=0)
    assert not (tmp_path / "proof.json").exists()


def test_damage_of_the_key_is_named(client, chain, tmp_path):
    """Points that were changed after the key was sharded: other valid bytes in the same section."""
    key, shards = tmp_path / "c.zkey", tmp_path / "shards"
    key.write_bytes((chain / "c.zkey").read_bytes())
    pw.command("shard", str(key), blocks=4, output=shards)
    section = json.loads((shards / "manifest.json").read_text())["sections"]["b2"]
    with key.open("r+b") as file:
        file.seek(section["offset"] + section["length"] // 2)
        # The low bytes of a coordinate, which stays below the modulus.
        file.write(bytes(8))
    with pytest.raises(pw.PairwrightError, match=r"c\.zkey: the \d+ bytes at offset \d+ are damaged"):
        scale.prove(
            client, key, chain / "c.wtns", work=tmp_path / "work", proof=tmp_path / "p.json", public=tmp_path / "q.json",
            memory="128M", parts=4, shards=shards, retries=0,
        )
    assert not (tmp_path / "p.json").exists()


def test_ctrl_c_ends_a_proof_and_the_same_call_goes_on(client, chain, tmp_path):
    seen = []

    def interrupt(done, total, what):
        seen.append((done, total))
        if done == 2:
            os.kill(os.getpid(), signal.SIGINT)
            # Long enough for the waiting thread to notice.
            time.sleep(1)

    with pytest.raises(KeyboardInterrupt):
        proved(client, chain, tmp_path, progress=interrupt)
    assert seen[-1][0] < seen[-1][1] and not (tmp_path / "proof.json").exists()
    made = proved(client, chain, tmp_path)
    assert made["plan"]["resumed"] >= 2


def test_a_farm_proves_what_it_can(client, tmp_path):
    good = (CUBE / "witness.wtns").read_bytes()
    for name in ["1", "2", "3"]:
        (tmp_path / f"{name}.wtns").write_bytes(good)
    (tmp_path / "bad.wtns").write_bytes(good[:-1])
    names = ["1", "bad", "2", "3"]
    made = farm.prove_many(
        client, CUBE / "cube.zkey", [tmp_path / f"{name}.wtns" for name in names], tmp_path / "out", max_in_flight=2, retries=0
    )
    assert [proof.good for proof in made] == [True, False, True, True]
    assert "bad.wtns" in made.failed[0].error
    key = pw.ProvingKey(CUBE / "cube.zkey").vkey()
    for proof in made:
        if proof.good:
            assert key.verify(proof.proof, proof.public)
    (tmp_path / "again").mkdir()
    with pytest.raises(pw.UsageError, match="1"):
        farm.prove_many(client, CUBE / "cube.zkey", [tmp_path / "1.wtns", tmp_path / "again/1.wtns"], tmp_path / "out")
    assert made.throughput > 0 and made.percentile(50) <= made.percentile(99)
    assert made.table["error"][0] is None and len(made.table) == 4


def test_a_queue_is_worked_off(client, tmp_path):
    inbox = tmp_path / "in"
    inbox.mkdir()
    good = (CUBE / "witness.wtns").read_bytes()
    (inbox / "one.wtns").write_bytes(good)
    (inbox / "two.wtns").write_bytes(good[:40])
    made = list(
        farm.serve(client, CUBE / "cube.zkey", inbox, tmp_path / "out", until=lambda: not list(inbox.glob("*.wtns")), retries=0)
    )
    assert sorted(proof.good for proof in made) == [False, True]
    assert sorted(path.name for path in inbox.iterdir()) == ["two.wtns.error", "two.wtns.failed"]
    assert "two.wtns" in json.loads((inbox / "two.wtns.error").read_text())["error"]


def test_a_sweep_is_that_of_one_process_and_is_kept(client, tmp_path):
    parameters = {"pes": [2, 4], "bandwidth": [64, 256]}
    options = {"workload": "merkle", "size": "2^10"}
    ours = sim.sweep("mtu", parameters, **options)
    seen = []
    theirs = scale.sweep(client, "mtu", parameters, cache=tmp_path, progress=lambda *told: seen.append(told), **options)
    here = {"simulation_s", "simulated_cycles_per_second"}
    models = [[{name: cell for name, cell in row.items() if name not in here} for row in table] for table in (ours, theirs)]
    assert models[0] == models[1] and len(seen) == 4
    assert len(list(tmp_path.glob("*.json"))) == 4
    wider = scale.sweep(
        client, "mtu", {**parameters, "pes": [2, 4, 8]}, cache=tmp_path, progress=lambda *told: seen.append(told), **options
    )
    assert len(wider) == 6 and len(seen) == 6, "what was known is not computed again"


@pytest.mark.skipif("PAIRWRIGHT_BIN" not in os.environ, reason="the command was not built with the module")
def test_the_command_proves_on_a_cluster(chain, tmp_path):
    # Without certificates, which would be set in Dask's configuration.
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        line = [os.environ["PAIRWRIGHT_BIN"], "prove", chain / "c.zkey", chain / "c.wtns", "--seed", SEED, "--memory", "512M"]
        line += ["--work", tmp_path / "work", "--cluster", cluster.scheduler_address, "--parts", "3"]
        line += ["-o", tmp_path / "p.json", "--public", tmp_path / "q.json", "--audit"]
        line = [str(word) for word in line]
        environment = os.environ | {"PAIRWRIGHT_PYTHON": sys.executable}
        done = subprocess.run(line, capture_output=True, text=True, cwd=tmp_path, env=environment)
        assert done.returncode == 0 and "proof by 2 workers" in done.stdout + done.stderr, done.stderr
        assert (tmp_path / "p.json").read_bytes() == (chain / "one.json").read_bytes()
        answer = json.loads(subprocess.check_output([*line, "--json"], cwd=tmp_path, env=environment))
        assert answer["command"] == "prove" and sum(answer["workers"].values()) == answer["plan"]["tasks"] == answer["audited"]
    with LocalCluster(n_workers=0, dashboard_address=None) as cluster:
        # No task is ever run.
        line[line.index("--cluster") + 1] = cluster.scheduler_address
        with subprocess.Popen(line, cwd=tmp_path, env=environment) as waits:
            children = Path(f"/proc/{waits.pid}/task/{waits.pid}/children")
            before = time.monotonic()
            while not (found := children.read_text().split()):
                assert waits.poll() is None and time.monotonic() < before + 60
            waits.send_signal(signal.SIGTERM)
            assert waits.wait(30) == -signal.SIGTERM
            assert not Path(f"/proc/{found[0]}").exists(), "the package goes on without the command"
    environment["PAIRWRIGHT_PYTHON"] = "/nowhere/python"
    done = subprocess.run(line, capture_output=True, text=True, cwd=tmp_path, env=environment)
    assert done.returncode == 2 and "/nowhere/python" in done.stderr


@pytest.fixture(scope="module", params=[("bn128", 20, 256, "160M"), ("bls12381", 18, 160, "100M")], ids=lambda of: f"{of[0]}-2^{of[1]}")
def long_chain(request, tmp_path_factory):
    """A chain, the memory of a worker, which is less than the size of the key, and the memory of its tasks."""
    curve, log_rows, megabytes, memory = request.param
    folder = made_chain(tmp_path_factory.mktemp("long"), log_rows, chain_of.PRIMES[curve])
    assert (folder / "c.zkey").stat().st_size > megabytes << 20
    return folder, megabytes << 20, memory


@full("minutes, and a gigabyte of files")
@pytest.mark.parametrize("workers", [2, 4])
def test_processes_prove_with_less_memory_than_the_key(long_chain, tmp_path, workers):
    chain, most, memory = long_chain
    cluster = LocalCluster(
        n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=None, security=Security.temporary()
    )
    with cluster, Client(cluster) as client:
        client.wait_for_workers(workers, timeout=60)
        made = proved(client, chain, tmp_path, most, memory=memory, parts=16)
        assert len(made.workers) == workers
        # Including the process and its libraries.
        peaks = client.run(lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10)
        print(f"{made['seconds']['prove']:.2f} s, peaks of {sorted(peaks.values())} MB")


def test_a_task_that_is_none_is_refused():
    with pytest.raises(pw.UsageError):
        _native.run_job("{}")


@full("a cluster of its own, as the command has one")
def test_the_program_proves_on_processes_of_its_own(chain, tmp_path):
    words = [sys.executable, "-m", "pairwright.scale", chain / "c.zkey", chain / "c.wtns", "--seed", SEED, "--parts", "3"]
    words += ["-o", tmp_path / "p.json", "--public", tmp_path / "q.json", "--audit"]
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "p.json: proof by 2 workers" in done.stdout and "compared" in done.stdout
    assert (tmp_path / "p.json").read_bytes() == (chain / "one.json").read_bytes()
    words[3] = tmp_path / "none.zkey"
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 2 and "none.zkey" in done.stderr.splitlines()[-1]


@full("half a minute of proofs on one process and on two")
def test_a_machine_is_measured_for_predictions(chain, tmp_path):
    text = scale.calibrate(chain / "c.zkey", chain / "c.wtns", processes=(1, 2), parts=4, repeats=1)
    found = json.loads(text)
    assert set(found["costs"]["factors"]) == {"columns", "rows", "quotient", "msm in G1", "msm in G2"}
    assert found["of"]["log_domain"] == 14 and found["of"]["processes"] == 1
    assert [row["processes"] for row in found["compared"]] == [1, 2]
    (tmp_path / "here.json").write_text(text)
    # Their accuracy is measured on a quiet machine, not here.
    assert all(row["predicted"] > 0 for row in found["compared"])
    told = pw.command("sim", "cluster", "--size", "2^14", "--curve", "bn128", "--measured", str(tmp_path / "here.json"), "--design", "local")
    assert told["measured"]["machine"] == found["machine"] and told["cluster"]["crowding"] == found["crowding"]
    with pytest.raises(pw.PairwrightError, match="version 2"):
        _native.check_calibration("x.json", text.replace('"version": 1', '"version": 2'))


@pytest.mark.skipif("PAIRWRIGHT_BIN" not in os.environ, reason="the command was not built with the module")
def test_sweeps_of_the_command_run_on_a_cluster(client, tmp_path):
    words = ["sim", "mtu", "--workload", "merkle", "--size", "2^8", "--sweep", "pes=2,3,4"]
    here = pw.command(*words, csv=tmp_path / "here.csv")
    with LocalCluster(n_workers=1, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        environment = os.environ | {"PAIRWRIGHT_PYTHON": sys.executable}
        line = [*words, "--cluster", cluster.scheduler_address, "--cache", str(tmp_path / "cache")]
        program = os.environ["PAIRWRIGHT_BIN"]
        for _ in range(2):
            out = subprocess.run(
                [program, "--json", *line, "--csv", str(tmp_path / "there.csv")], env=environment, capture_output=True, text=True, check=True
            )
            there = json.loads(out.stdout)
            assert "refused" in there["points"][1]
            for near, far in zip(here["points"], there["points"], strict=True):
                assert near["parameters"] == far["parameters"] and near.keys() == far.keys()
                # Numbers that were read from JSON may differ in the last digit; the cells of the table come as text.
                numbers = [name for name, value in near.items() if isinstance(value, (int, float))]
                assert {name: far[name] for name in numbers} == pytest.approx({name: near[name] for name in numbers}, rel=1e-12)
            assert (tmp_path / "there.csv").read_text() == (tmp_path / "here.csv").read_text()
            assert len(list((tmp_path / "cache").iterdir())) == 3
        wrong = subprocess.run([program, *line[:-4], "--sweep", "colour=1", *line[-4:]], env=environment, capture_output=True, text=True)
        assert wrong.returncode == 2 and "colour" in wrong.stderr
