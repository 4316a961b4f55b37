//! Makes the list of tasks from the sizes of a key.

use crate::job::{FileEntry, FileOrigin, Op, Part, Plan, Region, Setting, Task};
use crate::layout::part;
use crate::sizes::{block_bytes, msm_bytes};
use crate::{BlockRegion, Digest, Layout, Manifest, SectionRange, Sizes};
use serde::Serialize;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// The position of a witness's values in a file, and their digests.
#[derive(Clone, Debug, Serialize)]
pub struct WitnessRange {
    /// Path of the file.
    pub path: PathBuf,
    /// Size of the file in bytes.
    pub size: u64,
    /// Offset of the first value in bytes.
    pub offset: u64,
    /// BLAKE3 digests of the pieces of [`crate::KeySizes::piece`] values, in order; empty for a witness that is never read, as
    /// in simulations.
    pub digests: Vec<Digest>,
}

/// The names of the quotient's three vectors.
const VECTORS: [&str; 3] = ["a", "b", "c"];
/// Number of threads that memory estimates assume.
const THREADS: usize = 2;

/// Core time in seconds for a point of G1 in an MSM, with coordinates of 32 bytes.
const G1_POINT: f64 = 2.0e-6;
/// Core time in seconds for a point of G2 in an MSM, with coefficients of 32 bytes.
const G2_POINT: f64 = 6.0e-6;
/// Core time in seconds for an entry of the matrices.
const ENTRY: f64 = 1.0e-7;
/// Core time in seconds for one element in one layer of a transform.
const BUTTERFLY: f64 = 5.0e-9;
/// Core time in seconds for a byte that is read from or written to a file, including its digest.
const BYTE: f64 = 1.5e-9;

/// Makes the plan of a proof with a sharded key, whose tasks work in a directory; the sums are written to `directory/points`.
///
/// The key is the file `key`, its permuted sections are in the directory `shards`. Ranges of sections are as equal as possible
/// and have at most the number of points in `sizes`; the blocks are those of the sharded key.
pub fn plan(
    manifest: &Manifest,
    [key, shards, directory]: [&Path; 3],
    witness: &WitnessRange,
    sizes: &Sizes,
) -> Plan {
    let mut planner = Planner { manifest, sizes, files: BTreeMap::new(), tasks: Vec::new(), points: 0 };
    let coefficients: u64 = manifest.coefficients.iter().map(|b| b.length).sum();
    let h: u64 = manifest.h.iter().map(|b| b.length).sum();
    planner.given("key", key.to_owned(), manifest.key_bytes);
    planner.given("witness", witness.path.clone(), witness.size);
    planner.given("coefficients", shards.join(Manifest::COEFFICIENTS), coefficients);
    planner.given("h", shards.join(Manifest::H), h);
    let scalars = manifest.sizes.scalar_bytes << manifest.sizes.log_domain;
    let blocks = manifest.layout.blocks();
    let exchanges: &[&str] = if blocks == 1 { &[] } else { &["first", "second"] };
    for (exchange, vector) in exchanges.iter().flat_map(|e| VECTORS.map(|v| (*e, v))) {
        let name = format!("{exchange}.{vector}");
        planner.made(&name, directory.join(&name), scalars);
    }
    if blocks == 1 {
        planner.undivided(witness);
    } else {
        (0..blocks).for_each(|block| planner.columns(block, witness));
        for block in 0..blocks {
            (0..VECTORS.len()).for_each(|vector| planner.rows(block, vector));
        }
        (0..blocks).for_each(|block| planner.quotient(block));
    }
    let (sections, others) = (&manifest.sections, planner.tasks.len());
    for (part, section) in
        [(Part::C, &sections.c), (Part::A, &sections.a), (Part::B1, &sections.b1), (Part::B2, &sections.b2)]
    {
        planner.msm(part, section, witness);
    }
    // MSMs with the same witness values are adjacent, so that an executor that follows this order reads the values once.
    planner.tasks[others..].sort_by_key(|task| task.inputs[1].offset);
    let points = planner.points;
    planner.made("points", directory.join("points"), points);
    let setting = Setting {
        curve: manifest.sizes.curve.clone(),
        log_domain: manifest.sizes.log_domain,
        layout: manifest.layout,
        wires: manifest.sizes.wires,
    };
    let Planner { files, tasks, .. } = planner;
    // The identity does not cover paths, so that a directory can be moved between two runs.
    let text = serde_json::to_vec(&(manifest, &witness.digests, &setting, &tasks));
    let text = text.expect("numbers, texts and lists of them have a form in JSON");
    Plan { identity: Digest::of(&text), setting, files, tasks }
}

struct Planner<'a> {
    manifest: &'a Manifest,
    sizes: &'a Sizes,
    files: BTreeMap<String, FileEntry>,
    tasks: Vec<Task>,
    /// Total length in bytes of the output points planned so far.
    points: u64,
}

fn region(file: impl Into<String>, offset: u64, length: u64) -> Region {
    Region { file: file.into(), offset, length, digest: None, piece: None }
}

/// The combined digest of a run of pieces, if they have digests.
fn digest_of(digests: &[Digest], pieces: Range<usize>) -> Option<Digest> {
    digests.get(pieces).filter(|digests| !digests.is_empty()).map(Digest::from_iter)
}

impl Planner<'_> {
    fn given(&mut self, name: &str, path: PathBuf, length: u64) {
        self.files.insert(name.to_owned(), FileEntry { path, length, origin: FileOrigin::Given });
    }
    fn made(&mut self, name: &str, path: PathBuf, length: u64) {
        self.files.insert(name.to_owned(), FileEntry { path, length, origin: FileOrigin::Made });
    }
    fn layout(&self) -> Layout {
        self.manifest.layout
    }
    fn scalar(&self) -> u64 {
        self.manifest.sizes.scalar_bytes
    }
    fn first(&self, vector: usize, j: usize, k: usize) -> Region {
        self.exchange("first", vector, self.layout().first_exchange(j, k), self.layout().piece(j, k))
    }
    fn second(&self, vector: usize, j: usize, k: usize) -> Region {
        self.exchange("second", vector, self.layout().second_exchange(j, k), self.layout().piece(j, k))
    }
    fn exchange(&self, name: &str, vector: usize, at: usize, count: usize) -> Region {
        let scalar = self.scalar();
        region(format!("{name}.{}", VECTORS[vector]), at as u64 * scalar, count as u64 * scalar)
    }
    /// The region of a range of witness values; its digest is known if the range consists of whole pieces.
    fn witness(&self, witness: &WitnessRange, values: Range<usize>) -> Region {
        let (scalar, piece, wires) = (self.scalar(), self.manifest.sizes.piece(), self.manifest.sizes.wires);
        let whole =
            values.start.is_multiple_of(piece) && (values.end.is_multiple_of(piece) || values.end == wires);
        let pieces = values.start / piece..values.end.div_ceil(piece);
        let digest = digest_of(&witness.digests, pieces).filter(|_| whole);
        let place =
            region("witness", witness.offset + values.start as u64 * scalar, values.len() as u64 * scalar);
        Region { digest, piece: digest.map(|_| self.manifest.sizes.piece_bytes(scalar)), ..place }
    }
    fn shard(file: &str, block: &BlockRegion) -> Region {
        Region { digest: Some(block.digest), ..region(file, block.offset, block.length) }
    }
    /// Allocates the region for the output point of a task.
    fn point(&mut self, bytes: u64) -> Region {
        let place = region("points", self.points, bytes);
        self.points += bytes;
        place
    }
    /// The cost factor of coordinate arithmetic, relative to coordinates of 32 bytes.
    fn weight(&self) -> f64 {
        (self.manifest.sizes.g1_bytes as f64 / 64.0).powi(2)
    }
    fn add(&mut self, name: String, op: Op, [inputs, outputs]: [Vec<Region>; 2], seconds: f64, memory: u64) {
        let mut task = Task { name, op, inputs, outputs, core_microseconds: 1, memory };
        task.core_microseconds = 1 + ((seconds + task.bytes() as f64 * BYTE) * 1e6) as u64;
        self.tasks.push(task);
    }

    fn columns(&mut self, block: usize, witness: &WitnessRange) {
        let (layout, wires) = (self.layout(), self.manifest.sizes.wires);
        let entries = Self::shard("coefficients", &self.manifest.coefficients[block]);
        let count = entries.length / self.manifest.sizes.entry_bytes();
        let inputs = vec![entries, self.witness(witness, 0..wires)];
        let pieces = (0..VECTORS.len()).flat_map(|v| (0..layout.blocks()).map(move |k| (v, k)));
        let outputs: Vec<Region> = pieces.map(|(v, k)| self.first(v, block, k)).collect();
        let elements = layout.column_elements(block) as f64 * 3.0;
        let seconds = count as f64 * ENTRY + elements * BUTTERFLY * f64::from(layout.log_rows() + 4);
        let cache = self.sizes.cache;
        let op = Op::Columns { block, cache };
        let memory = layout.column_elements(block) as u64 * 6 * self.scalar() + cache;
        self.add(format!("columns-{block}"), op, [inputs, outputs], seconds, memory);
    }

    fn rows(&mut self, block: usize, vector: usize) {
        let layout = self.layout();
        let inputs = (0..layout.blocks()).map(|j| self.first(vector, j, block)).collect();
        let outputs = (0..layout.blocks()).map(|j| self.second(vector, j, block)).collect();
        let elements = layout.row_elements(block);
        let seconds = elements as f64 * BUTTERFLY * f64::from(2 * layout.log_columns() + 6);
        let op = Op::Rows { block, vector };
        let memory = elements as u64 * 2 * self.scalar();
        self.add(format!("rows-{block}-{}", VECTORS[vector]), op, [inputs, outputs], seconds, memory);
    }

    fn quotient(&mut self, block: usize) {
        let (layout, g1) = (self.layout(), self.manifest.sizes.g1_bytes);
        let pieces = (0..VECTORS.len()).flat_map(|v| (0..layout.blocks()).map(move |k| (v, k)));
        let mut inputs: Vec<Region> = pieces.map(|(v, k)| self.second(v, block, k)).collect();
        inputs.push(Self::shard("h", &self.manifest.h[block]));
        let elements = layout.column_elements(block);
        let transforms = elements as f64 * 3.0 * BUTTERFLY * f64::from(layout.log_rows() + 2);
        let seconds = transforms + elements as f64 * G1_POINT * self.weight();
        let memory = elements as u64 * block_bytes(self.scalar(), g1, THREADS);
        let outputs = vec![self.point(g1)];
        self.add(format!("quotient-{block}"), Op::Quotient { block }, [inputs, outputs], seconds, memory);
    }

    fn undivided(&mut self, witness: &WitnessRange) {
        let (layout, sizes) = (self.layout(), &self.manifest.sizes);
        let entries = Self::shard("coefficients", &self.manifest.coefficients[0]);
        let count = entries.length / sizes.entry_bytes();
        let inputs =
            vec![entries, self.witness(witness, 0..sizes.wires), Self::shard("h", &self.manifest.h[0])];
        let elements = layout.column_elements(0);
        let transforms = elements as f64 * 3.0 * BUTTERFLY * f64::from(2 * sizes.log_domain + 2);
        let seconds = count as f64 * ENTRY + transforms + elements as f64 * G1_POINT * self.weight();
        let memory = elements as u64 * block_bytes(self.scalar(), sizes.g1_bytes, THREADS) + self.sizes.cache;
        let (op, outputs) = (Op::Undivided { cache: self.sizes.cache }, vec![self.point(sizes.g1_bytes)]);
        self.add("undivided".to_owned(), op, [inputs, outputs], seconds, memory);
    }

    /// Plans the MSMs of a section's ranges, each with as many whole pieces as the sizes allow, but at least one.
    fn msm(&mut self, which: Part, section: &SectionRange, witness: &WitnessRange) {
        let sizes = &self.manifest.sizes;
        let (name, point, most, each) = match which {
            Part::A => ("a", sizes.g1_bytes, self.sizes.g1_points, G1_POINT),
            Part::B1 => ("b1", sizes.g1_bytes, self.sizes.g1_points, G1_POINT),
            Part::B2 => ("b2", sizes.g2_bytes, self.sizes.g2_points, G2_POINT),
            Part::C => ("c", sizes.g1_bytes, self.sizes.g1_points, G1_POINT),
        };
        let (n, skipped) = match which {
            Part::C => (sizes.private(), sizes.public + 1),
            _ => (sizes.wires, 0),
        };
        let (piece, pieces) = (sizes.piece(), n.div_ceil(sizes.piece()));
        let ranges = pieces.div_ceil((most / piece).max(1));
        for i in 0..ranges {
            let pieces = part(pieces, ranges, i);
            let range = pieces.start * piece..n.min(pieces.end * piece);
            let digest = digest_of(&section.digests, pieces);
            let place =
                region("key", section.offset + range.start as u64 * point, range.len() as u64 * point);
            let points = Region { digest, piece: digest.map(|_| sizes.piece_bytes(point)), ..place };
            let values = self.witness(witness, skipped + range.start..skipped + range.end);
            let outputs = vec![self.point(point)];
            let seconds = range.len() as f64 * each * self.weight();
            let memory = range.len() as u64 * msm_bytes(point, self.scalar(), THREADS);
            let op = Op::Msm { part: which };
            self.add(format!("{name}-{i}"), op, [vec![points, values], outputs], seconds, memory);
        }
    }
}
