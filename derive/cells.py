#!/usr/bin/env python3
"""What synthesised blocks take of gates, time and energy, as constants that the models of machines read.

    python3 derive/cells.py > crates/sim/src/cells/measured.rs

`cargo x synth` keeps the syntheses in results/rtl and the counts of changing nets in results/rtl/energy. This script
copies them number by number, so that the models stand on these files without reading them; `cargo x gen --check`
notices when one has changed. Standard library only.
"""

import json
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent / "results" / "rtl"
# How a library's name begins, its name in answers, and nanometres of its process.
LIBRARIES = [("sky130", "SkyWater, 130 nm", 130.0), ("Nangate", "Nangate, 45 nm", 45.0)]


def reports(folder):
    return [json.loads(path.read_text()) for path in sorted(folder.glob("*.json"))]


def number(value):
    return repr(float(value))


def option(value):
    return "None" if value is None else f"Some({number(value)})"


def switched(counts):
    fields = ["driven", "pins_fj", "internal_fj"]
    return "SwitchingEnergy { " + ", ".join(f"{name}: {number(counts[name])}" for name in fields) + " }"


def count(energy):
    whole = [f"{name}: {energy[name]}" for name in ["cells", "registers", "interval"]]
    fields = ["volts", "area_um2", "nand2_um2", "clock_pins_fj", "clock_internal_fj", "leakage_nw", "path_ps"]
    yield "            count: Some(Count {"
    yield "                " + ", ".join(whole + [f"{name}: {number(energy[name])}" for name in fields]) + ","
    yield "                switched: ["
    for name in ["settled", "swallowed", "passed"]:
        yield f"                    {switched(energy[name])},"
    yield "                ],"
    yield "            }),"


def module(m):
    numbers = f"instances: {m['instances']}, registers: {m['registers']}, area_um2: {number(m['area_um2'])}"
    return f'Module {{ name: "{m["name"]}", {numbers}, path_ps: {option(m["path_ps"])} }},'


def block(report, energy):
    numbers = f"gates: {number(report['nand2'])}, registers: {report['registers']}"
    yield "        Block {"
    yield f'            name: "{report["block"]}", {numbers}, area_um2: {number(report["area_um2"])},'
    yield "            modules: &["
    for m in report["modules"]:
        yield f"                {module(m)}"
    yield "            ],"
    if energy is None:
        yield "            count: None,"
    else:
        yield from count(energy)
    yield "        },"


def main():
    syntheses, energies = reports(ROOT), reports(ROOT / "energy")
    counts = {(e["block"], e["library"]): e for e in energies}
    print("//! Gates, paths and energies of synthesised blocks: what `results/rtl` keeps, as constants.")
    print("//!")
    print("//! Derived: `python3 derive/cells.py > crates/sim/src/cells/measured.rs`. Do not edit.")
    print()
    print("use super::energy::{Count, SwitchingEnergy};")
    print("use super::{Block, Library, Module};")
    print()
    print("/// The libraries with the blocks that are synthesised in each. The first library has every block.")
    print("#[rustfmt::skip]")
    print(f"pub const LIBRARIES: [Library; {len(LIBRARIES)}] = [")
    written = 0
    for start, name, nm in LIBRARIES:
        print(f'    Library {{ name: "{name}", nm: {number(nm)}, blocks: &[')
        for report in syntheses:
            if report["library"].startswith(start):
                written += 1
                energy = counts.pop((report["block"], report["library"]), None)
                print("\n".join(block(report, energy)))
        print("    ] },")
    print("];")
    if written != len(syntheses) or counts:
        raise SystemExit("a file belongs to no library, or a count to no synthesis")


if __name__ == "__main__":
    main()
