//! Small netlists whose transitions and energies are worked out by hand.

use super::delays::Delays;
use super::events::{Events, ShortPulses};
use super::export::Lane;
use super::gates::Gates;
use super::lanes::Lanes;
use super::price;
use super::report::{Energy, Switching, energy_table};
use crate::synth::{Library, Mapped};
use crate::{Block, Signal};
use pairwright_sim::cells::{Choice, Pulses};

/// A supply of 2 V, femtofarads: a change of 1 fF costs 2 fJ. A NAND gate of pins of 1 and 3 fF takes 2 ns, an inverter of 5 fF
/// takes 1 ns; an adder of two bits of 1 and 2 fF takes 3 ns for its sum and 1 ns for its carry; a flip-flop of 7 fF has a clock of
/// 11 fF and takes 1 ns.
const LIBRARY: &str = "library (tiny) { time_unit : \"1ns\"; capacitive_load_unit (1, ff); leakage_power_unit : \"1nW\"; nom_voltage : 2;
  default_wire_load : w; wire_load (w) { capacitance : 0.5; slope : 2; fanout_length (1, 2); }
  cell (NAND2_1) { area : 1; cell_leakage_power : 10;
    pin (A) { direction : input; capacitance : 1; internal_power () { rise_power (s) { values (\"0.5\"); } fall_power (s) { values (\"1.5\"); } } }
    pin (B) { direction : input; capacitance : 3; }
    pin (Y) { direction : output; function : \"!(A&B)\";
      internal_power () { related_pin : A; rise_power (s) { values (\"4\"); } fall_power (s) { values (\"2\"); } }
      internal_power () { related_pin : B; rise_power (s) { values (\"10\"); } fall_power (s) { values (\"8\"); } }
      timing () { related_pin : A; timing_sense : negative_unate; cell_rise (s) { values (\"2\"); } rise_transition (s) { values (\"0\"); }
        cell_fall (s) { values (\"2\"); } fall_transition (s) { values (\"0\"); } }
      timing () { related_pin : B; timing_sense : negative_unate; cell_rise (s) { values (\"2\"); } rise_transition (s) { values (\"0\"); }
        cell_fall (s) { values (\"2\"); } fall_transition (s) { values (\"0\"); } } } }
  cell (INV) { area : 1; cell_leakage_power : 20; pin (A) { direction : input; capacitance : 5; }
    pin (Y) { direction : output; function : \"!A\";
      internal_power () { related_pin : A; rise_power (s) { values (\"1\"); } fall_power (s) { values (\"1\"); } }
      timing () { related_pin : A; timing_sense : negative_unate; cell_rise (s) { values (\"1\"); } rise_transition (s) { values (\"0\"); }
        cell_fall (s) { values (\"1\"); } fall_transition (s) { values (\"0\"); } } } }
  cell (HALF) { area : 3; cell_leakage_power : 5; pin (A) { direction : input; capacitance : 1; } pin (B) { direction : input; capacitance : 2; }
    pin (S) { direction : output; function : \"(A&!B) | (!A&B)\";
      internal_power () { related_pin : A; rise_power (s) { values (\"1\"); } fall_power (s) { values (\"1\"); } } internal_power () { related_pin : B; rise_power (s) { values (\"3\"); } fall_power (s) { values (\"3\"); } }
      timing () { related_pin : A; timing_sense : non_unate; cell_rise (s) { values (\"3\"); } rise_transition (s) { values (\"0\"); }
        cell_fall (s) { values (\"3\"); } fall_transition (s) { values (\"0\"); } }
      timing () { related_pin : B; timing_sense : non_unate; cell_rise (s) { values (\"3\"); } rise_transition (s) { values (\"0\"); }
        cell_fall (s) { values (\"3\"); } fall_transition (s) { values (\"0\"); } } }
    pin (C) { direction : output; function : \"A&B\";
      internal_power () { related_pin : A; rise_power (s) { values (\"10\"); } fall_power (s) { values (\"10\"); } } internal_power () { related_pin : B; rise_power (s) { values (\"20\"); } fall_power (s) { values (\"20\"); } }
      timing () { related_pin : A; timing_sense : positive_unate; cell_rise (s) { values (\"1\"); } rise_transition (s) { values (\"0\"); }
        cell_fall (s) { values (\"1\"); } fall_transition (s) { values (\"0\"); } }
      timing () { related_pin : B; timing_sense : positive_unate; cell_rise (s) { values (\"1\"); } rise_transition (s) { values (\"0\"); }
        cell_fall (s) { values (\"1\"); } fall_transition (s) { values (\"0\"); } } } }
  cell (DFF) { area : 4; cell_leakage_power : 40; ff (IQ, IQN) { clocked_on : CK; next_state : D; }
    pin (CK) { direction : input; capacitance : 11; internal_power () { rise_power (s) { values (\"6\"); } fall_power (s) { values (\"2\"); } } }
    pin (D) { direction : input; capacitance : 7; }
    pin (Q) { direction : output; function : IQ; internal_power () { related_pin : CK; rise_power (s) { values (\"3\"); } fall_power (s) { values (\"5\"); } }
      timing () { related_pin : CK; timing_type : rising_edge; cell_rise (s) { values (\"1\"); } rise_transition (s) { values (\"0\"); }
        cell_fall (s) { values (\"1\"); } fall_transition (s) { values (\"0\"); } } }
    pin (QN) { direction : output; function : IQN; } } }";

/// `q <= !(a & !a)` with the inverter in a module of its own: the NAND is high except for a pulse after each rise of
/// `a`.
const PULSE: &str = ".model m\n.inputs clk a\n.outputs q\n.subckt not x=a y=n\n.subckt NAND2_1 A=a B=n Y=d\n.subckt DFF CK=clk D=d Q=q\n\
                     .end\n.model not\n.inputs x\n.outputs y\n.subckt INV A=x Y=z\n.names z y\n1 1\n.end\n";
/// A flip-flop that toggles in every cycle in which `a` is high: `q <= !(a & q)`.
const RING: &str =
    ".model m\n.inputs clk a\n.outputs q\n.subckt NAND2_1 A=a B=q Y=d\n.subckt DFF CK=clk D=d Q=q\n.end\n";

fn library() -> Library {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), LIBRARY).unwrap();
    Library::read(file.path()).unwrap()
}

fn mapped(blif: &str) -> Mapped {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), blif).unwrap();
    Mapped::read(file.path()).unwrap()
}

fn block() -> Block {
    Block {
        name: "m".to_owned(),
        title: String::new(),
        inputs: vec![Signal::new("a", 1)],
        outputs: vec![Signal::new("q", 1)],
        registers: Vec::new(),
        latency: 1,
        interval: 1,
        text: String::new(),
        parts: Vec::new(),
        kernels: Vec::new(),
    }
}

/// Transitions of `a`, of the internal nets and of `q` for a sequence of `a`: without delays (in 64 equal lanes), and
/// with delays.
fn count(blif: &str, sequence: &[u64]) -> [Vec<u64>; 3] {
    let (library, mapped) = (library(), mapped(blif));
    let gates = Gates::of(&block(), &mapped.netlists, &library).unwrap();
    let delays = Delays::of(&gates, &library);
    let readers = gates.readers(&gates.order);
    let mut lanes = Lanes::new(&gates);
    lanes.settle(&[vec![sequence[0] * u64::MAX]], false);
    lanes.edge();
    let mut events = [ShortPulses::Swallowed, ShortPulses::Passed]
        .map(|short| Events::new(&gates, &delays, &readers, short, |net| lanes.value(net) & 1 == 1));
    for a in &sequence[1..] {
        lanes.settle(&[vec![*a * u64::MAX]], true);
        for events in &mut events {
            events.cycle(|_| *a == 1);
            assert!((0..gates.nets as u32).all(|net| events.value(net) == (lanes.value(net) & 1 == 1)));
        }
        lanes.edge();
    }
    let nets = [gates.inputs[0][0], gates.order.first().map_or(0, |gate| gates.outputs_of(*gate)[0])];
    let last = gates.order.last().map_or(0, |gate| gates.outputs_of(*gate)[0]);
    let nets = [nets[0], nets[1], last, gates.outputs[0][0]];
    let of = |toggles: &[u64]| nets.iter().map(|net| toggles[*net as usize]).collect::<Vec<u64>>();
    let [swallowed, passed] = &events;
    let one: Vec<u64> = lanes.toggles.iter().map(|toggles| toggles / 64).collect();
    [of(&one), of(&swallowed.toggles), of(&passed.toggles)]
}

#[test]
fn a_pulse_is_seen_by_gates_with_delays_only() {
    // Two rises and two falls: the pulse of 1 ns after a rise is shorter than the NAND's 2 ns.
    let [settled, swallowed, passed] = count(PULSE, &[0, 1, 0, 1, 0]);
    assert_eq!(settled, [4, 4, 0, 1]);
    assert_eq!(swallowed, [4, 4, 0, 1]);
    assert_eq!(passed, [4, 4, 4, 1]);
}

#[test]
fn a_register_hands_on_what_it_saw_at_the_edge() {
    // Before the first counted cycle q is 0 and d is 1. Both toggle in each of the three cycles with a = 1, and once
    // more in that with a = 0, since d was 0 in the previous one.
    let [settled, swallowed, passed] = count(RING, &[1, 1, 1, 1, 0]);
    assert_eq!(settled, [1, 4, 4, 4]);
    assert_eq!((swallowed, passed), (settled.clone(), settled));
}

#[test]
fn what_is_written_is_the_netlist_and_what_its_cells_did() {
    let (library, mapped, block) = (library(), mapped(RING), block());
    let gates = Gates::of(&block, &mapped.netlists, &library).unwrap();
    let delays = Delays::of(&gates, &library);
    let mut lanes = Lanes::new(&gates);
    let mut lane = Lane::new(&gates, 2300.0);
    for a in [1, 1, 1, 0] {
        lanes.settle(&[vec![a]], false);
        lane.cycle(&lanes);
        lanes.edge();
    }
    let folder = tempfile::tempdir().unwrap();
    let exported = lane.finish(&block, &gates, &library, &delays, folder.path()).unwrap();
    assert_eq!((exported.cycles, exported.cycle_ns), (4, 3));
    // Between these cycles `a` changes once, `q` three times, and the gate, which is high without `a`, twice; 2 fJ a fF, in four cycles.
    let [a, q, d] = [(1.0, 1.0), (3.0, 3.0), (2.0, 7.0)].map(|(changes, load)| changes * load * 2.0 / 4.0);
    assert_eq!(exported.switching.pins_fj, a + q + d);
    let read = |kind: &str| std::fs::read_to_string(folder.path().join(format!("m.{kind}"))).unwrap();
    let [netlist, changes] = ["v", "vcd"].map(read);
    let lines =
        ["module m (clk, n2, q_0);", "    NAND2_1 u0 (.A(n2), .B(n3), .Y(n5));", "    assign q_0 = n3;"];
    lines.iter().for_each(|line| assert!(netlist.lines().any(|found| found == *line), "{line}: {netlist}"));
    assert!(netlist.contains("DFF u1 (.CK(clk), .D(n5), .Q(n3), .QN(n4));"), "{netlist}");
    for part in ["$timescale 1 ns $end", "$scope module u0 $end\n$var wire 1 ", " Y $end", " n2 $end", "#9\n"]
    {
        assert!(changes.contains(part), "{part}: {changes}");
    }
}

/// A bit that counts the ones of `a`, with the carry inverted: `q <= a ^ q`.
const COUNT: &str = ".model m\n.inputs clk a\n.outputs q\n.subckt HALF A=a B=q S=d C=c\n.subckt INV A=c Y=n\n.subckt DFF CK=clk D=d \
                     Q=q\n.end\n";

#[test]
fn a_cell_with_two_outputs_changes_and_draws_at_each() {
    // With a = 1, q toggles in every cycle, and so do the carry and its inverse; the sum is its complement.
    let [settled, swallowed, _] = count(COUNT, &[1, 1, 1, 1, 1]);
    assert_eq!(settled, [0, 4, 4, 4]);
    assert_eq!(swallowed, settled);
    let (library, mapped) = (library(), mapped(COUNT));
    let gates = Gates::of(&block(), &mapped.netlists, &library).unwrap();
    let delays = Delays::of(&gates, &library);
    let (a, q) = (gates.inputs[0][0], gates.outputs[0][0]);
    // Outputs are in alphabetical order.
    let [carry, sum] = gates.outputs_of(gates.order[0]) else { panic!("two outputs") };
    assert_eq!([*carry, *sum].map(|net| delays.pins[net as usize]), [1, 1]);
    let mut toggles = vec![0; gates.nets];
    for (net, changes) in [(a, 2), (q, 6), (*carry, 8), (*sum, 4)] {
        toggles[net as usize] = changes;
    }
    let found = price::switching(&gates, &library, &delays, &toggles, 1);
    // A quarter of the input transitions are those of a, three quarters those of q, for either output; the flip-flop
    // takes 4 fJ a transition.
    let internal = 8.0 * (0.25 * 10.0 + 0.75 * 20.0) + 4.0 * (0.25 * 1.0 + 0.75 * 3.0) + 6.0 * 4.0;
    assert_eq!(found.internal_fj, Some(internal));
    // Pins: a drives 1 fF, q 2, the carry the inverter's 5, the sum the flip-flop's 7.
    assert_eq!(found.pins_fj, 2.0 * (2.0 * 1.0 + 6.0 * 2.0 + 8.0 * 5.0 + 4.0 * 7.0));
}

#[test]
fn energies_are_those_of_every_change() {
    let (library, mapped) = (library(), mapped(PULSE));
    let gates = Gates::of(&block(), &mapped.netlists, &library).unwrap();
    let delays = Delays::of(&gates, &library);
    let [a, n, d, q] = [
        gates.inputs[0][0],
        gates.outputs_of(gates.order[0])[0],
        gates.outputs_of(gates.order[1])[0],
        gates.outputs[0][0],
    ];
    let mut toggles = vec![0; gates.nets];
    for (net, changes) in [(a, 6), (n, 2), (d, 4), (q, 8)] {
        toggles[net as usize] = changes;
    }
    let found = price::switching(&gates, &library, &delays, &toggles, 2);
    // In two cycles: a has two pins of 6 fF together, n one of 3, d one of 7, q none; 2 fJ for a change of a femtofarad.
    let pins = 6.0 * 2.0 * 6.0 + 2.0 * 2.0 * 3.0 + 4.0 * 2.0 * 7.0;
    // Two pins have 2 + 2 units of wire of half a femtofarad, one has 2.
    let wires = 6.0 * 2.0 * 2.0 + (2.0 + 4.0) * 2.0 * 1.0;
    // Pin A takes 1 fJ a change; the NAND's output 3 fJ for three of four of its changes, 9 for the others; the inverter 1; Q 4.
    let internal = 6.0 * 1.0 + 4.0 * (0.75 * 3.0 + 0.25 * 9.0) + 2.0 * 1.0 + 8.0 * 4.0;
    let want = Switching {
        toggles: 20.0 / 2.0,
        driven: (6.0 * 2.0 + 2.0 + 4.0) / 2.0,
        pins_fj: pins / 2.0,
        short_wires_fj: Some(wires / 2.0),
        internal_fj: Some(internal / 2.0),
    };
    assert_eq!(found, want);
    let clock_and_leakage = price::clock_and_leakage(&gates, &library);
    assert_eq!(
        (clock_and_leakage.clock_pins_fj, clock_and_leakage.clock_internal_fj),
        (2.0 * 2.0 * 11.0, Some(8.0))
    );
    assert_eq!(clock_and_leakage.leakage_nw, Some(70.0));
}

#[test]
fn what_is_no_tree_of_cells_is_refused() {
    let library = library();
    let circle =
        ".model m\n.inputs clk a\n.outputs q\n.subckt NAND2_1 A=a B=q Y=n\n.subckt INV A=n Y=q\n.end\n";
    let unknown = ".model m\n.inputs clk a\n.outputs q\n.subckt XOR A=a Y=q\n.end\n";
    for (blif, cause) in [(circle, "circle"), (unknown, "cell for XOR"), ("", "module m")] {
        let mapped = mapped(blif);
        let error = Gates::of(&block(), &mapped.netlists, &library).map(|_| ()).unwrap_err().to_string();
        assert!(error.contains(cause), "{error}");
    }
}

fn energy() -> Energy {
    let switching = |toggles: f64| Switching {
        toggles,
        driven: 2.0 * toggles,
        pins_fj: 4.0 * toggles,
        short_wires_fj: None,
        internal_fj: Some(3.0 * toggles),
    };
    Energy {
        block: "m".to_owned(),
        library: "tiny".to_owned(),
        volts: 2.0,
        cells: 4,
        registers: 1,
        area_um2: 288.0,
        nand2_um2: 1.0,
        path_ps: 500.0,
        interval: 6,
        cycles: 12,
        delayed_cycles: 6,
        confirmed: 2,
        settled: switching(100.0),
        swallowed: switching(150.0),
        passed: switching(400.0),
        clock_pins_fj: 10.0,
        clock_internal_fj: Some(5.0),
        leakage_nw: Some(2000.0),
        seconds: 1.0,
    }
}

#[test]
fn an_operation_takes_its_cycles_with_wires_clock_and_leakage() {
    let energy = energy();
    let middle = energy.operation(&Choice::MIDDLE).unwrap();
    // A pitch is 10 µm, two of them are 4 fF, 8 fJ a change of a pin's wire.
    assert!((middle.data_fj - 6.0 * (150.0 * 7.0 + 300.0 * 8.0)).abs() < 1e-9, "{middle:?}");
    assert!((middle.clock_fj - 6.0 * (30.0 + 5.0)).abs() < 1e-9);
    assert!((middle.leakage_fj - 6.0).abs() < 1e-9);
    let [least, most] =
        [Choice::LEAST, Choice::MOST].map(|choice| energy.operation(&choice).unwrap().sum_fj());
    assert!((least - 6.0 * (100.0 * 7.0 + 200.0 * 4.0 + 25.0 + 1.0)).abs() < 1e-9);
    assert!((most - 6.0 * (400.0 * 7.0 + 800.0 * 20.0 + 55.0 + 1.0)).abs() < 1e-9);
    let settled = Choice { pulses: Pulses::Settled, ..Choice::MIDDLE };
    assert!((energy.operation(&settled).unwrap().data_fj - 6.0 * (100.0 * 7.0 + 200.0 * 8.0)).abs() < 1e-9);
    assert_eq!(energy.glitches(), 1.5);
    assert_eq!(Energy { leakage_nw: None, ..energy }.operation(&Choice::MIDDLE), None);
}

#[test]
fn what_the_library_does_not_say_is_not_compared_and_all_else_is() {
    let kept = energy();
    let mut now = Energy { leakage_nw: None, clock_internal_fj: None, seconds: 9.0, ..energy() };
    now.settled.internal_fj = None;
    assert_eq!(now.difference(&kept), None);
    assert_eq!(kept.difference(&now).unwrap(), "clock_internal_fj is not there");
    // A result of another build of the same tool.
    now.passed.pins_fj += 1.0;
    assert_eq!(now.difference(&kept), None);
    now.passed.pins_fj += 99.0;
    assert_eq!(now.difference(&kept).unwrap(), "pins_fj was 1600 and is 1700");
    let other = Energy { block: "n".to_owned(), ..energy() };
    assert!(other.difference(&kept).unwrap().contains("m in tiny"));
}

#[test]
fn the_book_has_every_energy_that_is_kept() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = std::fs::read_to_string(root.join("docs/book/src/rooms/rtl.md")).unwrap();
    let mut rows = 0;
    for file in std::fs::read_dir(root.join("results/rtl/energy")).unwrap() {
        let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
        let energy: Energy = serde_json::from_str(&text).unwrap();
        let table = energy_table(&[energy]);
        let row = table.lines().last().unwrap();
        assert!(page.contains(row), "{row}");
        rows += 1;
    }
    assert!(rows >= 6);
}
