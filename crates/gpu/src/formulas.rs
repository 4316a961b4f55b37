//! The point formulas of `pairwright-curve`, read by symbols that write down what is done with them: the kernels add points
//! by the same text as the host.

use core::cell::RefCell;
use core::ops::{Add, Mul, Neg, Sub};
use pairwright_curve::Curve;
use pairwright_curve::formulas::{xyzz_add, xyzz_add_mixed, xyzz_double, xyzz_double_affine};
use pairwright_field::{Extension, Field, MinusSmall, Quad, Ring};
use pairwright_moma::program::Role;
use pairwright_moma::program::formula::{Formula, Value};
use std::rc::Rc;

/// An element of a prime field that is being written down.
#[derive(Clone, Debug)]
struct Symbol {
    value: Value,
    tape: Rc<RefCell<Formula>>,
}

impl Symbol {
    fn then(&self, role: Role, a: Value, b: Value) -> Self {
        let value = self.tape.borrow_mut().call(role, a, b);
        Self { value, tape: Rc::clone(&self.tape) }
    }
}

impl Add for Symbol {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        self.then(Role::Add, self.value, other.value)
    }
}
impl Sub for Symbol {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self.then(Role::Sub, self.value, other.value)
    }
}
impl Mul for Symbol {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        self.then(Role::Mul, self.value, other.value)
    }
}
impl Neg for Symbol {
    type Output = Self;
    fn neg(self) -> Self {
        self.then(Role::Sub, Value::Zero, self.value)
    }
}
impl Ring for Symbol {
    fn square(self) -> Self {
        self.then(Role::Sqr, self.value, self.value)
    }
}

/// A coordinate that is being written down: so many symbols.
trait Coordinate: Ring {
    const DEGREE: usize;
    fn of(symbols: &[Symbol]) -> Self;
    fn symbols(&self) -> Vec<Symbol>;
}

impl Coordinate for Symbol {
    const DEGREE: usize = 1;
    fn of(symbols: &[Symbol]) -> Self {
        symbols[0].clone()
    }
    fn symbols(&self) -> Vec<Symbol> {
        vec![self.clone()]
    }
}

impl<const N: u64> Coordinate for Quad<Symbol, MinusSmall<N>> {
    const DEGREE: usize = 2;
    fn of(symbols: &[Symbol]) -> Self {
        Quad::new(symbols[0].clone(), symbols[1].clone())
    }
    fn symbols(&self) -> Vec<Symbol> {
        vec![self.c0.clone(), self.c1.clone()]
    }
}

/// Writes a formula down: as many coordinates as operands, coordinate by coordinate, and its results likewise.
fn write_down<X: Coordinate>(
    name: &str,
    operands: usize,
    formula: impl FnOnce(&[X]) -> Vec<X>,
) -> Formula {
    let tape = Rc::new(RefCell::new(Formula::new(name, operands * X::DEGREE)));
    let symbol = |at| Symbol { value: Value::Input(at), tape: Rc::clone(&tape) };
    let symbols: Vec<Symbol> = (0..operands * X::DEGREE).map(symbol).collect();
    let coordinates: Vec<X> = symbols.chunks_exact(X::DEGREE).map(X::of).collect();
    let results = formula(&coordinates);
    let outputs = results.iter().flat_map(|result| result.symbols()).map(|symbol| symbol.value).collect();
    tape.take().with_outputs(outputs)
}

/// The formulas of one kind of coordinate. Those that add give `P` and `R` behind the sum, see
/// [`pairwright_curve::formulas`].
fn all<X: Coordinate>() -> Vec<Formula> {
    fn first<X: Clone, const N: usize>(of: &[X]) -> [X; N] {
        core::array::from_fn(|i| of[i].clone())
    }
    fn with_tests<X, const N: usize>((sum, p, r): ([X; N], X, X)) -> Vec<X> {
        sum.into_iter().chain([p, r]).collect()
    }
    vec![
        write_down::<X>("pw_add_mixed_text", 6, |v| with_tests(xyzz_add_mixed(first(v), first(&v[4..])))),
        write_down::<X>("pw_double_affine_text", 2, |v| xyzz_double_affine(first(v)).into()),
        write_down::<X>("pw_add_text", 8, |v| with_tests(xyzz_add(first(v), first(&v[4..])))),
        write_down::<X>("pw_double_text", 4, |v| xyzz_double(first(v)).into()),
    ]
}

/// The formulas for points of a curve in affine and XYZZ coordinates: mixed addition, doubling of an affine point,
/// addition, doubling. `None` for coordinates in another field than a prime field or its extension by the root of -1 or
/// -5.
pub(crate) fn of_curve<C: Curve>() -> Option<Vec<Formula>> {
    type Prime<C> = <<C as Curve>::Base as Extension>::Prime;
    match C::Base::DEGREE {
        1 => Some(all::<Symbol>()),
        2 => {
            let root = C::Base::from_coords(&[Prime::<C>::ZERO, Prime::<C>::ONE]);
            let square = -root.square();
            match [1, 5].into_iter().find(|n| square == C::Base::from_prime(Prime::<C>::from(*n)))? {
                1 => Some(all::<Quad<Symbol, MinusSmall<1>>>()),
                _ => Some(all::<Quad<Symbol, MinusSmall<5>>>()),
            }
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::family::modulus_of;
    use num_bigint::BigUint;
    use pairwright_curve::{Affine, Pairing, Xyzz, bls12_377, bls12_381, bn254};
    use pairwright_field::PrimeField;
    use pairwright_moma::program::interp::FieldRule;

    fn numbers<X: Extension>(coordinates: &[X]) -> Vec<BigUint> {
        let number = |x: X::Prime| {
            let bytes: Vec<u8> = x.to_limbs().as_ref().iter().flat_map(|limb| limb.to_le_bytes()).collect();
            BigUint::from_bytes_le(&bytes)
        };
        coordinates.iter().flat_map(|x| (0..X::DEGREE).map(move |i| number(x.coord(i)))).collect()
    }

    /// The formulas on numbers against the additions of the host, which run the same text on values.
    fn formulas_are_those_of_the_host<C: Curve>(products: [u64; 4]) {
        let [mixed, twice_affine, add, twice] = of_curve::<C>().unwrap().try_into().unwrap();
        let rule = FieldRule::plain(&modulus_of::<<C::Base as Extension>::Prime>());
        let point = |n: u64| C::GENERATOR.to_jacobian().mul_vartime(&C::Scalar::from(n)).to_affine();
        // A point with a denominator that is not one.
        let p = Xyzz::<C>::from(point(5)).add_mixed(&point(9));
        let q = Xyzz::<C>::from(point(70)).add_mixed(&point(3));
        let flat = |p: Xyzz<C>| vec![p.x, p.y, p.zz, p.zzz];
        let affine = |p: Affine<C>| vec![p.x, p.y];
        let (run, points) = (
            |formula: &Formula, inputs: Vec<C::Base>| formula.run(&rule, &numbers(&inputs)),
            4 * C::Base::DEGREE,
        );
        let sum = run(&mixed, [flat(p), affine(point(4))].concat());
        assert_eq!(sum[..points], numbers(&flat(p.add_mixed(&point(4)))));
        assert_eq!(run(&twice_affine, affine(point(4)))[..], numbers(&flat(Xyzz::from(point(4)).double())));
        assert_eq!(run(&add, [flat(p), flat(q)].concat())[..points], numbers(&flat(p + q)));
        assert_eq!(run(&twice, flat(p)), numbers(&flat(p.double())));
        // Equal and opposite points show in what is behind the sum.
        let zeros = |numbers: &[BigUint]| numbers.iter().all(|n| *n == BigUint::ZERO);
        let (same, opposite) = (p.to_jacobian().to_affine(), -p.to_jacobian().to_affine());
        for (other, r_is_zero) in [(same, true), (opposite, false)] {
            let found = run(&mixed, [flat(p), affine(other)].concat());
            let (tests, degree) = (&found[points..], C::Base::DEGREE);
            assert!(zeros(&tests[..degree]) && zeros(&tests[degree..]) == r_is_zero);
            let found = run(&add, [flat(q), flat(p)].concat());
            assert!(!zeros(&found[points..][..degree]));
        }
        let counted = [&mixed, &twice_affine, &add, &twice].map(|formula| {
            let calls = formula.calls();
            [Role::Mul, Role::Sqr].iter().map(|role| calls.get(role).copied().unwrap_or(0)).sum::<u64>()
        });
        assert_eq!(counted, products);
    }

    #[test]
    fn formulas_of_all_groups_are_those_of_the_host() {
        fn curve<E: Pairing>() {
            formulas_are_those_of_the_host::<E::G1>([10, 7, 14, 9]);
            formulas_are_those_of_the_host::<E::G2>([28, 18, 40, 24]);
        }
        curve::<bn254::Bn254>();
        curve::<bls12_381::Bls12_381>();
        curve::<bls12_377::Bls12_377>();
    }
}
