//! Runs every operator of a CUDA device, and the host's on the same small operands: the results have to be equal.

use super::lines::Section;
use super::spent::{digest, line, of, random, same, timed};
use super::sumchecks::identity;
use crate::failure::Failure;
use pairwright::Boards;
use pairwright::curve::{Affine, Curve};
use pairwright::device::{Device, Direction, Done, Entry, MsmOp, Operator, SparseShape, SumcheckOp};
use pairwright::gpu::report::Line;
use pairwright::gpu::{self, Setup, Sumcheck, Workshop};
use pairwright::hash::{Digest, Poseidon};
use pairwright::poly::{Buf, Domain};
use std::sync::Arc;
use std::time::Duration;

/// log2 of the largest size of operands.
const MOST: u32 = 7;

/// The device's board, the host's board, and the operands of all operators.
struct Both<'a, E: Boards> {
    board: &'a Device<E>,
    host: &'a Device<E>,
    n: usize,
    domain: Domain<E::Fr>,
    a: Vec<E::Fr>,
    b: Buf<E::Fr>,
    c: Buf<E::Fr>,
    digests: Buf<Digest>,
    /// Coordinates of a point at which a table of `n` values is evaluated.
    coordinates: Vec<E::Fr>,
}

/// Compares all operators of a curve that the device runs; the other operators run on the host on both boards.
pub(super) fn run<E: Boards>(setup: &Setup, most: u32, into: &mut Section<'_>) -> Result<(), Failure> {
    let host = E::host();
    let board = gpu::board::<E>(setup.clone(), E::host())?;
    let workshop = Arc::new(Workshop::new(setup.clone())?);
    // Short rounds of sumchecks run on the device too.
    let rounds = Sumcheck::new(workshop, Arc::clone(&host.sumcheck)).with_least(1);
    let board = board.with_sumcheck(Arc::new(rounds));
    let log_n = most.clamp(1, MOST);
    let n = 1usize << log_n;
    let both = Both {
        board: &board,
        host: &host,
        n,
        domain: Domain::new(log_n).map_err(Failure::bad)?,
        a: random(n, 1),
        b: random(n, 2).into(),
        c: random(n, 3).into(),
        digests: (0..n).map(digest).collect(),
        coordinates: random(log_n as usize, 4),
    };
    let curve = E::G1::NAME.trim_end_matches(" G1");
    for operator in Operator::ALL {
        let what = format!("{curve} {}", operator.name());
        into.lines(&what, || {
            let line = both.operator(*operator)?;
            Ok(line
                .map(|line| Line { what: what.clone(), log_size: Some(log_n), ..line })
                .into_iter()
                .collect())
        });
    }
    Ok(())
}

/// Copies the elements of a result to the host.
fn elements<T: Clone>(buf: &Buf<T>) -> Result<Vec<T>, pairwright::device::DeviceError> {
    Ok(buf.host()?.to_vec())
}

impl<E: Boards> Both<'_, E> {
    /// One call on each board, and a second one on the device's that is timed, since the first compiles kernels.
    fn call<T: PartialEq>(&self, run: impl Fn(&Device<E>) -> Done<T>) -> Result<Option<Line>, Failure> {
        let ((expected, _), time): (_, Duration) = timed(|| run(self.host))?;
        same(&run(self.board)?.0, &expected)?;
        let (found, cost) = run(self.board)?;
        same(&found, &expected)?;
        if cost.machine != self.board.name {
            return Err(Failure::bad("this computer ran it, and not the device"));
        }
        Ok(Some(line(of(&[cost]), Some(time), self.n as f64, "element")))
    }

    /// One call on each board that changes a vector in place and also returns a value.
    fn in_place<T: PartialEq>(
        &self,
        run: impl Fn(&Device<E>, &mut Buf<E::Fr>) -> Done<T>,
    ) -> Result<Option<Line>, Failure> {
        self.call(|on| {
            let mut a = Buf::from(self.a.clone());
            let (value, cost) = run(on, &mut a)?;
            Ok(((elements(&a)?, value), cost))
        })
    }

    /// A transform over the subgroup, and one over a coset.
    fn transform(&self, direction: Direction) -> Result<Option<Line>, Failure> {
        let shift = self.a[0];
        self.in_place(|on, a| on.ntt.ntt(&self.domain, direction, Some(&shift), a))?;
        self.in_place(|on, a| on.ntt.ntt(&self.domain, direction, None, a))
    }

    /// The operands of an MSM: equal and opposite points, which meet in buckets, and the point at infinity among them.
    fn points<C: Curve>(&self, host: &dyn MsmOp<C>) -> Result<(Buf<Affine<C>>, Buf<C::Scalar>), Failure> {
        let logs: Vec<C::Scalar> = (0..self.n).map(|i| C::Scalar::from((i / 2) as u64)).collect();
        let points = host.multiples(&C::GENERATOR, Buf::from(logs).view())?.0;
        let negated = |(i, point): (usize, &Affine<C>)| if i % 3 == 1 { -*point } else { *point };
        let points: Vec<_> = points.host().map_err(Failure::bad)?.iter().enumerate().map(negated).collect();
        let mut scalars = random::<C::Scalar>(self.n, 5);
        // The edge cases are a repeated scalar, minus one and zero.
        let edges = [scalars[0], -C::Scalar::from(1), C::Scalar::from(0)];
        scalars.iter_mut().skip(1).zip(edges).for_each(|(scalar, edge)| *scalar = edge);
        Ok((points.into(), scalars.into()))
    }

    fn operator(&self, operator: Operator) -> Result<Option<Line>, Failure> {
        let (a, b, c) = (Buf::from(self.a.clone()), &self.b, &self.c);
        let (k, hash) = (self.coordinates[0], Poseidon::new());
        match operator {
            Operator::Ntt => self.transform(Direction::Forward),
            Operator::Intt => self.transform(Direction::Inverse),
            Operator::Extend => self.in_place(|on, a| on.ntt.extend(&self.domain, a)),
            Operator::VecMul => self.in_place(|on, a| on.vec.mul(a, b.view())),
            Operator::VecMulSub => self.in_place(|on, a| on.vec.mul_sub(a, b.view(), c.view())),
            Operator::SparseMul => {
                // Two rows hold most of the entries, and some positions occur twice.
                let entry = |i: usize| Entry {
                    matrix: (i % 2) as u32,
                    row: (i * i % 5 % self.n) as u32,
                    column: (i * 7 % self.n) as u32,
                    value: self.a[i],
                };
                let entries: Vec<_> = (0..self.n).map(entry).collect();
                let shape = SparseShape { matrices: 2, rows: self.n };
                self.call(|on| {
                    let (products, cost) = on.sparse.sparse_mul(shape, &entries, b.view())?;
                    Ok((products.iter().map(elements).collect::<Result<Vec<_>, _>>()?, cost))
                })
            }
            Operator::Scale => self.in_place(|on, a| on.poly.scale(a, &k)),
            Operator::Axpy => self.in_place(|on, a| on.poly.axpy(a, &k, b.view())),
            Operator::Invert => self.in_place(|on, a| on.poly.invert(a)),
            Operator::PrefixProducts => self.in_place(|on, a| on.poly.prefix_products(a)),
            Operator::Powers => self.call(|on| {
                let (powers, cost) = on.poly.powers(&self.a[0], &k, self.n)?;
                Ok((elements(&powers)?, cost))
            }),
            Operator::Evaluate => self.call(|on| on.poly.evaluate(b.view(), &k)),
            Operator::Divide => self.call(|on| {
                let ((quotient, remainder), cost) = on.poly.divide(b.view(), &k)?;
                Ok(((elements(&quotient)?, remainder), cost))
            }),
            Operator::MsmG1 => self.msm(|on| &*on.g1),
            Operator::MsmG2 => self.msm(|on| &*on.g2),
            Operator::StartMsmG1 => self.started(|on| &*on.g1),
            Operator::StartMsmG2 => self.started(|on| &*on.g2),
            Operator::MultiplesG1 => self.multiples(|on| &*on.g1),
            Operator::MultiplesG2 => self.multiples(|on| &*on.g2),
            Operator::BuildEq => self.call(|on| {
                let (table, cost) = on.tree.build_eq(&self.coordinates)?;
                Ok((elements(&table)?, cost))
            }),
            Operator::MleEval => self.call(|on| on.tree.mle_eval(b.view(), &self.coordinates)),
            Operator::Product => self.call(|on| on.tree.product(b.view())),
            Operator::ProductTree => self.call(|on| on.tree.product_tree(b.view())),
            Operator::Sha3Root => self.call(|on| on.tree.sha3_root(self.digests.view())),
            Operator::Sha3Tree => self.call(|on| on.tree.sha3_tree(self.digests.view())),
            Operator::SumcheckRound => {
                let tables = [a, b.clone(), c.clone(), b.clone()];
                self.call(|on| on.sumcheck.round(&identity(), &tables))
            }
            Operator::SumcheckBind => self.call(|on| {
                let mut tables = [a.clone(), b.clone(), c.clone()];
                let ((), cost) = SumcheckOp::bind(&*on.sumcheck, &mut tables, &k)?;
                Ok((tables.iter().map(elements).collect::<Result<Vec<_>, _>>()?, cost))
            }),
            Operator::PoseidonRoot => self.call(|on| on.hash.poseidon_root(&hash, b.view())),
            Operator::PoseidonTree => self.call(|on| on.hash.poseidon_tree(&hash, b.view())),
            // These operators have no implementation on the device.
            Operator::InSubgroupG1
            | Operator::InSubgroupG2
            | Operator::AllInSubgroupG1
            | Operator::AllInSubgroupG2
            | Operator::ScalePointsG1
            | Operator::ScalePointsG2
            | Operator::ScaleBySecretsG1
            | Operator::ScaleBySecretsG2
            | Operator::HashToG1
            | Operator::HashToG2
            | Operator::MultiPairing
            | Operator::MultiPairingFixed => Ok(None),
        }
    }

    fn msm<C: Curve>(&self, group: fn(&Device<E>) -> &dyn MsmOp<C>) -> Result<Option<Line>, Failure> {
        let (bases, scalars) = self.points(group(self.host))?;
        self.call(|on| group(on).msm(bases.view(), scalars.view()))
    }

    fn started<C: Curve>(&self, group: fn(&Device<E>) -> &dyn MsmOp<C>) -> Result<Option<Line>, Failure> {
        let (bases, scalars) = self.points(group(self.host))?;
        self.call(|on| {
            let (later, cost) = group(on).start(bases.view(), scalars.view())?;
            later.wait(cost)
        })
    }

    fn multiples<C: Curve>(&self, group: fn(&Device<E>) -> &dyn MsmOp<C>) -> Result<Option<Line>, Failure> {
        let (_, scalars) = self.points(group(self.host))?;
        self.call(|on| {
            let (points, cost) = group(on).multiples(&C::GENERATOR, scalars.view())?;
            Ok((elements(&points)?, cost))
        })
    }
}
