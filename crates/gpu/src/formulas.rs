//! The point formulas of `pairwright-curve` as formulas for kernels. They are run on symbols that record each
//! operation, so that kernels add points by the same text as the host. A symbol stands for a coordinate of either
//! group, so both groups use the same formulas.

use core::cell::RefCell;
use core::ops::{Add, Mul, Neg, Sub};
use pairwright_curve::Curve;
use pairwright_curve::formulas::{
    affine_on_line, jacobian_double, tangent_rise, xyzz_add, xyzz_add_mixed, xyzz_double, xyzz_double_affine,
};
use pairwright_field::{Extension, Field, Ring};
use pairwright_moma::program::Role;
use pairwright_moma::program::formula::{Formula, Value};
use std::rc::Rc;

/// A coordinate in a formula that is being recorded.
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
    type Wide = Self;
    fn square(self) -> Self {
        self.then(Role::Sqr, self.value, self.value)
    }
}

/// Records a formula with the given number of operands.
fn write_down(name: &str, operands: usize, formula: impl FnOnce(&[Symbol]) -> Vec<Symbol>) -> Formula {
    let tape = Rc::new(RefCell::new(Formula::new(name, operands)));
    let symbol = |at| Symbol { value: Value::Input(at), tape: Rc::clone(&tape) };
    let symbols: Vec<Symbol> = (0..operands).map(symbol).collect();
    let outputs = formula(&symbols).iter().map(|symbol| symbol.value).collect();
    drop(symbols);
    tape.take().with_outputs(outputs)
}

fn first<const N: usize>(of: &[Symbol]) -> [Symbol; N] {
    core::array::from_fn(|i| of[i].clone())
}

/// The formulas for points in affine and XYZZ coordinates, over any coordinate field: mixed addition, doubling of an
/// affine point, addition, doubling. The additions also return `P` and `R` after the sum, see
/// [`pairwright_curve::formulas`].
pub(crate) fn all() -> [Formula; 4] {
    fn with_tests<const N: usize>((sum, p, r): ([Symbol; N], Symbol, Symbol)) -> Vec<Symbol> {
        sum.into_iter().chain([p, r]).collect()
    }
    [
        write_down("pw_add_mixed_text", 6, |v| with_tests(xyzz_add_mixed(first(v), first(&v[4..])))),
        write_down("pw_double_affine_text", 2, |v| xyzz_double_affine(first(v)).into()),
        write_down("pw_add_text", 8, |v| with_tests(xyzz_add(first(v), first(&v[4..])))),
        write_down("pw_double_text", 4, |v| xyzz_double(first(v)).into()),
    ]
}

/// The formulas for precomputed multiples: doubling in Jacobian coordinates; a product; and one step of a batch
/// inversion. The step takes a point `X, Y, Z`, the inverse of a product whose last factor is `Z`, and the product
/// without `Z`; it returns the affine point and the inverse of the product without `Z`.
pub(crate) fn precomputing() -> [Formula; 3] {
    let affine = |v: &[Symbol]| {
        let [x, y, z, inverse, before] = first(v);
        let of_z = inverse.clone() * before;
        let square = of_z.clone().square();
        vec![x * square.clone(), y * (square * of_z), inverse * z]
    };
    [
        write_down("pw_double_jacobian_text", 3, |v| jacobian_double(first(v)).into()),
        write_down("pw_product_text", 2, |v| vec![v[0].clone() * v[1].clone()]),
        write_down("pw_affine_text", 5, affine),
    ]
}

/// The formulas for sums of pairs of affine points that share one inversion: a product; the numerator of a tangent's
/// slope; and one step of the batch inversion with the addition. The step takes `x1, y1, x2`, the numerator and the
/// denominator of the slope, the inverse of a product whose last factor is this denominator, and the product without
/// it; it returns the sum and the inverse of the product without the denominator.
pub(crate) fn halving() -> [Formula; 3] {
    let step = |v: &[Symbol]| {
        let [x1, y1, x2, rise, run, inverse, before] = first(v);
        let slope = rise * (inverse.clone() * before);
        let [x3, y3] = affine_on_line([x1, y1], x2, slope);
        vec![x3, y3, inverse * run]
    };
    let [_, product, _] = precomputing();
    [
        product,
        write_down("pw_tangent_text", 1, |v| vec![tangent_rise(v[0].clone())]),
        write_down("pw_sum_of_pair_text", 7, step),
    ]
}

/// The coordinate field of a group, as far as kernels support it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CoordinateField {
    /// The prime field itself.
    Prime,
    /// Its quadratic extension by a square root of the negative of this small number.
    Quadratic(u64),
}

/// The coordinate field of a curve; `None` for one that the kernels do not support.
pub(crate) fn field_of<C: Curve>() -> Option<CoordinateField> {
    type Prime<C> = <<C as Curve>::Base as Extension>::Prime;
    match C::Base::DEGREE {
        1 => Some(CoordinateField::Prime),
        2 => {
            let root = C::Base::from_coords(&[Prime::<C>::ZERO, Prime::<C>::ONE]);
            let square = -root.square();
            let small = (1..16).find(|n| square == C::Base::from_prime(Prime::<C>::from(*n)));
            small.map(CoordinateField::Quadratic)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::family::modulus_of;
    use num_bigint::BigUint;
    use pairwright_curve::{Affine, Jacobian, Xyzz, bls12_377, bls12_381, bn254};
    use pairwright_field::PrimeField;
    use pairwright_moma::program::interp::FieldRule;

    fn numbers<X: Extension>(coordinates: &[X]) -> Vec<BigUint> {
        let number = |x: X::Prime| {
            let bytes: Vec<u8> = x.to_limbs().as_ref().iter().flat_map(|limb| limb.to_le_bytes()).collect();
            BigUint::from_bytes_le(&bytes)
        };
        coordinates.iter().flat_map(|x| (0..X::DEGREE).map(move |i| number(x.coord(i)))).collect()
    }

    /// Compares the formulas on integers with the host's additions, which run the same text on field elements.
    fn formulas_are_those_of_the_host<C: Curve>() {
        let [mixed, twice_affine, add, twice] = all();
        let rule = FieldRule::plain(&modulus_of::<<C::Base as Extension>::Prime>());
        let point = |n: u64| C::GENERATOR.to_jacobian().mul_vartime(&C::Scalar::from(n)).to_affine();
        // Points whose denominators are not one.
        let p = Xyzz::<C>::from(point(5)).add_mixed(&point(9));
        let q = Xyzz::<C>::from(point(70)).add_mixed(&point(3));
        let flat = |p: Xyzz<C>| vec![p.x, p.y, p.zz, p.zzz];
        let affine = |p: Affine<C>| vec![p.x, p.y];
        let run = |formula: &Formula, inputs: Vec<C::Base>| formula.run(&rule, &numbers(&inputs));
        let sum = run(&mixed, [flat(p), affine(point(4))].concat());
        assert_eq!(sum[..4], numbers(&flat(p.add_mixed(&point(4)))));
        assert_eq!(run(&twice_affine, affine(point(4)))[..], numbers(&flat(Xyzz::from(point(4)).double())));
        assert_eq!(run(&add, [flat(p), flat(q)].concat())[..4], numbers(&flat(p + q)));
        assert_eq!(run(&twice, flat(p)), numbers(&flat(p.double())));
        let jacobian = |p: Jacobian<C>| vec![p.x, p.y, p.z];
        let [double, product, to_affine] = precomputing();
        let base = point(11).to_jacobian().double();
        assert_eq!(run(&double, jacobian(base)), numbers(&jacobian(base.double())));
        let (before, z) = (p.x, base.z);
        assert_eq!(run(&product, vec![before, z]), numbers(&[before * z]));
        let inverse = (before * z).invert().unwrap();
        let given = [jacobian(base), vec![inverse, before]].concat();
        let Affine { x, y } = base.to_affine();
        assert_eq!(run(&to_affine, given), numbers(&[x, y, before.invert().unwrap()]));
        // The sum of two points, and of a point with itself, by slopes whose denominators are inverted together.
        let [product, tangent, sum_of_pair] = halving();
        let (one, other) = (point(4), point(9));
        let thrice = run(&tangent, vec![one.x]);
        let before = p.x;
        for (second, rise, divisor) in
            [(other, numbers(&[other.y - one.y]), other.x - one.x), (one, thrice, one.y.double())]
        {
            assert_eq!(run(&product, vec![before, divisor]), numbers(&[before * divisor]));
            let given = numbers(&[one.x, one.y, second.x]).into_iter().chain(rise);
            let inverse = (before * divisor).invert().unwrap();
            let given: Vec<BigUint> = given.chain(numbers(&[divisor, inverse, before])).collect();
            let Affine { x, y } = (one.to_jacobian() + second.to_jacobian()).to_affine();
            assert_eq!(sum_of_pair.run(&rule, &given), numbers(&[x, y, before.invert().unwrap()]));
        }
        // Equal and opposite points are recognised by the values after the sum.
        let same = p.to_jacobian().to_affine();
        for (other, r_is_zero) in [(same, true), (-same, false)] {
            for found in [
                run(&mixed, [flat(p), affine(other)].concat()),
                run(&add, [flat(p), flat(Xyzz::from(other))].concat()),
            ] {
                assert!(found[4] == BigUint::ZERO && (found[5] == BigUint::ZERO) == r_is_zero);
            }
        }
        assert_ne!(sum[4], BigUint::ZERO);
    }

    #[test]
    fn formulas_on_numbers_are_those_of_the_host() {
        formulas_are_those_of_the_host::<bn254::G1>();
        formulas_are_those_of_the_host::<bls12_381::G1>();
        formulas_are_those_of_the_host::<bls12_377::G1>();
        let products = all().map(|formula| {
            let calls = formula.calls();
            [Role::Mul, Role::Sqr].map(|role| calls.get(&role).copied().unwrap_or(0))
        });
        assert_eq!(products, [[8, 2], [4, 3], [12, 2], [6, 3]]);
        let products = precomputing().map(|formula| {
            let calls = formula.calls();
            [Role::Mul, Role::Sqr].map(|role| calls.get(&role).copied().unwrap_or(0))
        });
        assert_eq!(products, [[2, 5], [1, 0], [5, 1]]);
        let products = halving().map(|formula| {
            let calls = formula.calls();
            [Role::Mul, Role::Sqr].map(|role| calls.get(&role).copied().unwrap_or(0))
        });
        assert_eq!(products, [[1, 0], [0, 1], [4, 1]]);
    }

    #[test]
    fn fields_of_coordinates_are_known() {
        use CoordinateField::{Prime, Quadratic};
        assert_eq!(field_of::<bn254::G1>(), Some(Prime));
        assert_eq!(field_of::<bn254::G2>(), Some(Quadratic(1)));
        assert_eq!(field_of::<bls12_381::G2>(), Some(Quadratic(1)));
        assert_eq!(field_of::<bls12_377::G2>(), Some(Quadratic(5)));
    }
}
