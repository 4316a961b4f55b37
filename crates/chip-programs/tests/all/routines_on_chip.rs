//! Programs of the pairing processor, dispatched by the whole chip's sender, with inputs and results in DRAM.

use pairwright_chip::MachineSpec;
use pairwright_chip::compiler::Options;

#[test]
fn what_the_pairing_processor_does_alone() {
    let spec = MachineSpec::best();
    let options = Options { seeds: 2, ..Options::default() };
    let mut tried = 0;
    for entry in pairwright_chip_programs::all() {
        if !["pairing", "product-2", "g1-mul", "groth16", "bls-verify-g1"].contains(&entry.name) {
            continue;
        }
        tried += 1;
        let chain = (entry.build)(&spec, &options).unwrap();
        let example = entry.example(7);
        let (chip, runs) = chain.run_on_chip(&spec, &example.inputs).unwrap();
        assert_eq!(example.differs(&chip.value).unwrap(), None, "{}", entry.name);
        let (_, alone) = chain.run(&example.inputs, 10_000_000).unwrap();
        assert_eq!(runs.len(), alone.len());
        for (ours, alone) in runs.iter().zip(&alone) {
            let work = |run: &pairwright_chip::machine::Run| {
                (run.slots, run.l2_words, run.issued, run.switched_rows, run.inversions)
            };
            assert_eq!(work(ours), work(alone), "{}", entry.name);
        }
        let (whole, alone) = (chip.account.cycles, alone.iter().map(|r| r.cycles).sum::<u64>());
        // The bank is loaded from DRAM and stored back; the sender hides the cost of loops.
        assert!(whole < alone + alone / 20 + 2000, "{}: {whole} against {alone}", entry.name);
        assert!(chip.account.dram_bytes() > 0 && chip.account.busy.pairing > 0);
    }
    assert!(tried >= 3, "{tried}");
}
