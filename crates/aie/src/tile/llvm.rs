//! Compares the description of the engine with the processor model of AMD's LLVM port (`vectors/aie/SOURCE.md`): slots,
//! latencies, ports.

use super::machine::{INSTRUCTION, Tile};
use pairwright_sim::schedule::Class;
use std::collections::BTreeSet;

/// Slots of the port, and their names in the description.
const SLOTS: [(&str, &str); 7] = [
    ("lda", "load"),
    ("ldb", "load"),
    ("st", "store"),
    ("alu", "scalar"),
    ("mv0", "move 0"),
    ("mv1", "move 1"),
    ("vec", "vector"),
];

/// The issue slots that a class can occupy `at` cycles after its start, over all its alternatives.
fn issued(class: &Class, at: u32) -> BTreeSet<&str> {
    let taken = class.ways.iter().flatten().filter(|u| (u.from..u.from + u.cycles).contains(&at));
    taken.map(|u| u.slot.as_str()).filter(|slot| INSTRUCTION.contains(slot)).collect()
}

/// The cycles in which each alternative of a class occupies every unit of a slot.
fn whole(tile: &Tile, class: &Class, slot: &str) -> Vec<(u32, u32)> {
    let count = tile.machine.slots.iter().find(|s| s.name == slot).unwrap().count as usize;
    let each = |way: &Vec<_>| {
        let uses: Vec<_> = way.iter().filter(|u: &&pairwright_sim::schedule::Use| u.slot == slot).collect();
        assert_eq!(uses.len(), count, "{}", class.name);
        assert!(uses.windows(2).all(|u| u[0] == u[1]), "{}", class.name);
        (uses[0].from, uses[0].cycles)
    };
    class.ways.iter().map(each).collect()
}

#[test]
fn slots_and_latencies_are_those_of_the_llvm_port() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../vectors/aie/llvm-aie1.csv");
    let text = std::fs::read_to_string(path).unwrap();
    let tile = Tile::first_generation();
    let mut lines = 0;
    for line in text.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let [name, slots, latency, port, from, cycles, ..] = cells[..] else { panic!("{line}") };
        let class = &tile.machine.classes[tile.machine.class(name).unwrap()];
        let number = |cell: &str| cell.parse::<u32>().unwrap();
        let ours: BTreeSet<&str> = slots
            .split(' ')
            .map(|slot| SLOTS.iter().find(|(theirs, _)| *theirs == slot).unwrap().1)
            .collect();
        // A lock is issued in the middle of the cycles for which it blocks loads and stores.
        let issue = class.reads.get("lock").copied().unwrap_or(0);
        let at_issue = issued(class, issue);
        match port {
            "LOCK" => {
                // Within the five cycles before or after a lock, only loads and stores also use the lock's interface.
                let apart = number(cycles);
                for slot in ["load", "store"] {
                    for (first, taken) in whole(&tile, class, slot) {
                        assert_eq!((issue - first, taken), (apart - 1, 2 * apart - 1), "{name}");
                    }
                }
                assert_eq!(at_issue, ours.into_iter().chain(["load", "store"]).collect(), "{name}");
            }
            _ => assert_eq!(at_issue, ours, "{name}"),
        }
        if port == "VECTOR_REG_READ" {
            let reads: Vec<_> = class.ways.iter().flatten().filter(|u| u.slot == "vector read").collect();
            assert_eq!(reads.len(), class.ways.len());
            assert!(reads.iter().all(|u| (u.from, u.cycles) == (number(from), number(cycles))), "{name}");
        }
        if !latency.is_empty() {
            assert_eq!(class.latency, number(latency), "{name}");
        }
        lines += 1;
    }
    assert_eq!(lines, 13);
}
