//! Runs generated kernels as PTX on the interpreter, unchanged and with planted faults: every fault must be reported or
//! change the result. Needs only the compiler; see `nvrtc.rs` for where it comes from.

mod tools;

use pairwright_gpu::family::{Family, FieldTuning};
use pairwright_gpu::nvrtc::{Arch, Nvrtc, Options, Target};
use pairwright_moma::ir::Reduction;
use pairwright_moma::program::ArrayKernel;
use pairwright_moma::program::ntt::{Kind, NttPlan, Tuning, device, table_len};
use pairwright_moma::program::primes::ntt_prime;
use pairwright_ptx::{Counters, Launch, Memory, Module, launch, parse};
use tools::compiler;

/// A transform of one pass on the interpreter.
struct Subject {
    text: String,
    program: ArrayKernel,
    constants: Vec<u8>,
    /// The bytes of the data and of the table.
    data: usize,
    table: usize,
}

/// A deviation from the right launch.
#[derive(Clone, Copy, Default)]
struct Plant {
    less_shared: usize,
    less_output: usize,
    less_table_written: usize,
    in_place: bool,
}

impl Subject {
    fn new(nvrtc: &Nvrtc, bits: u32, log_n: u32, tuning: impl Fn(&Family) -> Tuning) -> Self {
        let family = Family::new(bits, Reduction::Montgomery, FieldTuning::default()).unwrap();
        let plan = NttPlan::choose(family.element(), log_n, &tuning(&family)).unwrap();
        let [program] = &device::kernels(&plan, Kind::FORWARD)[..] else { panic!("one pass is wanted") };
        let options = Options::new(Target::Ptx(Arch(90)));
        let image = nvrtc.compile(&program.name, &family.text(program), &options).unwrap().image;
        let bytes = family.element().bytes();
        Self {
            text: String::from_utf8(image).unwrap(),
            program: program.clone(),
            constants: family.constants(&ntt_prime(bits, log_n).unwrap()).unwrap(),
            data: bytes << log_n,
            table: bytes * table_len(log_n, Kind::FORWARD),
        }
    }

    /// Runs a text in place of the kernel's own; returns the output, or the reason of failure.
    fn run(&self, text: &str, plant: Plant) -> Result<(Vec<u8>, Counters), String> {
        let module: Module = parse(text).map_err(|error| error.to_string())?;
        let kernel = module.kernel(&self.program.name).unwrap();
        let mut memory = Memory::new();
        // Values are below the modulus, which leaves the highest byte small.
        let some =
            |n: usize| (0..n).map(|i| if i % 16 == 15 { 1 } else { (i * i * 31 % 251) as u8 }).collect();
        let (data, table): (Vec<u8>, Vec<u8>) = (some(self.data), some(self.table));
        let input = memory.upload(&data);
        let twiddles = memory.allocate(self.table);
        memory.buffer(twiddles).unwrap().write(0, &table[..self.table - plant.less_table_written]);
        let out = if plant.in_place { input } else { memory.allocate(self.data - plant.less_output) };
        let mut arguments = 1u64.to_le_bytes().to_vec();
        [out, input, twiddles].iter().for_each(|address| arguments.extend(address.to_le_bytes()));
        arguments.extend(&self.constants);
        let shape = &self.program.launch.as_ref().unwrap();
        let launched = Launch {
            grid: [self.program.grid(&[1]).unwrap() as u32, 1, 1],
            block: [shape.threads, 1, 1],
            shared: self.program.shared_bytes() as usize - plant.less_shared,
            arguments,
        };
        let counters = launch(kernel, &launched, &mut memory).map_err(|fault| fault.to_string())?;
        let found = memory
            .buffer(out)
            .unwrap()
            .read(0, self.data - plant.less_output)
            .map_err(|at| at.to_string())?;
        Ok((found.to_vec(), counters))
    }

    fn right(&self) -> Vec<u8> {
        self.run(&self.text, Plant::default()).unwrap().0
    }

    /// The text without `lines` lines from the `place`-th line on that begins with `first`.
    fn without(&self, first: &str, place: usize, lines: usize) -> Option<String> {
        let all: Vec<&str> = self.text.lines().collect();
        let at =
            all.iter().enumerate().filter(|(_, line)| line.trim_start().starts_with(first)).nth(place)?.0;
        Some([&all[..at], &all[at + lines..]].concat().join("\n"))
    }
}

/// A transform in one block, with barriers.
fn in_a_block(nvrtc: &Nvrtc) -> Subject {
    Subject::new(nvrtc, 128, 9, |family| Tuning { log_cluster: 0, ..Tuning::for_element(family.element()) })
}

/// A transform in a cluster of eight blocks.
fn in_a_cluster(nvrtc: &Nvrtc) -> Subject {
    Subject::new(nvrtc, 128, 9, |family| Tuning::for_latency(family.element(), 9))
}

#[test]
fn every_missing_barrier_is_reported() {
    let Some(nvrtc) = compiler() else { return };
    let subject = in_a_block(&nvrtc);
    let right = subject.right();
    let mut removed = 0;
    while let Some(text) = subject.without("bar.sync", removed, 1) {
        let error = subject.run(&text, Plant::default()).map(|found| found.0 == right);
        assert!(error.is_err(), "barrier {removed}: {error:?}");
        removed += 1;
    }
    assert!(removed >= 2, "{removed} barriers");
    // In a cluster, the halves of a barrier are on lines with comments between them.
    let subject = in_a_cluster(&nvrtc);
    subject.right();
    let arrives = subject.text.matches("barrier.cluster.arrive").count();
    assert!(arrives >= 4, "{arrives} barriers");
    for place in 0..arrives {
        let one = Subject {
            text: subject.without("barrier.cluster.arrive", place, 1).unwrap(),
            ..in_a_cluster(&nvrtc)
        };
        assert!(one.run(&one.text, Plant::default()).is_err(), "half of barrier {place}");
        let text = one.without("barrier.cluster.wait", place, 1).unwrap();
        let error = subject.run(&text, Plant::default()).map(|_| ());
        assert!(error.is_err(), "barrier {place} of the cluster");
    }
}

#[test]
fn accesses_beside_their_place_are_reported() {
    let Some(nvrtc) = compiler() else { return };
    let subject = in_a_block(&nvrtc);
    let right = subject.right();
    // Moves the first store to shared memory, and the first to device memory.
    for store in ["st.shared.v4.u32 \t[", "st.global.v4.u32 \t["] {
        for by in [8, 16, 1 << 30] {
            let text = moved(&subject.text, store, by);
            let found = subject.run(&text, Plant::default());
            assert!(found.as_ref().map_or(true, |(bytes, _)| *bytes != right), "{store} {by}");
            // A location of another thread is reported, and so is a location outside of memory.
            assert!(found.is_err(), "{store} {by}");
        }
    }
    for plant in [
        Plant { less_shared: 16, ..Plant::default() },
        Plant { less_output: 16, ..Plant::default() },
        Plant { less_table_written: 16, ..Plant::default() },
    ] {
        let error = subject.run(&subject.text, plant).map(|_| ());
        assert!(error.is_err());
    }
    // A kernel of one block may overwrite its input, except for elements that other threads still read.
    let clustered = in_a_cluster(&nvrtc);
    let in_place = Plant { in_place: true, ..Plant::default() };
    assert!(clustered.run(&clustered.text, in_place).is_ok(), "barriers lie between all loads and stores");
}

/// The text with the first access of a kind moved by some bytes.
fn moved(text: &str, access: &str, by: u64) -> String {
    let at = text.find(access).unwrap_or_else(|| panic!("no {access}")) + access.len();
    let end = at + text[at..].find(']').unwrap();
    let address = &text[at..end];
    let (base, offset) = address.split_once('+').unwrap_or((address, "0"));
    let offset = offset.parse::<i64>().unwrap() + by as i64;
    format!("{}{base}+{offset}{}", &text[..at], &text[end..])
}

#[test]
fn carries_and_flags_without_a_writer_are_reported() {
    let Some(nvrtc) = compiler() else { return };
    let subject = in_a_block(&nvrtc);
    let right = subject.right();
    // The first instruction of a chain no longer sets the carry.
    for (from, to) in [("mad.lo.cc.u32", "mad.lo.u32"), ("add.cc.u32", "add.u32"), ("sub.cc.u32", "sub.u32")]
    {
        let text = subject.text.replacen(from, to, 1);
        assert_ne!(text, subject.text, "{from}");
        let error = subject.run(&text, Plant::default()).unwrap_err();
        assert!(error.contains("carry"), "{error}");
    }
    // A carry in the middle of a chain is not passed on.
    let text = subject.text.replacen("madc.lo.cc.u32", "madc.lo.u32", 1);
    let found = subject.run(&text, Plant::default());
    assert!(found.is_err() || found.unwrap().0 != right);
    let flag = subject.without("setp.", 0, 1).map(|text| subject.run(&text, Plant::default()));
    assert!(flag.is_none_or(|found| found.is_err()), "a flag that is not written");
    let text = subject.without("shl.b32", 0, 1).unwrap();
    assert!(subject.run(&text, Plant::default()).unwrap_err().contains("may not have been written"));
}

#[test]
fn barriers_of_some_threads_and_wrong_indices_are_seen() {
    let Some(nvrtc) = compiler() else { return };
    let subject = in_a_block(&nvrtc);
    let right = subject.right();
    let guarded = ".reg .pred %few;\n.reg .b32 %which;\nmov.u32 %which, %tid.x;\nsetp.lt.u32 %few, %which, 7;\n@%few bar.sync";
    let text = subject.text.replacen("bar.sync", guarded, 1);
    let error = subject.run(&text, Plant::default()).unwrap_err();
    assert!(error.contains("a barrier is not reached by all threads of the block"), "{error}");
    let mut changed = 0;
    for (place, _) in subject.text.match_indices("xor.b32") {
        let text = format!("{}or.b32{}", &subject.text[..place], &subject.text[place + 7..]);
        let found = subject.run(&text, Plant::default());
        changed += u32::from(found.is_err() || found.unwrap().0 != right);
    }
    assert!(changed > 0, "an index with `or` for `xor`");
}

/// In a cluster, a block's threads access only the block's own memory in all phases except the first store and the last
/// load.
#[test]
fn clusters_keep_their_accesses_local() {
    let Some(nvrtc) = compiler() else { return };
    let subject = Subject::new(&nvrtc, 256, 14, |family| Tuning::for_element(family.element()));
    assert_eq!(subject.program.launch.as_ref().unwrap().cluster, 4);
    let (_, counters) = subject.run(&subject.text, Plant::default()).unwrap();
    let (own, other) = (counters.shared_local, counters.shared_remote);
    let share = other as f64 / (own + other) as f64;
    assert!(share < 0.16, "{share} of the accesses are to other blocks");
    // Every element is read and written once, in whole or half sectors.
    assert_eq!(counters.stored, subject.data as u64);
    assert!(counters.sectors_stored * 32 <= 2 * counters.stored);
}

#[test]
fn shared_memory_has_no_bank_conflicts_in_a_block() {
    let Some(nvrtc) = compiler() else { return };
    for bits in [128, 256, 384] {
        let subject = Subject::new(&nvrtc, bits, 9, |family| Tuning {
            log_cluster: 0,
            ..Tuning::for_element(family.element())
        });
        let (_, counters) = subject.run(&subject.text, Plant::default()).unwrap();
        assert!(counters.bank_turns_least > 0);
        assert_eq!(counters.bank_turns, counters.bank_turns_least, "{bits} bits");
    }
}
