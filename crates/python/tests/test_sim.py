"""Models of machines as tables, and generated kernels."""

import sys
from concurrent.futures import ThreadPoolExecutor

import pandas
import pairwright as pw
import pyarrow
import pytest


def test_a_run_is_what_the_command_prints():
    run = pw.sim.mtu(workload="merkle", size="2^10", pes=8, bandwidth=256)
    assert (run["command"], run["status"], run["pes"], run["size"]) == ("sim mtu", "ok", 8, 1024)
    row = next(iter(run.table))
    assert row["cycles"] == run["cycles"] and row["energy_j"] > 0 and "account.config.pes" in row
    assert "command" not in row
    frame = run.to_pandas()
    assert frame.shape[0] == 1 and frame["cycles"][0] == run["cycles"]
    assert "<table>" in run._repr_html_() and "cycles" in run._repr_html_()


@pytest.mark.parametrize(
    ("machine", "options", "part"),
    [
        ("ntt", {"size": "2^8"}, "poly 0"),
        ("msm", {"size": "2^6"}, "msm"),
        ("pairing", {}, "issue"),
        ("groth16", {"size": "2^8"}, "INTT a"),
        ("mtu", {"workload": "merkle", "size": "2^8"}, "hashes"),
        ("aie", {}, "empty"),
        ("aie_board", {}, "engines"),
        ("aie_msm", {"size": "2^12"}, "accumulation"),
        ("cluster", {"size": "2^14"}, "msm in G2"),
    ],
)
def test_a_run_shows_what_its_time_goes_to(machine, options, part):
    run = pw.sim.run(machine, **options)
    name, unit = run.parts.columns
    assert name == "part" and part in run.parts[name] and all(number >= 0 for number in run.parts[unit])
    assert "<svg" in run._repr_html_() and part in run._repr_html_()


def test_the_machines_run():
    assert pw.sim.ntt(size="2^8")["cycles"] > 0
    assert pw.sim.pairing()["cycles"] > 0
    assert pw.sim.aie()["command"] == "sim aie"
    assert pw.sim.run("msm", size="2^8")["command"] == "sim msm"
    with pytest.raises(pw.UsageError, match="no machine 'abacus'"):
        pw.sim.run("abacus")
    with pytest.raises(pw.UsageError, match="--colour"):
        pw.sim.ntt(colour="red")
    with pytest.raises(pw.UsageError, match="power of two"):
        pw.sim.mtu(workload="merkle", size=1000)


@pytest.mark.parametrize("executor", [None, ThreadPoolExecutor(2)])
def test_sweeps_are_tables(executor):
    table = pw.sim.sweep("mtu", {"pes": [2, 4], "size": ["2^8", "2^9"]}, workload="merkle", executor=executor)
    assert table["pes"] == [2, 2, 4, 4] and table["size"] == ["2^8", "2^9"] * 2
    alone = pw.sim.mtu(workload="merkle", size="2^9", pes=4)
    assert table["cycles"][3] == alone["cycles"]
    assert "<table>" in table._repr_html_() and table.y == "cycles"


def test_a_point_that_is_refused_says_why():
    table = pw.sim.sweep("mtu", {"pes": [3, 4]}, workload="merkle", size="2^8")
    assert table["refused"][0] and table["refused"][1] is None and table["cycles"][0] is None
    with pytest.raises(pw.UsageError, match="no point"):
        pw.sim.sweep("mtu", {"pes": [3]}, workload="merkle", size="2^8")
    with pytest.raises(pw.UsageError, match="no points"):
        pw.sim.sweep("mtu", {"pes": []})


def test_tables_are_read_by_arrow():
    table = pw.Table({"n": [1, None], "x": [0.5, 2], "word": ["a", "b"], "yes": [True, None], "none": [None, None]})
    arrow = pyarrow.table(table)
    assert arrow.to_pydict() == {
        "n": [1, None],
        "x": [0.5, 2.0],
        "word": ["a", "b"],
        "yes": [True, None],
        "none": [None, None],
    }
    assert [str(kind) for kind in arrow.schema.types] == ["int64", "double", "string", "bool", "string"]
    assert pandas.DataFrame.from_arrow(table).shape == (2, 5) if hasattr(pandas.DataFrame, "from_arrow") else True
    assert pyarrow.table(pw.Table({})).num_columns == 0
    large = pw.Table({"n": list(range(100_000)), "big": [2**70] * 100_000})
    for _ in range(3):
        assert pyarrow.table(large)["n"].to_pylist()[-1] == 99_999
    # A stream that is never read is freed.
    del arrow
    large.__arrow_c_stream__()
    with pytest.raises(pw.UsageError, match="lengths"):
        pw.Table({"a": [1], "b": []})


def test_reports_of_proofs_are_tables(vectors):
    cube = vectors / "circom/cube/bn128"
    report = pw.ProvingKey(cube / "cube.zkey").prove(cube / "witness.wtns").report
    operators = report.table["operator"]
    assert "msm_g1" in operators and "msm_g2" in operators
    assert all(kind == "measured" for kind in report.table["kind"])
    assert pyarrow.table(report).num_rows == len(operators) == len(report.to_pandas())
    assert "msm_g2" in report._repr_html_()


def test_kernels_are_those_of_the_command(tmp_path):
    text = pw.gen.kernel(op="mulmod", bits=381, target="c")
    pw.command("gen", "kernel", op="mulmod", bits=381, target="c", out=tmp_path / "kernel.h")
    assert (tmp_path / "kernel.h").read_text() == text
    files = pw.gen.field(modulus=pw.bn254.Fr.modulus, target="c", out=tmp_path / "field")
    assert files and all((tmp_path / "field" / name).read_text() == content for name, content in files.items())
    assert "c" in pw.gen.targets()["name"]
    assert pw.gen.explain(op="addmod", bits=128)["steps"]
    with pytest.raises(pw.UsageError):
        pw.gen.kernel(op="divmod", bits=381)


def test_pictures_are_drawn_where_matplotlib_is(monkeypatch, vectors):
    table = pw.sim.sweep("mtu", {"pes": [2, 4, 16]}, workload="merkle", size="2^8")
    assert "<svg" in table._repr_html_()
    axes = table.plot("pes", "energy_j").axes[0]
    assert (axes.get_xlabel(), axes.get_ylabel(), axes.get_xscale()) == ("pes", "energy_j", "log")
    assert list(axes.lines[0].get_xdata()) == [2, 4, 16]
    cube = vectors / "circom/cube/bn128"
    report = pw.ProvingKey(cube / "cube.zkey").prove(cube / "witness.wtns").report
    assert "<svg" in report._repr_html_()
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    assert "<svg" not in table._repr_html_() and "<table>" in report._repr_html_()
