//! Operation counts: the costs in the comments on formulas are those of the formulas.

use pairwright_curve::formulas::*;
use pairwright_curve::hash_to_curve::{Candidates, HashToCurve, Isogeny, SqrtRatio, Sswu};
use pairwright_curve::{bls12_377, bls12_381, bn254};
use pairwright_field::{Cubic, Quad, Ring, Root};
use pairwright_testkit::counted::{Counted, Counter, Counts};

const SOURCE: &str = include_str!("../../curve/src/formulas.rs");

/// `(M, S, products by a constant)` as read from the comment above `pub fn name`: "11M + 5S", "6M + 2S + 1 product by ..."
fn promised(name: &str) -> (u32, u32, u32) {
    let at =
        SOURCE.find(&format!("pub fn {name}<")).unwrap_or_else(|| panic!("{name} is not in formulas.rs"));
    let above: Vec<&str> = SOURCE[..at].lines().rev().skip_while(|l| l.starts_with("#[")).collect();
    let comment: Vec<&str> = above.iter().map_while(|l| l.strip_prefix("///")).collect();
    let text: Vec<&str> = comment.iter().rev().flat_map(|l| l.split_whitespace()).collect();
    let count = |suffix: char| {
        text.iter()
            .map(|w| w.trim_end_matches(['.', ',', ';', ':']))
            .find_map(|w| w.strip_suffix(suffix)?.parse::<u32>().ok())
            .unwrap_or(0)
    };
    let constant = text
        .windows(2)
        .find(|w| w[1].starts_with("product"))
        .map_or(0, |w| if w[0] == "a" { 1 } else { w[0].parse().unwrap_or(0) });
    (count('M'), count('S'), constant)
}

fn spent(run: impl FnOnce(&Counter)) -> Counts {
    let counter = Counter::new();
    run(&counter);
    counter.counts()
}

fn keeps_promise(name: &str, run: impl FnOnce(&Counter)) {
    let c = spent(run);
    assert!(c.products + c.squares > 0 && c.sums > 0, "{name} does something");
    assert_eq!((c.products, c.squares, c.by_constant), promised(name), "{name}");
}

#[test]
fn formulas_cost_what_their_comments_say() {
    let constant = Counted::by_constant;
    keeps_promise("jacobian_double", |c| drop(jacobian_double(c.values())));
    keeps_promise("jacobian_add", |c| drop(jacobian_add(c.values(), c.values())));
    keeps_promise("jacobian_add_mixed", |c| drop(jacobian_add_mixed(c.values(), c.values())));
    keeps_promise("xyzz_double", |c| drop(xyzz_double(c.values())));
    keeps_promise("xyzz_double_affine", |c| drop(xyzz_double_affine(c.values())));
    keeps_promise("xyzz_add", |c| drop(xyzz_add(c.values(), c.values())));
    keeps_promise("xyzz_add_mixed", |c| drop(xyzz_add_mixed(c.values(), c.values())));
    keeps_promise("tangent_rise", |c| drop(tangent_rise(c.value())));
    keeps_promise("affine_on_line", |c| drop(affine_on_line(c.values(), c.value(), c.value())));
    keeps_promise("complete_add", |c| drop(complete_add(c.values(), c.values(), constant)));
    keeps_promise("complete_add_mixed", |c| drop(complete_add_mixed(c.values(), c.values(), constant)));
    keeps_promise("complete_double", |c| drop(complete_double(c.values(), constant)));
    keeps_promise("edwards_add", |c| drop(edwards_add(c.values(), c.values(), constant)));
    keeps_promise("edwards_double", |c| drop(edwards_double(c.values())));
    keeps_promise("edwards_add_mixed", |c| drop(edwards_add_mixed(c.values(), c.values())));
    let to_edwards = |c: &Counter| drop(edwards_from_weierstrass(c.values(), c.value(), constant));
    keeps_promise("edwards_from_weierstrass", to_edwards);
    let from_edwards = |c: &Counter| drop(edwards_to_weierstrass(c.values(), constant, constant));
    keeps_promise("edwards_to_weierstrass", from_edwards);
}

/// The test above covers every public formula.
#[test]
fn every_formula_is_counted() {
    let here = include_str!("op_counts.rs");
    let names = SOURCE.lines().filter_map(|l| l.strip_prefix("pub fn ")?.split('<').next());
    let mut found = 0;
    for name in names {
        assert!(here.contains(&format!("keeps_promise(\"{name}\"")), "{name} is not counted");
        found += 1;
    }
    assert!(found >= 15, "the source was read");
}

#[test]
fn towers() {
    macro_rules! tower {
        ($curve:ident, $square2:expr) => {{
            type F2 = Quad<Counted, $curve::U>;
            type F6 = Cubic<F2, $curve::V>;
            type F12 = Quad<F6, Root>;
            let f2 = |c: &Counter| F2::new(c.value(), c.value());
            let f6 = |c: &Counter| F6::new(f2(c), f2(c), f2(c));
            let f12 = |c: &Counter| F12::new(f6(c), f6(c));
            let work = |c: Counts| (c.products, c.squares);
            assert_eq!(work(spent(|c| drop(f2(c) * f2(c)))), (3, 0));
            assert_eq!(work(spent(|c| drop(f2(c).square()))), $square2);
            assert_eq!(work(spent(|c| drop(f6(c) * f6(c)))), (18, 0));
            // Chung-Hasan SQR2: two products and three squares in Fq2.
            assert_eq!(work(spent(|c| drop(f6(c).square()))), (12, 0));
            assert_eq!(work(spent(|c| drop(f12(c) * f12(c)))), (54, 0));
            assert_eq!(work(spent(|c| drop(f12(c).square()))), (36, 0));
            assert_eq!(work(spent(|c| drop(f2(c).conjugate()))), (0, 0));
            assert_eq!(work(spent(|c| drop(f2(c).norm()))), (0, 2));
        }};
    }
    tower!(bls12_381, (2, 0));
    tower!(bn254, (2, 0));
    tower!(bls12_377, (2, 0));
}

/// Counts of the straight-line parts of hashing to BLS12-381: (products, squares) in the field of the coordinates.
#[test]
fn hashing_to_curves() {
    let work = |c: Counts| (c.products, c.squares);
    let sswu = |c: &Counter| Sswu { a: c.value(), b: c.value(), z: c.value() };
    assert_eq!(work(spent(|c| drop(sswu(c).powers(c.value())))), (1, 2));
    assert_eq!(work(spent(|c| drop(sswu(c).candidates(c.value(), c.value(), c.value())))), (7, 2));
    let chosen = spent(|c| {
        let g = c.values();
        let candidates = Candidates { x1: c.value(), x2: c.value(), denominator: c.value(), g };
        drop(Sswu::choose(c.value(), c.value(), candidates, c.values()));
    });
    assert_eq!(work(chosen), (4, 0));
    let roots = |c: &Counter, c1| SqrtRatio { c1, c6: c.value(), c7: c.value(), half: c.value() };
    assert_eq!(work(spent(|c| drop(roots(c, 1).before_power(c.value(), c.value())))), (2, 1));
    assert_eq!(work(spent(|c| drop(roots(c, 3).before_power(c.value(), c.value())))), (4, 3));
    let after = |c: &Counter| SqrtRatio::after_power(c.value(), c.value(), c.value(), c.value());
    assert_eq!(work(spent(|c| drop(after(c)))), (4, 0));
    assert_eq!(work(spent(|c| drop(roots(c, 1).decide(c.value(), c.value())))), (5, 0));
    assert_eq!(work(spent(|c| drop(roots(c, 3).decide(c.value(), c.value())))), (15, 5));
    // The isogenies have degrees 11 and 3.
    assert_eq!(isogeny(&bls12_381::G1::ISOGENY), (79, 1));
    assert_eq!(isogeny(&bls12_381::G2::ISOGENY), (19, 1));
}

/// The cost of an isogeny whose constants are general elements.
fn isogeny<F>(of: &Isogeny<'_, F>) -> (u32, u32) {
    let c = Counter::new();
    let row = |values: &[F]| values.iter().map(|_| c.value()).collect::<Vec<_>>();
    let (kernel, x, y) = (row(of.kernel), row(of.x), row(of.y));
    drop(Isogeny { scale: c.value(), kernel: &kernel, x: &x, y: &y }.map(c.values()));
    (c.counts().products, c.counts().squares)
}
