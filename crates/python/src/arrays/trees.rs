//! Merkle trees of SHA3-256 and of Poseidon, and sumchecks.

use super::operators::one;
use super::{Scalars, host, operand, same_curve};
use crate::failure::{raised, rejected, usage};
use crate::work::{Watch, work};
use pairwright::Boards;
use pairwright::curve::Pairing;
use pairwright::curve::bn254::Bn254;
use pairwright::formats::CurveId;
use pairwright::hash::{Commitment, Compress, Digest, Opening, Poseidon, Sha3};
use pairwright::poly::{Buf, SumOfProducts, Term};
use pairwright::protocols::sumcheck::{self, ProveError, SumcheckProof};
use pairwright::protocols::transcript::Transcript;
use pairwright_cli::{Failure, on_curve};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// A Merkle tree of SHA3-256 over digests of 32 bytes.
#[pyclass(frozen, module = "pairwright._native")]
pub(crate) struct MerkleTree(pairwright::hash::MerkleTree<Sha3>);

/// Splits bytes into digests.
fn digests(data: &[u8]) -> Result<Vec<Digest>, Failure> {
    let (digests, rest) = data.as_chunks::<32>();
    if !rest.is_empty() {
        return Err(usage(format!("digests: {} bytes are no number of digests of 32 bytes", data.len())));
    }
    Ok(digests.to_vec())
}

#[pymethods]
impl MerkleTree {
    /// Computes the tree over digests, which are padded to a power of two.
    #[staticmethod]
    fn over(py: Python<'_>, leaves: &[u8]) -> PyResult<Self> {
        type Tree = pairwright::hash::MerkleTree<Sha3>;
        work(py, None, |watch| {
            let mut leaves = digests(leaves)?;
            let len = Tree::pad(&mut leaves).map_err(Failure::bad)?;
            let leaves: Buf<Digest> = leaves.into();
            // The tree of digests does not depend on the curve of the board.
            let levels = watch.quiet(host::<Bn254>()?).sha3_tree(leaves.view()).map_err(operand)?;
            Ok(Self(Tree::from_levels(leaves.into_vec(), len, levels).map_err(Failure::bad)?))
        })
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    /// The topmost digest.
    fn root<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.root())
    }

    /// The siblings on the path of a leaf from the bottom up, as bytes for a verifier.
    fn open<'py>(&self, py: Python<'py>, index: usize) -> PyResult<Bound<'py, PyBytes>> {
        let opening = self.0.open(index).map_err(|why| raised(py, &Failure::bad(why)))?;
        Ok(PyBytes::new(py, &opening.to_bytes::<Sha3>()))
    }
}

/// The digest of a leaf's bytes: SHA3-256.
#[pyfunction]
pub(crate) fn merkle_leaf<'py>(py: Python<'py>, data: &[u8]) -> Bound<'py, PyBytes> {
    PyBytes::new(py, &Sha3::leaf(data))
}

/// Accepts a digest as the leaf at an index of a tree with this number of leaves, or raises.
#[pyfunction]
pub(crate) fn merkle_verify(
    py: Python<'_>,
    root: &[u8],
    len: usize,
    index: usize,
    leaf: &[u8],
    opening: &[u8],
) -> PyResult<()> {
    let verdict = || {
        let digest = |bytes: &[u8], what| -> Result<Digest, Failure> {
            bytes.try_into().map_err(|_| usage(format!("{what}: {} bytes, a digest has 32", bytes.len())))
        };
        let (root, leaf) = (digest(root, "root")?, digest(leaf, "leaf")?);
        let opening = Opening::<Digest>::from_bytes::<Sha3>(opening).map_err(Failure::bad)?;
        opening.verify(&Sha3, &Commitment { root, len }, index, &leaf).map_err(rejected)
    };
    verdict().map_err(|why| raised(py, &why))
}

/// All nodes of the Poseidon Merkle tree over scalars, which are padded with zeros to a power of two: the leaves, then level by
/// level up to the root.
#[pyfunction]
pub(crate) fn poseidon_tree(py: Python<'_>, leaves: &Scalars) -> PyResult<Scalars> {
    fn of<E: Boards>(leaves: &Scalars, watch: &Watch<'_>) -> Result<Scalars, Failure> {
        let mut nodes = leaves.values::<E>()?.to_vec();
        pairwright::hash::MerkleTree::<Poseidon<E::Fr>>::pad(&mut nodes).map_err(Failure::bad)?;
        let buf: Buf<E::Fr> = nodes.clone().into();
        let levels =
            watch.quiet(host::<E>()?).poseidon_tree(&Poseidon::new(), buf.view()).map_err(operand)?;
        nodes.extend(levels.into_nodes());
        Ok(Scalars::new::<E>(leaves.curve, nodes.into()))
    }
    work(py, None, |watch| on_curve!(leaves.curve, of(leaves, watch)))
}

/// The Poseidon hash of two scalars.
#[pyfunction]
pub(crate) fn poseidon(py: Python<'_>, pair: &Scalars) -> PyResult<Scalars> {
    fn of<E: Boards>(pair: &Scalars) -> Result<Scalars, Failure> {
        let [left, right] = pair.values::<E>()?[..] else {
            return Err(usage("poseidon: two scalars are hashed"));
        };
        Ok(one::<E>(pair.curve, Poseidon::new().compress(&left, &right)))
    }
    work(py, None, |_| on_curve!(pair.curve, of(pair)))
}

/// Builds a sum of products from its terms: a coefficient and the indices of the tables that are multiplied.
fn sum<E: Pairing>(
    tables: &[&Scalars],
    coefficients: &Scalars,
    terms: Vec<Vec<usize>>,
) -> Result<SumOfProducts<E::Fr>, Failure> {
    tables.iter().try_for_each(|table| same_curve(coefficients.curve, table.curve))?;
    let coefficients = coefficients.values::<E>()?;
    if coefficients.len() != terms.len() {
        return Err(usage(format!("sumcheck: {} coefficients of {} terms", coefficients.len(), terms.len())));
    }
    let term = |(coefficient, tables): (&E::Fr, Vec<usize>)| Term { coefficient: *coefficient, tables };
    Ok(SumOfProducts { terms: coefficients.iter().zip(terms).map(term).collect() })
}

/// A sumcheck proof as bytes, the point to which it reduces the claim, and the tables' values at that point.
type Reduced = (Vec<u8>, Scalars, Scalars);

/// Proves that a sum of products of tables over all corners of the hypercube equals the claim. The transcript begins with a
/// label.
#[pyfunction]
pub(crate) fn sumcheck_prove(
    py: Python<'_>,
    tables: Vec<Py<Scalars>>,
    coefficients: &Scalars,
    terms: Vec<Vec<usize>>,
    claim: Option<&Scalars>,
    label: &str,
) -> PyResult<(Vec<u8>, Scalars, Scalars, Scalars)> {
    fn of<E: Boards>(
        tables: &[&Scalars],
        coefficients: &Scalars,
        terms: Vec<Vec<usize>>,
        claim: Option<&Scalars>,
        label: &str,
        watch: &Watch<'_>,
    ) -> Result<(Reduced, Scalars), Failure> {
        let sum = sum::<E>(tables, coefficients, terms)?;
        let curve = coefficients.curve;
        let tables: Vec<Buf<E::Fr>> = tables
            .iter()
            .map(|table| Ok(table.values::<E>()?.to_vec().into()))
            .collect::<Result<_, Failure>>()?;
        let lengths: Vec<usize> = tables.iter().map(|table| table.len()).collect();
        if sum.tables() > tables.len() || lengths.windows(2).any(|pair| pair[0] != pair[1]) {
            return Err(usage(format!(
                "sumcheck: {} tables are named, of lengths {lengths:?}",
                sum.tables()
            )));
        }
        let claim = match claim.map(|claim| claim.values::<E>()).transpose()? {
            None => sum.sum(&tables),
            Some(claim) => *claim.first().ok_or_else(|| usage("sumcheck: the claim is one scalar"))?,
        };
        let mut on = watch.quiet(host::<E>()?);
        let reduced = sumcheck::prove(&mut on, &sum, tables, claim, &mut Transcript::new(label));
        let reduced = reduced.map_err(|why| match why {
            ProveError::Device(why) => operand(why),
            ProveError::Inconsistent { .. } => Failure::Internal(why.into()),
            other => Failure::bad(other),
        })?;
        let (point, values) = (reduced.point.into(), reduced.values.into());
        let scalars = (Scalars::new::<E>(curve, point), Scalars::new::<E>(curve, values));
        Ok(((reduced.proof.to_bytes(), scalars.0, scalars.1), one::<E>(curve, claim)))
    }
    let ((proof, point, values), claim) = work(py, None, |watch| {
        let tables: Vec<&Scalars> = tables.iter().map(Py::get).collect();
        on_curve!(coefficients.curve, of(&tables, coefficients, terms, claim, label, watch))
    })?;
    Ok((proof, point, values, claim))
}

/// Reduces the claim of a sumcheck to a point and the value that the sum's polynomial has to have there. The caller has to
/// check that value to accept the proof.
#[pyfunction]
pub(crate) fn sumcheck_verify(
    py: Python<'_>,
    proof: &[u8],
    claim: &Scalars,
    variables: usize,
    degree: usize,
    label: &str,
) -> PyResult<(Scalars, Scalars)> {
    fn of<E: Pairing>(
        proof: &[u8],
        claim: &Scalars,
        (variables, degree): (usize, usize),
        label: &str,
    ) -> Result<(Scalars, Scalars), Failure> {
        let curve: CurveId = claim.curve;
        let [claim] = claim.values::<E>()?[..] else {
            return Err(usage("sumcheck: the claim is one scalar"));
        };
        let proof = SumcheckProof::<E::Fr>::from_bytes(proof, variables, degree).map_err(rejected)?;
        let left = sumcheck::verify(&proof, claim, variables, degree, &mut Transcript::new(label));
        let left = left.map_err(rejected)?;
        Ok((Scalars::new::<E>(curve, left.point.into()), one::<E>(curve, left.value)))
    }
    work(py, None, |_| on_curve!(claim.curve, of(proof, claim, (variables, degree), label)))
}
