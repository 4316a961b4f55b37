//! Ethereum's blobs: reads and checks the ceremony's points, commits to a blob, proves and verifies it, and recovers it from
//! half of its cells.
//!
//! ```sh
//! cargo run --release --example blobs -p pairwright -- trusted_setup.txt
//! ```
//!
//! The file is that of c-kzg or of the consensus specification; without an argument the repository's copy is read.

use flate2::read::GzDecoder;
use pairwright::curve::bls12_381::Bls12_381;
use pairwright::device::Session;
use pairwright::formats::{FileBytes, read_cell_points, read_trusted_setup};
use pairwright::protocols::kzg::blobs::{BYTES, BlobSetup, Sidecar};
use pairwright::protocols::kzg::cells::{CellClaim, CellProver, CellSetup, Cells};
use pairwright::randomness;
use std::error::Error;
use std::io::Read;

pub(crate) fn run(file: Option<&str>) -> Result<(), Box<dyn Error>> {
    let file = match file {
        Some(path) => FileBytes::open(path)?,
        None => {
            let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../vectors/kzg/trusted_setup.json.gz");
            let mut bytes = Vec::new();
            GzDecoder::new(std::fs::File::open(path)?).read_to_end(&mut bytes)?;
            FileBytes::from_vec("trusted_setup.json", bytes)
        }
    };
    let board = pairwright::device::<Bls12_381>("cpu")?;
    let mut on = Session::new(&board);
    let mut rng = randomness::system()?;

    // Whether the points are powers of one tau is tested with random weights.
    let points = read_trusted_setup(&file)?;
    let setup = BlobSetup::new(&mut on, points.lagrange, points.tau_g2, &mut rng)?;

    // Elements of a blob have to be below the group order; a zero in the first of their 32 bytes ensures that.
    let text = b"blobs carry data that rollups publish. ";
    let blob: Vec<u8> = (0..BYTES).map(|i| if i % 32 == 0 { 0 } else { text[i % text.len()] }).collect();
    let commitment = setup.commit(&mut on, &blob)?;
    let proof = setup.prove_blob(&mut on, &blob, &commitment)?;
    let sidecar = Sidecar { blob: &blob, commitment: &commitment, proof: &proof };
    setup.verify_blobs(&mut on, &[sidecar, sidecar])?;
    println!("blob: the commitment and the proof are accepted");

    let points = read_cell_points(&file)?;
    let setup = CellSetup::new(&mut on, points.g1, points.tau_g2, points.tau_64_g2, &mut rng)?;
    let cells = Cells::of_blob(&mut on, &blob)?;
    let proofs = CellProver::new(&mut on, &setup)?.prove(&mut on, &cells)?;
    let bytes = cells.to_bytes();
    let each = (0..).zip(bytes.iter().zip(&proofs));
    let claims: Vec<CellClaim<'_>> = each
        .map(|(index, (cell, proof))| CellClaim { commitment: &commitment, index, cell, proof })
        .collect();
    setup.verify(&mut on, &claims)?;
    println!("cells: all {} are accepted", claims.len());

    let odd: Vec<(u64, &[u8])> =
        (0..).zip(&bytes).filter(|(i, _)| i % 2 == 1).map(|(i, c)| (i, &c[..])).collect();
    assert_eq!(Cells::recover(&mut on, &odd)?.to_blob(), blob);
    println!("cells: the blob comes back from {} of them", odd.len());
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    run(std::env::args().nth(1).as_deref())
}
