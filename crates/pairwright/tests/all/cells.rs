//! Tests cells of Ethereum's blobs on the host with the cases of the specification and the ceremony's own points.

use crate::blobs::{board, file, hex, unpacked};
use pairwright::curve::bls12_381::Bls12_381;
use pairwright::device::{Device, Session};
use pairwright::formats::{CellPoints, read_cell_points};
use pairwright::protocols::kzg::KzgError;
use pairwright::protocols::kzg::blobs::{BYTES, PointBytes};
use pairwright::protocols::kzg::cells::{CELLS, CellBytes, CellClaim, CellProver, CellSetup, Cells};
use pairwright::randomness;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

fn ceremony() -> CellPoints {
    read_cell_points(&file("setup.json", unpacked("trusted_setup.json.gz"))).unwrap()
}

fn setup(on: &mut Session<'_, Bls12_381>, points: CellPoints) -> Result<CellSetup, KzgError> {
    let CellPoints { g1, tau_g2, tau_64_g2 } = points;
    CellSetup::new(on, g1, tau_g2, tau_64_g2, &mut randomness::system().unwrap())
}

fn text(bytes: &[u8]) -> Value {
    Value::from(format!("0x{}", bytes.iter().map(|b| format!("{b:02x}")).collect::<String>()))
}

/// The hash that stands in a case for a list of output cells.
fn digest(cells: &[CellBytes]) -> Value {
    let hash = cells.iter().fold(Sha256::new(), |hash, cell| hash.chain_update(cell)).finalize();
    Value::from(hash.iter().map(|b| format!("{b:02x}")).collect::<String>())
}

struct Cases {
    blobs: Vec<Vec<u8>>,
    /// The cells of each blob; `None` for a malformed blob.
    cells: Vec<Option<Vec<CellBytes>>>,
    board: Device<Bls12_381>,
    setup: CellSetup,
    prover: CellProver,
}

impl Cases {
    /// The input cells of an operation, given as a blob with an index, or as bytes.
    fn cells(&self, list: &Value) -> Vec<Vec<u8>> {
        let cell = |cell: &Value| match cell.as_array() {
            Some(place) => {
                let [blob, index] = [0, 1].map(|i| place[i].as_u64().unwrap() as usize);
                self.cells[blob].as_ref().unwrap()[index].to_vec()
            }
            None => hex(cell),
        };
        list.as_array().unwrap().iter().map(cell).collect()
    }

    /// The result with the proofs and cells of a blob.
    fn proved(&self, on: &mut Session<'_, Bls12_381>, cells: &Cells) -> Option<Value> {
        let proofs = self.prover.prove(on, cells).ok()?;
        let proofs: Vec<Value> = proofs.iter().map(|proof| text(proof)).collect();
        Some(vec![digest(&cells.to_bytes()), proofs.into()].into())
    }

    /// The result of an operation; `None` if the input is refused.
    fn answer(&self, operation: &str, input: &Value) -> Option<Value> {
        let mut on = Session::new(&self.board);
        let blob = || &self.blobs[input["blob"].as_u64().unwrap() as usize];
        let list = |name: &str| input[name].as_array().unwrap();
        let indices = || list("cell_indices").iter().map(|index| index.as_u64().unwrap());
        match operation {
            "compute_cells" => Some(digest(&Cells::of_blob(&mut on, blob()).ok()?.to_bytes())),
            "compute_cells_and_kzg_proofs" => {
                let cells = Cells::of_blob(&mut on, blob()).ok()?;
                self.proved(&mut on, &cells)
            }
            "recover_cells_and_kzg_proofs" => {
                let cells = self.cells(&input["cells"]);
                // Lists of different lengths cannot be expressed as pairs.
                if list("cell_indices").len() != cells.len() {
                    return None;
                }
                let cells: Vec<_> = indices().zip(cells.iter().map(Vec::as_slice)).collect();
                let cells = Cells::recover(&mut on, &cells).ok()?;
                self.proved(&mut on, &cells)
            }
            "verify_cell_kzg_proof_batch" => {
                let points = |name: &str| {
                    list(name).iter().map(|p| PointBytes::try_from(hex(p)).ok()).collect::<Option<Vec<_>>>()
                };
                let (commitments, proofs) = (points("commitments")?, points("proofs")?);
                let cells = self.cells(&input["cells"]);
                let lengths = [commitments.len(), proofs.len(), list("cell_indices").len()];
                if lengths.iter().any(|length| *length != cells.len()) {
                    return None;
                }
                let each = indices().zip(&commitments).zip(cells.iter().zip(&proofs));
                let claims: Vec<_> = each
                    .map(|((index, commitment), (cell, proof))| CellClaim { commitment, index, cell, proof })
                    .collect();
                match self.setup.verify(&mut on, &claims) {
                    Ok(()) => Some(true.into()),
                    Err(KzgError::Rejected) => Some(false.into()),
                    Err(_) => None,
                }
            }
            other => panic!("unknown operation {other}"),
        }
    }
}

#[test]
fn answers_are_those_of_the_specification() {
    let board = board();
    let mut on = Session::new(&board);
    let setup = setup(&mut on, ceremony()).unwrap();
    let prover = CellProver::new(&mut on, &setup).unwrap();
    let blobs: Value = serde_json::from_slice(&unpacked("cases.json.gz")).unwrap();
    let blobs: Vec<Vec<u8>> = blobs["blobs"].as_array().unwrap().iter().map(hex).collect();
    let cells =
        blobs.iter().map(|blob| Cells::of_blob(&mut on, blob).ok().map(|cells| cells.to_bytes())).collect();
    drop(on);
    let cases = Cases { blobs, cells, board: board.clone(), setup, prover };
    let document: Value = serde_json::from_slice(&unpacked("cells.json.gz")).unwrap();
    let mut counts = BTreeMap::new();
    for case in document["cases"].as_array().unwrap() {
        let (operation, name) = (case["operation"].as_str().unwrap(), &case["name"]);
        let answer = cases.answer(operation, &case["input"]).unwrap_or(Value::Null);
        assert_eq!(answer, case["output"], "{name}");
        *counts.entry(operation.to_owned()).or_insert(0) += 1;
    }
    let counts: Vec<usize> = counts.into_values().collect();
    assert_eq!(counts, [11, 11, 18, 32]);
}

/// A blob is recovered from any half of its cells, but not from cells of two blobs.
#[test]
fn cells_that_do_not_belong_together_are_refused() {
    let board = board();
    let mut on = Session::new(&board);
    let blob: Vec<u8> = (0..BYTES).map(|i| if i % 32 == 0 { 0 } else { (i * i / 7) as u8 }).collect();
    let cells = Cells::of_blob(&mut on, &blob).unwrap();
    assert_eq!(cells.to_blob(), blob);
    let cells = cells.to_bytes();
    let some = |keep: &dyn Fn(usize) -> bool| -> Vec<(u64, &[u8])> {
        (0..CELLS).filter(|i| keep(*i)).map(|i| (i as u64, &cells[i][..])).collect()
    };
    for keep in [&(|i: usize| i % 2 == 1) as &dyn Fn(usize) -> bool, &|i| i >= 64, &|i| i != 5, &|_| true] {
        assert_eq!(Cells::recover(&mut on, &some(keep)).unwrap().to_blob(), blob);
    }
    let mut refused =
        |cells: &[(u64, &[u8])]| Cells::recover(&mut on, cells).err().expect("refused").to_string();
    let mut other = cells[70];
    other[40] ^= 1;
    let mut mixed = some(&|i| i >= 63);
    mixed[7] = (70, &other);
    assert_eq!(refused(&mixed), "the cells are not of one blob");
    assert_eq!(refused(&some(&|i| i >= 65)), "63 cells, a blob is recovered from 64 to 128");
    let mut twice = some(&|i| i >= 60);
    twice[1].0 = 60;
    assert_eq!(refused(&twice), "the indices of cells to recover a blob from do not ascend");
    let mut large = some(&|i| i >= 60);
    large[67].0 = 128;
    assert_eq!(refused(&large), "cell 128, a blob has cells 0 to 127");
    let mut short = some(&|i| i >= 60);
    short[3].1 = &cells[63][1..];
    assert_eq!(refused(&short), "a cell of 2047 bytes, expected 2048");
}

/// A malformed claim is named, and points that are not powers of one τ are refused.
#[test]
fn what_is_wrong_is_named() {
    let board = board();
    let mut on = Session::new(&board);
    let start = "the setup's points are not powers of one tau: ";
    let refused = |on: &mut Session<'_, Bls12_381>, spoil: &dyn Fn(&mut CellPoints)| {
        let mut points = ceremony();
        spoil(&mut points);
        setup(on, points).err().expect("refused").to_string()
    };
    let swapped = refused(&mut on, &|points| points.g1.swap(70, 71));
    assert_eq!(swapped, format!("{start}a point is not tau times the one before it"));
    let other = refused(&mut on, &|points| points.tau_64_g2 = points.tau_g2);
    assert_eq!(other, format!("{start}the 64th power in G2 is another one"));
    let short = refused(&mut on, &|points| points.g1.truncate(4000));
    assert_eq!(short, format!("{start}cells need 4096 powers"));

    let setup = setup(&mut on, ceremony()).unwrap();
    let infinity: PointBytes = std::array::from_fn(|i| if i == 0 { 0xc0 } else { 0 });
    let zeros: CellBytes = [0; 2048];
    let mut large = zeros;
    large[32..64].fill(0xff);
    let claim = |index, cell| CellClaim { commitment: &infinity, index, cell, proof: &infinity };
    setup.verify(&mut on, &[claim(0, &zeros), claim(127, &zeros)]).unwrap();
    let mut wrong = |claims: &[CellClaim<'_>]| setup.verify(&mut on, claims).unwrap_err().to_string();
    assert_eq!(
        wrong(&[claim(0, &zeros), claim(9, &large)]),
        "item 1 of the list: element 1 of the cell is not below the group order"
    );
    assert_eq!(wrong(&[claim(128, &zeros)]), "item 0 of the list: cell 128, a blob has cells 0 to 127");
    let broken: PointBytes = [0; 48];
    assert_eq!(
        wrong(&[claim(0, &zeros), claim(2, &zeros), CellClaim { commitment: &broken, ..claim(1, &zeros) }]),
        "item 2 of the list: commitment: BLS12-381 G1: flag bits 0x00 are not valid here"
    );
    let mut one = zeros;
    one[31] = 1;
    assert_eq!(wrong(&[claim(3, &zeros), claim(4, &one)]), "the pairing equation does not hold");
}
