//! The multiplier of a processing element as a clocked block: one pipelined multiplier, or four iterative ones.

use super::{MmDesign, Prime, Product};
use crate::machine::datapath::{Datapath, Digits};
use pairwright_sim::{Clocked, Pipe};

/// Ports of the block: the largest number of multipliers of any configuration.
const PORTS: usize = 4;

/// A multiplier of the array.
#[derive(Clone, Debug)]
struct Lane {
    pipe: Pipe<Product>,
    /// Cycles until it accepts operands again.
    wait: u32,
}

/// The multipliers of a processing element in a configuration, each with operands in and a product out.
#[derive(Clone, Debug)]
pub struct Array {
    config: MmDesign,
    prime: Prime,
    lanes: Vec<Lane>,
}

impl Array {
    /// The array in a configuration, for a field.
    pub fn new<F: Datapath>(config: MmDesign) -> Self {
        let lane = Lane { pipe: Pipe::new(config.latency()), wait: 0 };
        Self { config, prime: Prime::of::<F>(), lanes: vec![lane; config.multipliers() as usize] }
    }

    /// Returns the configuration of the array.
    pub fn config(&self) -> &MmDesign {
        &self.config
    }

    /// The registers of a multiplier by stage: number `k` holds a product that has passed the logic of stages 0 to `k`.
    pub fn registers(&self, multiplier: usize) -> impl Iterator<Item = Option<&Product>> {
        self.lanes.get(multiplier).into_iter().flat_map(|lane| lane.pipe.registers())
    }

    /// Whether a multiplier accepts operands in this cycle.
    pub fn can_accept(&self, multiplier: usize) -> bool {
        self.lanes.get(multiplier).is_some_and(|lane| lane.wait == 0)
    }
}

impl Clocked for Array {
    /// Operands for each multiplier in Montgomery form, below the modulus.
    type In = [Option<(Digits, Digits)>; PORTS];
    /// Product of each multiplier in Montgomery form, reduced.
    type Out = [Option<Digits>; PORTS];

    fn out(&self) -> Self::Out {
        core::array::from_fn(|i| self.lanes.get(i)?.pipe.front().map(Product::result))
    }

    /// # Panics
    /// On operands for a multiplier that does not accept any in this cycle: a bug of the block before it.
    fn tick(&mut self, input: Self::In) {
        for (i, operands) in input.into_iter().enumerate() {
            assert!(
                operands.is_none() || self.can_accept(i),
                "multiplier {i} takes no operands in this cycle"
            );
            let Some(lane) = self.lanes.get_mut(i) else { continue };
            lane.wait = if operands.is_some() { self.config.ii() - 1 } else { lane.wait.saturating_sub(1) };
            let product = operands.map(|(a, b)| Product::new(a, b));
            let (config, prime) = (&self.config, &self.prime);
            lane.pipe.tick_with(product, |stage, product| config.advance(stage, product, prime));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::mm::Width;
    use crate::spec::MmStyle;
    use pairwright_curve::bls12_381::{Fq, Fr};
    use rand_chacha::ChaCha20Rng;
    use rand_core::SeedableRng;

    /// Products of a full stream: the cycle in which each left, counted from the first operands.
    fn stream<F: Datapath>(config: MmDesign, products: usize) -> Vec<u32> {
        let mut rng = ChaCha20Rng::seed_from_u64(5);
        let mut array = Array::new::<F>(config);
        let mut expected = vec![std::collections::VecDeque::new(); PORTS];
        let mut left = Vec::new();
        for cycle in 0.. {
            for (port, digits) in array.out().iter().enumerate() {
                if let Some(digits) = digits {
                    let product: F =
                        expected[port].pop_front().expect("nothing comes out that did not go in");
                    assert_eq!(F::from_digits(digits), Some(product), "{config:?}");
                    left.push(cycle);
                }
            }
            if left.len() >= products {
                return left;
            }
            let input = core::array::from_fn(|port| {
                array.can_accept(port).then(|| {
                    let (a, b) = (F::random(&mut rng), F::random(&mut rng));
                    expected[port].push_back(a * b);
                    (a.digits(), b.digits())
                })
            });
            array.tick(input);
        }
        left
    }

    #[test]
    fn the_modes_deliver_at_their_latency_and_interval() {
        assert_eq!(stream::<Fr>(MmDesign::PIPELINED_256, 6), [16, 17, 18, 19, 20, 21]);
        assert_eq!(stream::<Fq>(MmDesign::PIPELINED_384, 6), [16, 17, 18, 19, 20, 21]);
        let four = |cycle| [cycle; 4];
        assert_eq!(stream::<Fq>(MmDesign::ITERATIVE_384, 12), [four(8), four(14), four(20)].concat());
        let ideal = MmDesign::new(Width::Bits384, MmStyle::Iterative, 6);
        assert_eq!(stream::<Fq>(ideal, 8), [four(6), four(10)].concat());
    }

    #[test]
    #[should_panic(expected = "multiplier 1 takes no operands")]
    fn a_pipelined_array_is_one_multiplier() {
        let mut array = Array::new::<Fq>(MmDesign::PIPELINED_384);
        array.tick([None, Some(([0; 6], [0; 6])), None, None]);
    }
}
