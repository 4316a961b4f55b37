//! The Fp2 multiplier: four Fp multipliers for `ac`, `bd`, `ad` and `bc`, a stage that combines their products, and an
//! output register.

use super::datapath::{Datapath, Row};
use super::mm::{MmDesign, Prime, Product, Width};
use crate::spec::{FP_PRODUCTS, MmUnit};
use pairwright_sim::{Clocked, Pipe};

/// An Fp2 Montgomery multiplier with a mark `T` that travels with every product.
///
/// Of a latency of `L` cycles, the four multipliers take `L - 2`, the combination `(ac - bd) + (ad + bc)u` takes one and an
/// output register takes the last. At `L = 2` there is no output register, since multiplication and combination need a cycle
/// each.
///
/// In the pipelined style the four multipliers are four processing elements in 384-bit mode, or fewer for a longer interval:
/// of `n` elements, number `k % n` takes the `k`-th of the four products, `k / n` cycles after the first, and the results
/// wait for the last of them. In the iterative style the multipliers can be the four of a single element.
#[derive(Clone, Debug)]
pub struct Multiplier<F, T> {
    config: MmDesign,
    prime: Prime,
    interval: u32,
    /// Number of Fp products that start in the same cycle.
    elements: u32,
    /// The cycle, counted from the operands, in which the four Fp products are combined.
    combines: u32,
    pipe: Pipe<ProductInFlight<F, T>>,
    /// Cycles until the next product may enter.
    wait: u32,
}

/// A product in flight.
#[derive(Clone, Debug)]
struct ProductInFlight<F, T> {
    mark: T,
    /// The four Fp products `ac`, `bd`, `ad`, `bc`.
    parts: [Product; 4],
    value: Row<F>,
}

impl<F: Datapath, T: Copy> Multiplier<F, T> {
    /// The multiplier of a design; its latency is at least 2.
    pub fn new(unit: &MmUnit) -> Self {
        let (config, starts) = (Self::config(unit), unit.starts());
        Self {
            config,
            prime: Prime::of::<F>(),
            interval: unit.interval().max(1),
            elements: FP_PRODUCTS.div_ceil(starts),
            combines: config.latency() + starts - 1,
            pipe: Pipe::new(unit.latency.max(2) + starts - 1),
            wait: 0,
        }
    }

    /// The configuration of each of the four multipliers in a design.
    pub fn config(unit: &MmUnit) -> MmDesign {
        MmDesign::new(Width::of::<F>(), unit.style, unit.stages())
    }

    /// Cycles from operands to product.
    pub fn latency(&self) -> u32 {
        self.pipe.latency()
    }

    /// Cycles until a product may enter: zero if one may enter in this cycle.
    pub fn wait(&self) -> u32 {
        self.wait
    }

    /// Number of products that have not reached the output register.
    pub fn working(&self) -> usize {
        self.pipe.in_flight() - usize::from(self.pipe.front().is_some())
    }

    /// Number of products in the registers, including the one at the output.
    pub fn in_flight(&self) -> usize {
        self.pipe.in_flight()
    }

    /// The registers that hold a product: bit `k` is the register of one whose operands entered `k + 1` clock edges ago.
    pub fn stages(&self) -> u64 {
        self.pipe.registers().zip(0..).map(|(flight, k)| u64::from(flight.is_some()) << k).sum()
    }

    /// The registers by cycle: number `k` holds the four Fp products `ac`, `bd`, `ad` and `bc` and their combination, `k`
    /// clock edges after the operands entered.
    pub fn registers(&self) -> impl Iterator<Item = Option<(&[Product; 4], &Row<F>)>> {
        self.pipe.registers().map(|flight| flight.map(|flight| (&flight.parts, &flight.value)))
    }

    /// Advances an empty multiplier by `cycles` clock edges.
    pub fn idle(&mut self, cycles: u64) {
        self.wait = u64::from(self.wait).saturating_sub(cycles) as u32;
    }
}

impl<F: Datapath, T: Copy> Clocked for Multiplier<F, T> {
    /// A mark and two operands; allowed only when [`Multiplier::wait`] is zero.
    type In = Option<(T, Row<F>, Row<F>)>;
    /// The mark and the product.
    type Out = Option<(T, Row<F>)>;

    fn out(&self) -> Self::Out {
        self.pipe.front().map(|flight| (flight.mark, flight.value))
    }

    fn tick(&mut self, input: Self::In) {
        self.wait = if input.is_some() { self.interval - 1 } else { self.wait.saturating_sub(1) };
        let entering = input.map(|(mark, x, y)| {
            let [a, b, c, d] = [x.c0, x.c1, y.c0, y.c1].map(|v| v.digits());
            let parts = [(a, c), (b, d), (a, d), (b, c)].map(|(x, y)| Product::new(x, y));
            ProductInFlight { mark, parts, value: Row::default() }
        });
        let (config, prime, elements, combines) = (self.config, self.prime, self.elements, self.combines);
        self.pipe.tick_with(entering, |cycle, flight| {
            for (part, wait) in flight.parts.iter_mut().zip((0..).map(|k| k / elements)) {
                if let Some(stage) = cycle.checked_sub(wait).filter(|stage| *stage < config.latency()) {
                    config.advance(stage, part, &prime);
                }
            }
            if cycle == combines {
                let part = |i: usize| {
                    F::from_digits(&flight.parts[i].result()).expect("the multiplier's last stage reduces")
                };
                flight.value = Row::new(part(0) - part(1), part(2) + part(3));
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::MmStyle;
    use pairwright_curve::bls12_381::{Fq, Fr};
    use pairwright_field::Field;
    use rand_chacha::ChaCha20Rng;
    use rand_core::SeedableRng;

    fn stream<F: Datapath>(style: MmStyle, latency: u32, ii: u32) {
        let unit = MmUnit { style, latency, ii };
        let mut multiplier = Multiplier::<F, usize>::new(&unit);
        assert_eq!(multiplier.latency(), unit.product_latency());
        let mut rng = ChaCha20Rng::seed_from_u64(7);
        let edge = [F::ZERO, F::ONE, -F::ONE];
        let mut operands = Vec::new();
        for x in edge {
            for y in edge {
                operands.push((Row::new(x, y), Row::new(y, -x)));
            }
        }
        operands.resize_with(20, || (Row::<F>::random(&mut rng), Row::random(&mut rng)));
        let (mut next, mut cycle, mut results) = (0, 0, Vec::new());
        let mut entered = Vec::new();
        while results.len() < operands.len() {
            if let Some((mark, value)) = multiplier.out() {
                assert_eq!(value, operands[mark].0 * operands[mark].1, "{latency} stages");
                assert_eq!(cycle, entered[mark] + unit.product_latency());
                results.push(mark);
            }
            let input = (multiplier.wait() == 0 && next < operands.len()).then(|| {
                entered.push(cycle);
                let (x, y) = operands[next];
                next += 1;
                (next - 1, x, y)
            });
            multiplier.tick(input);
            cycle += 1;
        }
        assert!(entered.windows(2).all(|w| w[1] - w[0] == unit.interval()));
        // An element takes one product of Fp in a cycle: the four of each product in Fp2 leave room for those of the next.
        let elements = unit.elements();
        let mut taken: Vec<(u32, u32)> = Vec::new();
        if style == MmStyle::Pipelined {
            let of = |at: &u32| [0, 1, 2, 3].map(|k| (at + k / elements, k % elements));
            taken.extend(entered.iter().flat_map(of));
            taken.sort_unstable();
            assert!(taken.windows(2).all(|w| w[0] != w[1]), "{unit:?}");
        }
        assert!(results.is_sorted() && multiplier.working() == 0);
    }

    #[test]
    fn fewer_elements_start_their_products_later() {
        let unit = |style, ii| MmUnit { style, latency: 18, ii };
        let pipelined = |ii| {
            let unit = unit(MmStyle::Pipelined, ii);
            (unit.elements(), unit.starts(), unit.product_latency())
        };
        assert_eq!(
            [1, 2, 3, 4, 9].map(pipelined),
            [(4, 1, 18), (2, 2, 19), (2, 2, 19), (1, 4, 21), (1, 4, 21)]
        );
        let unit = unit(MmStyle::Iterative, 1);
        assert_eq!((unit.elements(), unit.product_latency()), (1, 18));
    }

    #[test]
    fn a_stream_of_products_equals_the_hosts_in_every_design() {
        for latency in [2, 3, 4, 5, 8, 16, 18, 20, 40] {
            stream::<Fq>(MmStyle::Pipelined, latency, 1);
            for ii in [2, 3, 4, 7] {
                stream::<Fr>(MmStyle::Pipelined, latency, ii);
            }
            stream::<Fq>(MmStyle::Iterative, latency, 1);
            stream::<Fr>(MmStyle::Iterative, latency, 1);
        }
    }
}
