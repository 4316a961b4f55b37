"""The module in its process: threads, forks, signals, progress, import time, the command."""

import io
import signal
import subprocess
import sys
import threading
import time

import pairwright as pw
import pytest
from pairwright._progress import Bar


def run(program: str, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", program, *words], capture_output=True, text=True, timeout=120, check=False)


def test_nothing_else_is_imported():
    done = run("import sys, pairwright; print([m for m in ('numpy', 'pandas', 'matplotlib', 'asyncio') if m in sys.modules])")
    assert done.stdout.strip() == "[]", done.stderr


def test_a_forked_process_computes_too():
    program = """
import os, pairwright as pw
one = pw.msm(pw.bn254.G1.generator * list(range(300)), list(range(300)))
child = os.fork()
if child == 0:
    ok = pw.msm(pw.bn254.G1.generator * list(range(300)), list(range(300))) == one
    os._exit(0 if ok else 1)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    done = run(program)
    assert done.stdout.strip() == "0", done.stderr


def test_threads_are_as_many_as_asked_for():
    before = pw.threads()
    pw.set_threads(3)
    assert pw.threads() == 3
    assert pw.msm(pw.bn254.G1.generator * [1, 2], [3, 4]) == pw.bn254.G1.generator * 11
    pw.set_threads(None)
    assert pw.threads() == before
    with pytest.raises(pw.UsageError, match="threads"):
        pw.set_threads(0)


def test_others_run_meanwhile():
    """While operators work, the interpreter's lock is free."""
    counted, stop = 0, False

    def count() -> None:
        nonlocal counted
        while not stop:
            counted += 1
            time.sleep(0)

    points = pw.bls12_381.G2.generator * list(range(1, 2000))
    other = threading.Thread(target=count)
    other.start()
    time.sleep(0.01)
    # On a busy machine the other thread may get no core during one sum, but not during fifty.
    during = 0
    for _ in range(50):
        before = counted
        pw.msm(points, list(range(1, 2000)))
        during += counted - before
        if during > 5:
            break
    stop = True
    other.join()
    assert during > 5


def test_progress_is_told_in_order(vectors):
    cube = vectors / "circom/cube/bls12381"
    told = []
    pw.ProvingKey(cube / "cube.zkey").prove(cube / "witness.wtns", progress=lambda *step: told.append(step))
    done = [d for d, _, _ in told]
    assert done == sorted(done) and max(done) > 0
    assert any("msm_g1" in what for _, _, what in told)
    totals = {total for _, total, _ in told}
    assert max(totals) == max(d for d, total, _ in told if total)


def test_what_progress_raises_ends_the_work(vectors):
    cube = vectors / "circom/cube/bn128"

    class Stop(Exception):
        pass

    def progress(done: int, total: int, what: str) -> None:
        raise Stop(what)

    with pytest.raises(Stop):
        pw.ProvingKey(cube / "cube.zkey").prove(cube / "witness.wtns", progress=progress)
    # The module still works.
    assert pw.ProvingKey(cube / "cube.zkey").prove(cube / "witness.wtns", progress=True).public == [35]


def test_a_bar_is_drawn_for_work_that_takes_long():
    to = io.StringIO()
    bar = Bar("prove", to)
    bar(1, 4, "msm")
    assert to.getvalue() == ""
    bar.begun -= 10
    bar.drawn -= 10
    bar(2, 4, "")
    assert "prove" in to.getvalue() and " 50%" in to.getvalue() and "msm" in to.getvalue()
    bar.close()
    assert to.getvalue().endswith("\r")


def test_ctrl_c_ends_the_work(vectors, circuits):
    program = """
import sys, pairwright as pw
cube = sys.argv[1]
key, witness = pw.ProvingKey(cube + "/cube.zkey"), pw.Witness(cube + "/witness.wtns")
print("begun", flush=True)
try:
    while True:
        key.prove(witness)
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""
    cube = vectors / "circom/cube/bn128"
    with subprocess.Popen([sys.executable, "-c", program, str(cube)], stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout.readline() == "begun\n"
        time.sleep(0.3)
        child.send_signal(signal.SIGINT)
        assert child.stdout.readline() == "interrupted\n"
        assert child.wait(30) == 0


def test_ctrl_c_ends_a_command(tmp_path):
    program = """
import sys, pairwright as pw
old, new = sys.argv[1:]
pw.command("powersoftau", "new", "bn128", "15", old)
print("begun", flush=True)
try:
    pw.command("powersoftau", "contribute", old, new)
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""
    old, new = tmp_path / "old.ptau", tmp_path / "new.ptau"
    with subprocess.Popen([sys.executable, "-c", program, str(old), str(new)], stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout.readline() == "begun\n"
        time.sleep(0.3)
        child.send_signal(signal.SIGINT)
        assert child.stdout.readline() == "interrupted\n"
        assert child.wait(30) == 0
    assert list(tmp_path.iterdir()) == [old], "neither the file nor a part of it"


def test_the_package_is_the_command_too(tmp_path):
    def call(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([sys.executable, "-m", "pairwright", *words], capture_output=True, text=True, timeout=120, check=False)

    assert call("--version").stdout.startswith(f"pairwright {pw.__version__}")
    done = call("inspect", str(tmp_path / "nothing"))
    assert done.returncode == 2 and "nothing" in done.stderr
    assert "mulmod" in call("gen", "kernel", "--op", "mulmod", "--bits", "256").stdout


def test_the_command_as_a_function(tmp_path):
    assert pw.command("gen", "targets")["command"] == "gen targets"
    assert pw.command("gen", "targets", threads=2)["status"] == "ok"
    with pytest.raises(pw.UsageError, match="threads"):
        pw.command("gen", "targets", threads=0)
    with pytest.raises(pw.UsageError, match="standard output"):
        pw.command("gen", "kernel", op="mulmod", bits=64, out="-")
    with pytest.raises(pw.FileError, match="no-such-file"):
        pw.inspect("no-such-file")
    with pytest.raises(pw.UsageError, match="Usage"):
        pw.command("frobnicate")


def test_the_environment_is_left_alone():
    """A call prints nothing, and an error is reported only as an exception."""
    done = run("import pairwright as pw; pw.command('gen', 'targets')\ntry: pw.inspect('x')\nexcept pw.FileError: pass")
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)
