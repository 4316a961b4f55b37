//! The manifest of a sharded key: the key that it was made from, and the positions of its parts.

use crate::layout::part;
use crate::{Digest, KeySizes, Layout, ScaleError};
use pairwright_curve::Pairing;
use pairwright_formats::ZkeyFile;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};

/// The current version of the JSON format.
const VERSION: u32 = 3;
/// Largest size of a manifest in bytes, which suffices for 10^5 blocks or 2^30 wires.
const MOST: u64 = 128 << 20;
/// Upper bound on the length in bytes of a point or a scalar of any curve.
const MOST_ELEMENT: u64 = 1 << 12;

/// A section of points in the key's file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SectionRange {
    /// Offset of the section's body in the file, in bytes.
    pub offset: u64,
    /// Length of the section's body in bytes.
    pub length: u64,
    /// BLAKE3 digests of the pieces of [`KeySizes::piece`] points, in order.
    pub digests: Vec<Digest>,
}

/// The header and the sections that a proof reads directly from the key's file, in ranges.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sections {
    /// Section 2: primes, sizes and single points.
    pub header: BlockRegion,
    /// Section A, with points of G1.
    pub a: SectionRange,
    /// Section B with points of G1.
    pub b1: SectionRange,
    /// Section B with points of G2.
    pub b2: SectionRange,
    /// Section C, with points of G1.
    pub c: SectionRange,
}

/// A range of bytes that is read as a whole: the part of a sharded key's file for one block of columns, or the header of the
/// key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockRegion {
    /// Offset of the first byte in the file.
    pub offset: u64,
    /// Number of bytes.
    pub length: u64,
    /// BLAKE3 digest of the bytes.
    pub digest: Digest,
}

/// The description of a sharded key: the sizes of the key, the positions of its sections, and the two sections that were
/// permuted, by block.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// The version of the JSON format.
    pub version: u32,
    /// The key's sizes.
    pub sizes: KeySizes,
    /// Size of the key's file in bytes.
    pub key_bytes: u64,
    /// The division of the domain into blocks.
    pub layout: Layout,
    /// The sections that stay in the key's file.
    pub sections: Sections,
    /// The matrix entries of each block, in the order of the key; the row of an entry is replaced by its index in the block.
    pub coefficients: Vec<BlockRegion>,
    /// The points of section H of each block, in the block's order.
    pub h: Vec<BlockRegion>,
}

impl Manifest {
    /// Name of the manifest's file in the directory of a sharded key.
    pub const FILE: &'static str = "manifest.json";
    /// Name of the file of entries.
    pub const COEFFICIENTS: &'static str = "coefficients";
    /// Name of the file of points of section H.
    pub const H: &'static str = "h";

    pub(crate) fn new(
        sizes: KeySizes,
        key_bytes: u64,
        layout: Layout,
        sections: Sections,
        [coefficients, h]: [Vec<BlockRegion>; 2],
    ) -> Self {
        Self { version: VERSION, sizes, key_bytes, layout, sections, coefficients, h }
    }

    /// A manifest for simulations without a key: sections follow each other, entries are divided evenly, blocks have the digest
    /// of the empty input and sections have no digests. Its plans have the same tasks as those of a real key of these sizes.
    pub fn of_sizes(sizes: KeySizes, blocks: usize) -> Self {
        let (layout, nothing) = (Layout::new(sizes.log_domain, blocks), Digest::of(&[]));
        let mut at = 1024;
        let header = BlockRegion { offset: 0, length: at, digest: nothing };
        let mut section = |length: u64| {
            let range = SectionRange { offset: at, length, digests: Vec::new() };
            at += length;
            range
        };
        let (wires, private) = (sizes.wires as u64, sizes.private() as u64);
        let sections = Sections {
            header,
            a: section(wires * sizes.g1_bytes),
            b1: section(wires * sizes.g1_bytes),
            b2: section(wires * sizes.g2_bytes),
            c: section(private * sizes.g1_bytes),
        };
        let blocks = |each: &dyn Fn(usize) -> u64| {
            let mut at = 0;
            let region = |j| {
                let region = BlockRegion { offset: at, length: each(j), digest: nothing };
                at += region.length;
                region
            };
            (0..layout.blocks()).map(region).collect::<Vec<_>>()
        };
        let entries = |j| part(sizes.entries, layout.blocks(), j).len() as u64 * sizes.entry_bytes();
        let points = |j| layout.column_elements(j) as u64 * sizes.g1_bytes;
        let parts = [blocks(&entries), blocks(&points)];
        Self::new(sizes.clone(), at, layout, sections, parts)
    }

    /// The path of the manifest in a directory.
    pub fn path(directory: &Path) -> PathBuf {
        directory.join(Self::FILE)
    }

    /// Reads the manifest in a directory.
    ///
    /// # Errors
    /// When the file cannot be read, is not a manifest, or does not have a region for each block.
    pub fn read(directory: &Path) -> Result<Self, ScaleError> {
        let path = Self::path(directory);
        let size = fs::metadata(&path).map_err(ScaleError::io(&path, "open"))?.len();
        if size > MOST {
            let source = std::io::ErrorKind::FileTooLarge.into();
            return Err(ScaleError::io(&path, "read")(source));
        }
        let text = fs::read_to_string(&path).map_err(ScaleError::io(&path, "read"))?;
        let manifest: Self = serde_json::from_str(&text).map_err(ScaleError::json(&path))?;
        let wrong = |what: String| {
            let why = <serde_json::Error as serde::de::Error>::custom(what);
            Err(ScaleError::Json { path: path.clone(), why })
        };
        if manifest.version != VERSION {
            return wrong(format!("version {} of a sharded key, known is {VERSION}", manifest.version));
        }
        if let Some(why) = manifest.inconsistent() {
            return wrong(format!("{why} does not fit the sizes of the key"));
        }
        Ok(manifest)
    }

    /// The first member that contradicts the sizes.
    fn inconsistent(&self) -> Option<&'static str> {
        let sizes = &self.sizes;
        let bytes = [sizes.g1_bytes, sizes.g2_bytes, sizes.scalar_bytes];
        if sizes.log_domain > 32
            || sizes.wires > 1 << 40
            || sizes.wires <= sizes.public
            || bytes.iter().any(|n| *n == 0 || *n > MOST_ELEMENT)
        {
            return Some("sizes");
        }
        let blocks = self.layout.blocks();
        if self.layout != Layout::new(sizes.log_domain, blocks) || self.layout.blocks() == 0 {
            return Some("layout");
        }
        let n = |count: usize, bytes: u64| (count as u64).checked_mul(bytes);
        let Sections { a, b1, b2, c, .. } = &self.sections;
        let fits = |s: &SectionRange, points: usize, bytes: u64| {
            Some(s.length) == n(points, bytes)
                && s.digests.len() == points.div_ceil(sizes.piece())
                && s.offset.checked_add(s.length).is_some_and(|end| end <= self.key_bytes)
        };
        let fit = fits(a, sizes.wires, sizes.g1_bytes)
            && fits(b1, sizes.wires, sizes.g1_bytes)
            && fits(b2, sizes.wires, sizes.g2_bytes)
            && fits(c, sizes.private(), sizes.g1_bytes);
        if !fit {
            return Some("sections");
        }
        let entries: Option<u64> = self.coefficients.iter().try_fold(0u64, |n, b| n.checked_add(b.length));
        if self.coefficients.len() != blocks || entries != n(sizes.entries, sizes.entry_bytes()) {
            return Some("coefficients");
        }
        let points = |(j, b): (usize, &BlockRegion)| {
            Some(b.length) == n(self.layout.column_elements(j), sizes.g1_bytes)
        };
        if self.h.len() != blocks || !self.h.iter().enumerate().all(points) {
            return Some("h");
        }
        None
    }

    /// Fails unless the sharded key was made from this key: sizes, positions of sections and the header are compared. The
    /// points are not read.
    ///
    /// # Errors
    /// [`ScaleError::OtherKey`] names the first difference.
    pub fn expect_key<E: Pairing>(&self, directory: &Path, key: &ZkeyFile<E>) -> Result<(), ScaleError> {
        let found = KeySizes::of(key);
        let section = |id: u32, offset: u64, length: u64| -> Result<bool, ScaleError> {
            let section = key.section(id)?;
            Ok(section.offset() == offset && section.size() == length)
        };
        let points = |id, known: &SectionRange| section(id, known.offset, known.length);
        let Sections { header, a, b1, b2, c } = &self.sections;
        let what = if key.file().len() as u64 != self.key_bytes {
            "the file's length"
        } else if found != self.sizes {
            "a size"
        } else if !(points(5, a)?
            && points(6, b1)?
            && points(7, b2)?
            && points(8, c)?
            && section(2, header.offset, header.length)?)
        {
            "the place of a section"
        } else if Digest::of(key.section(2)?.bytes()) != header.digest {
            "the header"
        } else {
            return Ok(());
        };
        let (manifest, key) = (Self::path(directory), key.file().name().as_path().to_owned());
        Err(ScaleError::OtherKey { manifest, key, what })
    }
}
