//! Ethereum's blobs and their cells compared with c-kzg, which computes on one thread; both sides give the same bytes.

use crate::{Options, Row, Table, take_rounds, take_turns};
use c_kzg::{Blob, Bytes48, Cell, KzgSettings};
use pairwright_cpu::board;
use pairwright_curve::bls12_381::Bls12_381;
use pairwright_device::Session;
use pairwright_formats::{FileBytes, read_cell_points, read_trusted_setup};
use pairwright_protocols::kzg::blobs::{BYTES, BlobSetup, PointBytes, Sidecar};
use pairwright_protocols::kzg::cells::{CELLS, CellBytes, CellClaim, CellProver, CellSetup, Cells};
use rand_chacha::rand_core::Rng;
use std::time::Duration;

const BUDGET: Duration = Duration::from_secs(2);
/// Number of blobs that are verified together.
const MANY: usize = 64;
/// The names of the rows.
const NAMES: [&str; 10] = [
    "blobs, loading the setup",
    "blobs and cells, loading the setup",
    "blob commit",
    "blob prove",
    "blob verify",
    "blobs verify together",
    "cells compute",
    "cells compute and prove",
    "cells verify together",
    "cells recover and prove",
];

/// The points of the ceremony in the text format that both sides read.
fn setup_text() -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../vectors/kzg/trusted_setup.json.gz");
    let file = std::fs::File::open(path).expect("the ceremony's points");
    let json: serde_json::Value = serde_json::from_reader(flate2::read::GzDecoder::new(file)).expect("JSON");
    let mut text = String::from("4096\n65\n");
    for list in ["g1_lagrange", "g2_monomial", "g1_monomial"] {
        for point in json[list].as_array().expect("a list") {
            text.push_str(point.as_str().and_then(|p| p.strip_prefix("0x")).expect("a point"));
            text.push('\n');
        }
    }
    text
}

fn ours(text: &str) -> BlobSetup {
    let file = FileBytes::from_vec("setup.txt", text.as_bytes().to_vec());
    let points = read_trusted_setup(&file).expect("points");
    let device = board::<Bls12_381>();
    let mut rng = crate::bridge::rng(40);
    BlobSetup::new(&mut Session::new(&device), points.lagrange, points.tau_g2, &mut rng).expect("a setup")
}

fn our_cells(text: &str) -> (CellSetup, CellProver) {
    let file = FileBytes::from_vec("setup.txt", text.as_bytes().to_vec());
    let points = read_cell_points(&file).expect("points");
    let device = board::<Bls12_381>();
    let mut on = Session::new(&device);
    let mut rng = crate::bridge::rng(41);
    let setup =
        CellSetup::new(&mut on, points.g1, points.tau_g2, points.tau_64_g2, &mut rng).expect("a setup");
    let prover = CellProver::new(&mut on, &setup).expect("a prover");
    (setup, prover)
}

fn theirs(text: &str) -> KzgSettings {
    KzgSettings::parse_kzg_trusted_setup(text, 0).expect("a setup")
}

fn blob(stream: u64) -> Vec<u8> {
    let mut blob = vec![0; BYTES];
    crate::bridge::rng(stream).fill_bytes(&mut blob);
    blob.iter_mut().step_by(32).for_each(|top| *top &= 0x3f);
    blob
}

/// Rows compared with c-kzg.
pub fn against_c_kzg(options: &Options, table: &mut Table) {
    if !NAMES.iter().any(|name| options.wants(name)) {
        return;
    }
    let text = setup_text();
    for (threads, pool) in options.pools() {
        let mut load = |name, ours: &(dyn Fn() + Sync)| {
            if options.wants(name) {
                let pair = pool.install(|| take_rounds(5, ours, || drop(theirs(&text))));
                table.push(Row::new(name, "4096", threads, "c-kzg", &pair, 1));
            }
        };
        load(NAMES[0], &|| drop(ours(&text)));
        load(NAMES[1], &|| drop((ours(&text), our_cells(&text))));
    }

    let (setup, (cell_setup, prover), peer) = (ours(&text), our_cells(&text), theirs(&text));
    let device = board::<Bls12_381>();
    let on = || Session::new(&device);
    let bytes: Vec<Vec<u8>> = (0..MANY as u64).map(|i| blob(50 + i)).collect();
    let blobs: Vec<Blob> = bytes.iter().map(|b| Blob::from_bytes(b).expect("a blob")).collect();
    let commitments: Vec<PointBytes> =
        bytes.iter().map(|b| setup.commit(&mut on(), b).expect("a commitment")).collect();
    let pairs = || bytes.iter().zip(&commitments);
    let proofs: Vec<PointBytes> =
        pairs().map(|(b, c)| setup.prove_blob(&mut on(), b, c).expect("a proof")).collect();
    let peer_commitments: Vec<Bytes48> = commitments.iter().map(|c| Bytes48::new(*c)).collect();
    let peer_proofs: Vec<Bytes48> = proofs.iter().map(|p| Bytes48::new(*p)).collect();
    let each = bytes.iter().zip(&commitments).zip(&proofs);
    let sidecars: Vec<Sidecar<'_>> =
        each.map(|((blob, commitment), proof)| Sidecar { blob, commitment, proof }).collect();
    let peer_commit = || *peer.blob_to_kzg_commitment(&blobs[0]).expect("a commitment").to_bytes();
    let peer_prove =
        || *peer.compute_blob_kzg_proof(&blobs[0], &peer_commitments[0]).expect("a proof").to_bytes();
    assert!(peer_commit() == commitments[0] && peer_prove() == proofs[0], "the same bytes");

    let cells = Cells::of_blob(&mut on(), &bytes[0]).expect("cells");
    let cell_bytes: Vec<CellBytes> = cells.to_bytes();
    let cell_proofs = prover.prove(&mut on(), &cells).expect("proofs");
    let (peer_cells, peer_cell_proofs) = peer.compute_cells_and_kzg_proofs(&blobs[0]).expect("cells");
    assert!(peer_cells.iter().map(Cell::to_bytes).eq(cell_bytes.iter().copied()), "the same cells");
    assert!(
        peer_cell_proofs.iter().map(|p| *p.to_bytes()).eq(cell_proofs.iter().copied()),
        "the same proofs of cells"
    );
    let claims: Vec<CellClaim<'_>> = (0..CELLS)
        .map(|i| CellClaim {
            commitment: &commitments[0],
            index: i as u64,
            cell: &cell_bytes[i],
            proof: &cell_proofs[i],
        })
        .collect();
    let peer_claims = (
        vec![peer_commitments[0]; CELLS],
        (0..CELLS as u64).collect::<Vec<_>>(),
        cell_proofs.iter().map(|p| Bytes48::new(*p)).collect::<Vec<_>>(),
    );
    let half: Vec<(u64, &[u8])> = (64..CELLS).map(|i| (i as u64, &cell_bytes[i][..])).collect();
    let (peer_half, peer_indices) = (&peer_cells[64..], &peer_claims.1[64..]);

    type Pair<'a> = (&'static str, usize, &'a (dyn Fn() + Sync), &'a (dyn Fn() + Sync));
    let operations: [Pair<'_>; 8] = [
        (NAMES[2], 1, &|| _ = setup.commit(&mut on(), &bytes[0]).expect("valid"), &|| _ = peer_commit()),
        (
            NAMES[3],
            1,
            &|| _ = setup.prove_blob(&mut on(), &bytes[0], &commitments[0]).expect("valid"),
            &|| _ = peer_prove(),
        ),
        (NAMES[4], 1, &|| setup.verify_blob(&mut on(), &sidecars[0]).expect("valid"), &|| {
            assert!(
                peer.verify_blob_kzg_proof(&blobs[0], &peer_commitments[0], &peer_proofs[0]).expect("read")
            );
        }),
        (NAMES[5], MANY, &|| setup.verify_blobs(&mut on(), &sidecars).expect("valid"), &|| {
            assert!(peer.verify_blob_kzg_proof_batch(&blobs, &peer_commitments, &peer_proofs).expect("read"));
        }),
        (NAMES[6], CELLS, &|| drop(Cells::of_blob(&mut on(), &bytes[0]).expect("valid").to_bytes()), &|| {
            drop(peer.compute_cells(&blobs[0]).expect("cells"));
        }),
        (
            NAMES[7],
            CELLS,
            &|| {
                let mut on = on();
                let cells = Cells::of_blob(&mut on, &bytes[0]).expect("valid");
                drop((prover.prove(&mut on, &cells).expect("proofs"), cells.to_bytes()));
            },
            &|| drop(peer.compute_cells_and_kzg_proofs(&blobs[0]).expect("cells")),
        ),
        (NAMES[8], CELLS, &|| cell_setup.verify(&mut on(), &claims).expect("valid"), &|| {
            let (commitments, indices, proofs) = &peer_claims;
            assert!(
                peer.verify_cell_kzg_proof_batch(commitments, indices, &peer_cells[..], proofs)
                    .expect("read")
            );
        }),
        (
            NAMES[9],
            CELLS,
            &|| {
                let mut on = on();
                let cells = Cells::recover(&mut on, &half).expect("recovered");
                drop((prover.prove(&mut on, &cells).expect("proofs"), cells.to_bytes()));
            },
            &|| drop(peer.recover_cells_and_kzg_proofs(peer_indices, peer_half).expect("recovered")),
        ),
    ];
    for (threads, pool) in options.pools() {
        for (name, count, ours, theirs) in &operations {
            if options.wants(name) {
                let pair = pool.install(|| take_turns(BUDGET, || (), |()| ours(), || (), |()| theirs()));
                table.push(Row::new(*name, count.to_string(), threads, "c-kzg", &pair, 1));
            }
        }
    }
}
