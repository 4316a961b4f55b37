//! The fetch stage: it turns the points and scalars of a set into points with digits, window by window.

use super::{Addend, DigitPlan, Operand, Recoded};
use pairwright_curve::{Curve, Pairing, for_each_curve, glv};
use pairwright_field::PrimeField;

/// A scalar splitter: it returns the magnitudes of the two halves, and whether each is negative.
pub type Split = fn(&[u64]) -> [(u128, bool); 2];

/// The splitter for the curves over this scalar field, whose constants the CPU provides; G1 and G2 of a pairing share them.
/// `None` if no curve over this field has the endomorphism.
pub fn splitter<F: PrimeField>() -> Option<Split> {
    fn of<F: PrimeField, C: Curve>() -> Option<Split> {
        let same = F::BITS == C::Scalar::BITS && F::MODULUS.as_ref() == C::Scalar::MODULUS.as_ref();
        (same && C::GLV.is_some()).then_some(|scalar: &[u64]| match &C::GLV {
            Some(glv) => glv::decompose(glv, scalar),
            None => [(0, false); 2],
        })
    }
    macro_rules! of_listed {
        (curves { $($id:ident [$pairing:ty] $($about:literal)+;)+ } $($fixtures:tt)*) => {
            None$(.or_else(of::<F, <$pairing as Pairing>::G1>))+
        };
    }
    for_each_curve!(of_listed)
}

/// The configuration of the fetch stage for a pass over the points.
#[derive(Clone, Copy, Debug)]
pub struct Fetch {
    /// The division of scalars into digits.
    pub plan: DigitPlan,
    /// The lowest window of this pass.
    pub first: u32,
    /// Number of windows of this pass.
    pub lanes: u32,
    /// The splitter, for plans of two halves.
    pub split: Option<Split>,
}

impl Fetch {
    /// The numbers of a scalar, each with its sign.
    fn numbers(&self, scalar: &[u64]) -> [(Recoded, bool); 2] {
        match self.split {
            Some(split) if self.plan.halves == 2 => split(scalar)
                .map(|(half, negative)| (self.plan.recode(&[half as u64, (half >> 64) as u64]), negative)),
            _ => [(self.plan.recode(scalar), false); 2],
        }
    }

    /// Points with the digits of their scalars. `points` has each point followed by its multiples, as many as the plan's
    /// levels.
    pub fn operands<'a, P: Addend>(
        self,
        points: &'a [P],
        scalars: &'a [[u64; 4]],
    ) -> impl Iterator<Item = Operand<P>> + 'a {
        let Self { plan, first, lanes, .. } = self;
        points.chunks(plan.levels as usize).zip(scalars).flat_map(move |(multiples, scalar)| {
            let numbers = self.numbers(scalar);
            (0..plan.levels).zip(multiples).flat_map(move |(level, point)| {
                (0..plan.halves).flat_map(move |half| {
                    let (number, negative) = numbers[half as usize];
                    let point = if half == 0 { point.clone() } else { point.image() };
                    (0..lanes).map(move |lane| {
                        let digit = plan.digit(&number, level * plan.windows + first + lane);
                        Operand { lane, digit: if negative { -digit } else { digit }, point: point.clone() }
                    })
                })
            })
        })
    }
}
