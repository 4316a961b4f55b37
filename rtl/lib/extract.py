#!/usr/bin/env python3
"""Extracts the cells that synthesis and timing need from a Liberty file.

    python3 rtl/lib/extract.py sky130_fd_sc_hd__tt_025C_1v80.lib > rtl/lib/sky130_fd_sc_hd.lib

Kept of each cell: area, pins with direction, function and capacitance, flip-flops, tables of delays and transitions. Left out:
power, noise, wells, and cells for scan, level shifting, delays and fillers. Numbers are those of the file.
"""

import hashlib
import re
import sys

PREFIX = "sky130_fd_sc_hd__"
DRIVES = {
    "inv": (1, 2, 4, 8, 16), "buf": (1, 2, 4, 8, 16),
    "nand2": (1, 2, 4), "nor2": (1, 2, 4), "xor2": (1, 2), "xnor2": (1, 2), "mux2": (1, 2), "dfxtp": (1, 2, 4), "conb": (1,),
    "fa": (1,), "ha": (1,), "maj3": (1, 2), "mux2i": (1, 2), "and2": (1, 2), "or2": (1, 2),
}
SINGLE = (
    "nand3 nand4 nor3 nor4 and3 and4 or3 or4 nand2b nand3b nor2b nor3b and2b and3b or2b or3b a21o a21oi a21bo a21boi a22o a22oi "
    "a31o a31oi a32o a32oi a211o a211oi a221o a221oi a311o a311oi a2111oi a222oi o21a o21ai o21ba o21bai o22a o22ai o31a o31ai "
    "o32a o32ai o211a o211ai o221a o221ai o311a o311ai o2111ai a2bb2oi o2bb2ai"
).split()
CELLS = [PREFIX + f"{name}_{drive}" for name, drives in DRIVES.items() for drive in drives]
CELLS += [PREFIX + f"{name}_1" for name in SINGLE]
TABLES = ("cell_rise", "cell_fall", "rise_transition", "fall_transition", "rise_constraint", "fall_constraint")
TIMING = ("related_pin", "timing_sense", "timing_type", "when")
PIN = ("direction", "function", "capacitance", "max_capacitance", "clock")
UNITS = (
    "delay_model", "time_unit", "voltage_unit", "current_unit", "pulling_resistance_unit", "leakage_power_unit",
    "capacitive_load_unit", "nom_voltage", "nom_temperature", "nom_process", "default_max_transition",
    "input_threshold_pct_fall", "input_threshold_pct_rise", "output_threshold_pct_fall", "output_threshold_pct_rise",
    "slew_derate_from_library", "slew_lower_threshold_pct_fall", "slew_lower_threshold_pct_rise",
    "slew_upper_threshold_pct_fall", "slew_upper_threshold_pct_rise",
)
TOKEN = re.compile(r'"(?:[^"\\]|\\.|\\\n)*"|[A-Za-z0-9_.+\-*]+|[(){}:;,]')


class Group:
    def __init__(self, kind, name):
        self.kind, self.name, self.attributes, self.groups = kind, name, [], []

    def get(self, key):
        return next((value for name, value in self.attributes if name == key), None)


def parse(text):
    tokens = TOKEN.findall(re.sub(r"/\*.*?\*/", " ", text, flags=re.S))
    at = 0

    def body(group):
        nonlocal at
        while tokens[at] != "}":
            key = tokens[at]
            at += 1
            if tokens[at] == ":":
                end = tokens.index(";", at)
                group.attributes.append((key, " ".join(tokens[at + 1 : end])))
                at = end + 1
                continue
            end = tokens.index(")", at)
            arguments = [token for token in tokens[at + 1 : end] if token != ","]
            at = end + 1
            if at < len(tokens) and tokens[at] == "{":
                at += 1
                child = Group(key, arguments)
                body(child)
                group.groups.append(child)
            else:
                group.attributes.append((key, arguments))
                at += tokens[at] == ";"
        at += 1

    assert tokens[0] == "library"
    end = tokens.index(")")
    library = Group("library", tokens[2:end])
    at = end + 2
    body(library)
    return library


def short(number):
    return f"{float(number):.7g}"


def numbers(text):
    return '"' + ", ".join(short(part) for part in text.strip('"').replace("\\\n", " ").split(",")) + '"'


def write(out, group, indent):
    pad = "  " * indent
    name = ", ".join(group.name)
    out.append(f"{pad}{group.kind} ({name}) {{")
    for key, value in group.attributes:
        if isinstance(value, list):
            value = [numbers(v) if v.startswith('"') and key in ("values", "index_1", "index_2") else v for v in value]
            if key == "values":
                rows = (",\n" + pad + "    ").join(value)
                out.append(f"{pad}  {key} (\n{pad}    {rows});")
            else:
                out.append(f"{pad}  {key} ({', '.join(value)});")
        else:
            if re.fullmatch(r"-?[0-9.]+(e[+-]?[0-9]+)?", value):
                value = short(value)
            out.append(f"{pad}  {key} : {value};")
    for child in group.groups:
        write(out, child, indent + 1)
    out.append(f"{pad}}}")


def kept(group, attributes, groups):
    result = Group(group.kind, group.name)
    result.attributes = [(key, value) for key, value in group.attributes if key in attributes]
    result.groups = [child for child in map(groups, group.groups) if child]
    return result


def table(group):
    return group if group.kind in TABLES else None


def pin_part(group):
    return kept(group, TIMING, table) if group.kind == "timing" else None


def cell_part(group):
    if group.kind == "ff":
        return group
    return kept(group, PIN, pin_part) if group.kind == "pin" else None


def main():
    data = open(sys.argv[1], "rb").read()
    library = parse(data.decode())
    cells = {cell.name[0].strip('"'): cell for cell in library.groups if cell.kind == "cell"}
    missing = [name for name in CELLS if name not in cells]
    if missing:
        sys.exit(f"no cells {missing}")
    result = Group("library", library.name)
    result.attributes = [(key, value) for key, value in library.attributes if key in UNITS]
    chosen = [kept(cells[name], ("area",), cell_part) for name in sorted(CELLS)]
    used = set()

    def collect(group):
        if group.kind in TABLES:
            used.add(group.name[0])
        for child in group.groups:
            collect(child)

    for cell in chosen:
        collect(cell)
    result.groups = [g for g in library.groups if g.kind == "lu_table_template" and g.name[0] in used] + chosen
    out = [
        "/* Cells of the SkyWater Open Source PDK, library sky130_fd_sc_hd, typical corner, 25 C, 1.8 V.",
        "   Copyright 2020 The SkyWater PDK Authors. Licensed under the Apache License, Version 2.0.",
        "   Extracted by rtl/lib/extract.py from a file with the SHA-256 sum",
        f"   {hashlib.sha256(data).hexdigest()}; changed in that it holds fewer cells and tables. */",
    ]
    write(out, result, 0)
    print("\n".join(out))


main()
