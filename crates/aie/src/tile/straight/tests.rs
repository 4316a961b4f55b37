use super::*;
use crate::carry::Carry;
use crate::digits::Digits;
use crate::method::{Method, Reduction};
use crate::modmul::modmul;

/// Straight-line code gives the same digits, sooner than an iteration of the loop, and takes longer per task without
/// overlap.
#[test]
fn straight_line_code_gives_the_program_s_digits() {
    let tile = Tile::first_generation();
    let m = crate::digits::modulus();
    let tasks: Vec<_> = (1..4).map(|n| vec![Digits::from_integer(&(&m - n)).unwrap(); 2]).collect();
    for method in [Carry::Accurate, Carry::Mixed, Carry::Wide].map(|c| Method::new(Reduction::Barrett, c)) {
        let program = modmul(method);
        let right: Vec<_> = tasks.iter().map(|t| program.run(t).unwrap()).collect();
        let kernel = Kernel::straight(&program, &tile, Reads::Needed).unwrap();
        assert_eq!(kernel.run(&tasks).unwrap(), right);
        let (once, looped) = (kernel.counts(), Kernel::schedule(&program, &tile).unwrap());
        println!("{method}: {once:?}; a loop's {:?}, {:?}", looped.counts(), looped.conflicts());
        // A loop's scalar constants are in registers before it begins.
        assert!(once.latency <= u64::from(looped.latency()) + 4 && once.latency > u64::from(looped.ii()));
        assert!(once.latency >= u64::from(once.bounds[1]));
        // A schedule of fewer cycles is wrong: the operation that is moved reads a value before it arrives.
        let last = (0..kernel.plan.ops().len()).max_by_key(|&op| kernel.plan.ops()[op].cycle).unwrap();
        let mut broken = kernel.clone();
        broken.plan.ops_mut()[last].cycle -= 4;
        assert_ne!(broken.run(&tasks).unwrap(), right);
        let conflicts = looped.conflicts();
        assert!(conflicts.left <= conflicts.most && conflicts.most < conflicts.accesses);
    }
}
