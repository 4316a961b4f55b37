//! The program on the book's page of the instruction set does what its first line says.

use pairwright_chip::MachineSpec;
use pairwright_chip::isa::{EXAMPLE, assemble};
use pairwright_chip::machine::{Datapath, Processor, Row};
use pairwright_curve::bls12_381::Fq;
use pairwright_field::Field;
use rand_chacha::ChaCha20Rng;
use rand_core::{Rng, SeedableRng};

#[test]
fn it_raises_to_a_power() {
    let image = assemble(EXAMPLE).unwrap();
    let mut rng = ChaCha20Rng::seed_from_u64(64);
    for exponent in [0, 1, 0xd201_0000_0001_0000, u64::MAX, rng.next_u64()] {
        let base = Row::<Fq>::random(&mut rng);
        let mut machine = Processor::new(&MachineSpec::paper(), &image).unwrap();
        machine.write_global(0, base).unwrap();
        // The scan register takes the bits as they are stored in the row.
        let bits = Fq::from_digits(&[exponent, 5, 0, 0, 0, 0]).unwrap();
        machine.write_global(1, Row::new(bits, Fq::ZERO)).unwrap();
        machine.write_global(3, Row::new(Fq::ONE, Fq::ZERO)).unwrap();
        let run = machine.run(100_000).unwrap();
        assert_eq!(machine.read_global(2), Some(base.pow_vartime(&[exponent])), "{exponent:#x}");
        let calls =
            |name: &str| run.routines.iter().find(|r| r.name.as_deref() == Some(name)).map_or(0, |r| r.calls);
        assert_eq!((calls("square"), calls("times")), (64, u64::from(exponent.count_ones())));
    }
}
