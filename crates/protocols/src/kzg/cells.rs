//! Cells of Ethereum's blobs (EIP-7594): the values of a blob's polynomial at the 8192nd roots of unity, in 128 cells of 64
//! elements, each cell with a proof. The blob can be recovered from any 64 of its cells.
//!
//! The roots are in bit-reversed order, as a blob's are. So the roots of a cell are the solutions of `X^64 = y` for one 128th
//! root of unity y, and its proof is `q(τ)·G1` for the quotient q of the polynomial by `X^64 - y`. The functions are those of
//! the specification's `polynomial-commitments-sampling.md`, whose names are given in the comments.

use super::blobs::{ELEMENTS, LOG_ELEMENTS, PointBytes, values};
use super::wire::{
    ELEMENT, append, domain, each, elements, encoded, points, powers, reduced, reverse_bits, reversed,
};
use super::{KzgError, Powers};
use crate::group_ntt::{Coset, evaluate_vartime};
use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;
use pairwright_curve::bls12_381::{Bls12_381, Fq12, Fr, G1, G2};
use pairwright_curve::{Affine, batch_to_affine};
use pairwright_device::{DeviceError, Session};
use pairwright_field::{Field, batch_invert};
use pairwright_poly::{Basis, Buf, Coeff, CosetEval, Domain, Eval, Poly};
use rand_core::CryptoRng;
use sha2::{Digest, Sha256};

/// Number of cells of a blob.
pub const CELLS: usize = 1 << LOG_CELLS;
const LOG_CELLS: u32 = 7;
/// Number of field elements of a cell.
pub const CELL_ELEMENTS: usize = 1 << LOG_CELL;
const LOG_CELL: u32 = 6;
/// Number of bytes of a cell.
pub const CELL_BYTES: usize = CELL_ELEMENTS * ELEMENT;
/// Number of values of a blob's polynomial in all its cells.
const VALUES: usize = CELLS * CELL_ELEMENTS;
const LOG_VALUES: u32 = LOG_CELLS + LOG_CELL;
/// Domain separation tag of the hash that gives the weights of the cells of a batch.
const WEIGHTS: &[u8; 16] = b"RCKZGCBATCH__V1_";
/// The shift of a coset that contains no 8192nd root of unity.
const SHIFT: u64 = 7;

/// A cell in the network encoding: its field elements, big-endian.
pub type CellBytes = [u8; CELL_BYTES];

/// The polynomial of a blob: its coefficients and its values in all cells.
pub struct Cells {
    coefficients: Vec<Fr>,
    /// The values cell by cell, each cell in the order of its encoding.
    values: Vec<Fr>,
}

impl Cells {
    /// Computes the cells of a blob (`compute_cells`).
    ///
    /// # Errors
    /// When the blob is malformed, or a device fails.
    pub fn of_blob(on: &mut Session<'_, Bls12_381>, blob: &[u8]) -> Result<Self, KzgError> {
        on.phase("kzg cells");
        let mut values = values(blob)?;
        reverse_bits(&mut values);
        let p = polynomial::<Eval>(domain(LOG_ELEMENTS)?, values)?;
        let coefficients = list(on.intt(p)?);
        Self::of_coefficients(on, coefficients)
    }

    fn of_coefficients(on: &mut Session<'_, Bls12_381>, coefficients: Vec<Fr>) -> Result<Self, KzgError> {
        let mut padded = coefficients.clone();
        padded.resize(VALUES, Fr::ZERO);
        let mut values = list(on.ntt(polynomial::<Coeff>(domain(LOG_VALUES)?, padded)?)?);
        reverse_bits(&mut values);
        Ok(Self { coefficients, values })
    }

    /// Recovers all cells of a blob from at least 64 of them, each given with its index, in ascending order of the indices
    /// (`recover_cells_and_kzg_proofs`, without the proofs).
    ///
    /// # Errors
    /// When a cell is malformed, indices do not ascend or are too large, there are too few cells, a device fails, or the cells
    /// do not belong to one blob, a case that the specification leaves open.
    pub fn recover(on: &mut Session<'_, Bls12_381>, cells: &[(u64, &[u8])]) -> Result<Self, KzgError> {
        on.phase("kzg recover");
        if !(CELLS / 2..=CELLS).contains(&cells.len()) {
            return Err(KzgError::CellCount { found: cells.len() });
        }
        if !cells.is_sorted_by(|(a, _), (b, _)| a < b) {
            return Err(KzgError::CellOrder);
        }
        let mut given = vec![None; CELLS];
        for (index, cell) in cells {
            let index = cell_index(*index)?;
            if let Some(slot) = given.get_mut(index) {
                *slot = Some(cell_values(cell)?);
            }
        }
        // Z, the polynomial that vanishes on the missing cells, is a polynomial in Y = X^64.
        let ys = domain(LOG_CELLS)?;
        let roots = powers(ys.root(), CELLS);
        let missing = (0..CELLS).filter(|k| given.get(*k).is_none_or(Option::is_none));
        let mut vanishing = vec![Fr::ZERO; CELLS];
        vanishing.iter_mut().take(1).for_each(|c| *c = Fr::ONE);
        for y in missing.filter_map(|k| roots.get(reversed(k, LOG_CELLS))) {
            // (Y - y)·Z, computed in place from the highest coefficient down.
            for i in (0..CELLS).rev() {
                let below = i.checked_sub(1).and_then(|i| vanishing.get(i)).copied().unwrap_or(Fr::ZERO);
                if let Some(c) = vanishing.get_mut(i) {
                    *c = below - *c * *y;
                }
            }
        }
        // P·Z is known at all roots and has fewer coefficients than there are values.
        let shift = Fr::from(SHIFT);
        let shift_y = shift.pow_vartime(&[CELL_ELEMENTS as u64]);
        let z = list(on.ntt(polynomial::<Coeff>(ys, vanishing.clone())?)?);
        let mut z_shifted = list(on.coset_ntt(polynomial::<Coeff>(ys, vanishing)?, &shift_y)?);
        batch_invert(&mut z_shifted);
        let nothing = vec![Fr::ZERO; CELL_ELEMENTS];
        let mut product: Vec<Fr> =
            given.iter().flat_map(|cell| cell.as_ref().unwrap_or(&nothing)).copied().collect();
        reverse_bits(&mut product);
        times_periodic(&mut product, &z);
        let all = domain(LOG_VALUES)?;
        let product = on.intt(polynomial::<Eval>(all, product)?)?;
        let mut quotient = list(on.coset_ntt(product, &shift)?);
        times_periodic(&mut quotient, &z_shifted);
        let mut coefficients = list(on.coset_intt(polynomial::<CosetEval>(all, quotient)?, &shift)?);
        if coefficients.drain(ELEMENTS..).any(|c| !c.is_zero()) {
            return Err(KzgError::CellsOfTwoBlobs);
        }
        Self::of_coefficients(on, coefficients)
    }

    /// All cells, in the order of their indices.
    pub fn to_bytes(&self) -> Vec<CellBytes> {
        let mut bytes = Vec::with_capacity(VALUES * ELEMENT);
        append(&mut bytes, &self.values);
        bytes.as_chunks().0.to_vec()
    }

    /// The blob: the elements of the first half of the cells.
    pub fn to_blob(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(ELEMENTS * ELEMENT);
        append(&mut bytes, self.values.split_at(ELEMENTS).0);
        bytes
    }
}

/// The claim that a cell belongs to the committed blob, and its proof.
#[derive(Clone, Copy, Debug)]
pub struct CellClaim<'a> {
    /// The commitment to the blob.
    pub commitment: &'a PointBytes,
    /// Index of the cell, from 0 to 127.
    pub index: u64,
    /// Bytes of the cell.
    pub cell: &'a [u8],
    /// The proof of the cell.
    pub proof: &'a PointBytes,
}

/// The ceremony's points in the form that the functions on cells need.
pub struct CellSetup {
    powers: Powers<Bls12_381>,
    tau_64_g2: Affine<G2>,
}

impl CellSetup {
    /// Checks the ceremony's monomial points, as [`Powers::new`] does: all points of G1, and those of τ and τ^64 in G2.
    ///
    /// # Errors
    /// When there are not 4096 points in G1, when they are not powers of one τ, or when a device fails.
    pub fn new(
        on: &mut Session<'_, Bls12_381>,
        g1: Vec<Affine<G1>>,
        tau_g2: Affine<G2>,
        tau_64_g2: Affine<G2>,
        rng: &mut dyn CryptoRng,
    ) -> Result<Self, KzgError> {
        let Some(tau_64) = g1.get(CELL_ELEMENTS).copied().filter(|_| g1.len() == ELEMENTS) else {
            return Err(KzgError::Setup { what: "cells need 4096 powers" });
        };
        let powers = Powers::new(on, g1, tau_g2, rng)?;
        let in_subgroup = tau_64_g2.is_on_curve() && tau_64_g2.is_in_subgroup_vartime();
        let sides = [(tau_64, Affine::generator()), (-Affine::<G1>::generator(), tau_64_g2)];
        if !in_subgroup || on.multi_pairing(&sides)? != Fq12::ONE {
            return Err(KzgError::Setup { what: "the 64th power in G2 is another one" });
        }
        Ok(Self { powers, tau_64_g2 })
    }

    /// Verifies cells of any blobs, in any order, together with their proofs (`verify_cell_kzg_proof_batch`), by two pairings
    /// whatever their number. Which cell is wrong is not determined. An empty list is accepted.
    ///
    /// # Errors
    /// The verdicts other than acceptance of all, each with its reason. Malformed bytes are reported before a pairing is computed.
    pub fn verify(&self, on: &mut Session<'_, Bls12_381>, claims: &[CellClaim<'_>]) -> Result<(), KzgError> {
        on.phase("kzg verify");
        if claims.is_empty() {
            return Ok(());
        }
        let cells = each(claims, |claim| Ok((cell_index(claim.index)?, cell_values(claim.cell)?)))?;
        let proofs = points(on, "proof", claims.iter().map(|claim| claim.proof))?;
        // Each distinct commitment once, in the order of its first occurrence.
        let mut commitments: Vec<PointBytes> = Vec::new();
        let mut places = BTreeMap::new();
        let place = |claim: &CellClaim<'_>| {
            *places.entry(*claim.commitment).or_insert_with(|| {
                commitments.push(*claim.commitment);
                commitments.len() - 1
            })
        };
        let places: Vec<usize> = claims.iter().map(place).collect();
        let weights = weights(claims, &commitments, &places);
        let mut points = points(on, "commitment", commitments.iter()).map_err(|why| match why {
            KzgError::At { index, why } => {
                let claim = places.iter().position(|place| *place == index);
                KzgError::At { index: claim.unwrap_or(index), why }
            }
            why => why,
        })?;
        let mut scalars = vec![Fr::ZERO; points.len()];
        for (place, weight) in places.iter().zip(&weights) {
            if let Some(scalar) = scalars.get_mut(*place) {
                *scalar += *weight;
            }
        }
        points.extend(self.powers.g1.iter().take(CELL_ELEMENTS));
        scalars.extend(interpolated(on, &cells, &weights)?);
        let roots = powers(domain(LOG_CELLS)?.root(), CELLS);
        points.extend(&proofs);
        for ((index, _), weight) in cells.iter().zip(&weights) {
            let y = roots.get(reversed(*index, LOG_CELLS));
            scalars.push(*weight * *y.ok_or(KzgError::CellIndex { found: *index as u64 })?);
        }
        // e(Σ w·π, τ^64·G2) = e(Σ w·(C - I(τ)·G + y·π), G2)
        let left = on.msm_g1(Buf::from(proofs).view(), Buf::from(weights).view())?.to_affine();
        let right = on.msm_g1(Buf::from(points).view(), Buf::from(scalars).view())?.to_affine();
        if on.multi_pairing(&[(left, self.tau_64_g2), (-right, Affine::generator())])? == Fq12::ONE {
            return Ok(());
        }
        Err(KzgError::Rejected)
    }
}

/// The coefficients, negated, of the weighted sum of the polynomials of degree below 64 that interpolate the cells. Cells with the
/// same index are added up before they are interpolated.
fn interpolated(
    on: &mut Session<'_, Bls12_381>,
    cells: &[(usize, Vec<Fr>)],
    weights: &[Fr],
) -> Result<Vec<Fr>, KzgError> {
    let mut sums: BTreeMap<usize, Vec<Fr>> = BTreeMap::new();
    for ((index, values), weight) in cells.iter().zip(weights) {
        let sum = sums.entry(*index).or_insert_with(|| vec![Fr::ZERO; CELL_ELEMENTS]);
        for (sum, value) in sum.iter_mut().zip(values) {
            *sum -= *weight * *value;
        }
    }
    let (cell, all) = (domain(LOG_CELL)?, domain(LOG_VALUES)?);
    let mut total = vec![Fr::ZERO; CELL_ELEMENTS];
    for (index, mut values) in sums {
        reverse_bits(&mut values);
        let shift = all.root().pow_vartime(&[reversed(index, LOG_CELLS) as u64]);
        let coefficients = on.coset_intt(polynomial::<CosetEval>(cell, values)?, &shift)?;
        for (total, c) in total.iter_mut().zip(coefficients.iter()) {
            *total += *c;
        }
    }
    Ok(total)
}

/// Precomputed points for the proofs of all cells of a blob, by the method of D. Feist and D. Khovratovich (ePrint 2023/033).
///
/// With `p = Σ_b P_b·X^(64b)` the quotient by `X^64 - y` is `Σ_d y^d Σ_a P_(a+d+1)·X^(64a)`. Its values at τ for all y are a
/// transform of 128 points `H_d`. These are correlations of the blob's coefficients with the powers, which become products when
/// both have been transformed. This type holds the transformed powers: 128 rows of 64 points, 0.8 MB.
pub struct CellProver {
    rows: Vec<Buf<Affine<G1>>>,
}

impl CellProver {
    /// Transforms the powers, which takes about as long as the proofs of a few blobs.
    ///
    /// # Errors
    /// When a device fails.
    pub fn new(on: &mut Session<'_, Bls12_381>, setup: &CellSetup) -> Result<Self, KzgError> {
        on.phase("kzg setup");
        let mut points = vec![Affine::INFINITY; VALUES];
        // The powers of row a go to row -a, so that a product of transforms is a correlation. There are 63 steps in H_d.
        for (a, row) in setup.powers.g1.as_chunks::<CELL_ELEMENTS>().0.iter().take(CELLS / 2 - 1).enumerate()
        {
            let start = (CELLS - a) % CELLS * CELL_ELEMENTS;
            if let Some(out) = points.get_mut(start..start + CELL_ELEMENTS) {
                out.copy_from_slice(row);
            }
        }
        let points = transform_vartime(on, &points, CELL_ELEMENTS, domain(LOG_CELLS)?.root())?;
        let rows = points.as_chunks::<CELL_ELEMENTS>().0.iter().map(|row| Buf::from(row.to_vec()));
        Ok(Self { rows: rows.collect() })
    }

    /// Computes the proofs of all cells, in the order of their indices (`compute_cells_and_kzg_proofs`).
    ///
    /// # Errors
    /// When a device fails.
    pub fn prove(&self, on: &mut Session<'_, Bls12_381>, cells: &Cells) -> Result<Vec<PointBytes>, KzgError> {
        on.phase("kzg open cells");
        let ys = domain(LOG_CELLS)?;
        // The factor 1/128 of the inverse transform costs least here, on scalars.
        let scale = ys.size_inverse();
        let mut factors: Vec<Vec<Fr>> = (0..CELLS).map(|_| Vec::with_capacity(CELL_ELEMENTS)).collect();
        for j in 0..CELL_ELEMENTS {
            let column = cells.coefficients.iter().skip(j).step_by(CELL_ELEMENTS);
            let mut column: Vec<Fr> = column.map(|c| *c * scale).collect();
            column.resize(CELLS, Fr::ZERO);
            let column = on.ntt(polynomial::<Coeff>(ys, column)?)?;
            factors.iter_mut().zip(column.iter()).for_each(|(row, factor)| row.push(*factor));
        }
        let mut sums = Vec::with_capacity(CELLS);
        for (row, factors) in self.rows.iter().zip(factors) {
            sums.push(on.msm_g1(row.view(), Buf::from(factors).view())?);
        }
        let mut h = transform_vartime(on, &batch_to_affine(&sums), 1, ys.root_inverse())?;
        // The correlation at d + 1 is H_d for d below 63.
        h.rotate_left(1);
        h.iter_mut().skip(CELLS / 2 - 1).for_each(|point| *point = Affine::INFINITY);
        let mut proofs = transform_vartime(on, &h, 1, ys.root())?;
        reverse_bits(&mut proofs);
        Ok(proofs.iter().map(encoded).collect())
    }
}

/// Transforms `width` columns of points at once. `points` is a matrix by rows, each of `width` points; row i of the result is
/// `Σ_j root^(ij)·row_j`, where the order of the root is the number of rows. Variable time.
fn transform_vartime(
    on: &mut Session<'_, Bls12_381>,
    points: &[Affine<G1>],
    width: usize,
    root: Fr,
) -> Result<Vec<Affine<G1>>, KzgError> {
    let coset = Coset { root, shift: Fr::ONE, scale: Fr::ONE };
    Ok(evaluate_vartime(on, Session::scale_points_g1, points, width, coset, &mut |_| ())?)
}

/// Multiplies values by factors, whose list is repeated as often as needed.
fn times_periodic(values: &mut [Fr], factors: &[Fr]) {
    values.iter_mut().zip(factors.iter().cycle()).for_each(|(value, factor)| *value *= *factor);
}

/// Makes a polynomial from coefficients or values; an error unless there are as many as the domain has points.
fn polynomial<B: Basis>(domain: Domain<Fr>, data: Vec<Fr>) -> Result<Poly<Fr, B>, KzgError> {
    let (left, right) = (domain.size(), data.len());
    let wrong = DeviceError::LengthMismatch { op: "polynomial", left, right };
    Poly::new(domain, data.into()).ok_or(KzgError::Device(wrong))
}

/// The coefficients or values of a polynomial.
fn list<B: Basis>(p: Poly<Fr, B>) -> Vec<Fr> {
    p.into_buf().to_vec()
}

/// Checks that the index of a cell is below [`CELLS`].
fn cell_index(index: u64) -> Result<usize, KzgError> {
    let small = usize::try_from(index).ok().filter(|index| *index < CELLS);
    small.ok_or(KzgError::CellIndex { found: index })
}

/// The elements of a cell (`cell_to_coset_evals`).
fn cell_values(cell: &[u8]) -> Result<Vec<Fr>, KzgError> {
    if cell.len() != CELL_BYTES {
        return Err(KzgError::Length { of: "cell", found: cell.len(), expected: CELL_BYTES });
    }
    elements(cell, |index| KzgError::Element { of: "cell", index })
}

/// Weights of a batch: the powers of a hash of everything that is verified together
/// (`compute_verify_cell_kzg_proof_batch_challenge`).
fn weights(claims: &[CellClaim<'_>], commitments: &[PointBytes], places: &[usize]) -> Vec<Fr> {
    let number = |n: usize| (n as u64).to_be_bytes();
    let mut hash = Sha256::new()
        .chain_update(WEIGHTS)
        .chain_update(number(ELEMENTS))
        .chain_update(number(CELL_ELEMENTS))
        .chain_update(number(commitments.len()))
        .chain_update(number(claims.len()));
    commitments.iter().for_each(|commitment| hash.update(commitment));
    for (claim, place) in claims.iter().zip(places) {
        hash.update(number(*place));
        hash.update(claim.index.to_be_bytes());
        hash.update(claim.cell);
        hash.update(claim.proof);
    }
    powers(reduced(hash.finalize().into()), claims.len())
}
