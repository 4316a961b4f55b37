//! Makes a sharded key: permutes the two sections that a proof reads in another order than the key stores them.

use crate::digest::{Digest, Digester, PieceDigester};
use crate::manifest::{BlockRegion, SectionRange, Sections};
use crate::region::{Input, Output};
use crate::{KeySizes, Layout, Manifest, Region, ScaleError};
use pairwright_curve::Pairing;
use pairwright_formats::{
    FilePlace, FormatError, Section, Spot, ZkeyFile, stored_entry_bytes, stored_point_bytes,
};
use std::fs;
use std::path::Path;

/// Approximate number of bytes that are read at a time.
const STEP: usize = 1 << 20;
/// Number of bytes of a block's entries that are buffered before they are written.
const BUFFERED_BYTES: usize = 1 << 18;
/// Offset in bytes of the row in an entry, after the matrix number.
const ROW: usize = 4;
/// Length in bytes of the number of entries, which precedes the entries.
const COUNT: u64 = 4;

/// Writes the sharded form of a key into a directory, which is created if it does not exist, and returns its manifest. The
/// manifest is written last, under a temporary name until it is complete. `progress` is called with the number of bytes read.
///
/// Memory: one block of section H, and a quarter of a MiB per block.
///
/// # Errors
/// When the key cannot be read or refers to a row that does not exist, or the directory cannot be written.
#[inline(never)]
pub fn shard<E: Pairing>(
    key: &ZkeyFile<E>,
    blocks: usize,
    directory: &Path,
    progress: &mut dyn FnMut(u64),
) -> Result<Manifest, ScaleError> {
    fs::create_dir_all(directory).map_err(ScaleError::io(directory, "create"))?;
    let sizes = KeySizes::of(key);
    let layout = Layout::new(sizes.log_domain, blocks);
    let from = Input::open(key.file().name().as_path())?;
    let head = whole(&key.section(2)?);
    let header = Digest::of(&from.read_region(&head)?);
    let header = BlockRegion { offset: head.offset, length: head.length, digest: header };
    progress(header.length);
    let mut digested = |id: u32, point: u64| -> Result<SectionRange, ScaleError> {
        let section = whole(&key.section(id)?);
        let mut digester = PieceDigester::new(sizes.piece_bytes(point));
        from.steps(&section, STEP, |_, bytes| {
            digester.add(bytes);
            progress(bytes.len() as u64);
            Ok(())
        })?;
        Ok(SectionRange { offset: section.offset, length: section.length, digests: digester.finish() })
    };
    let (g1, g2) = (sizes.g1_bytes, sizes.g2_bytes);
    let sections = Sections {
        header,
        a: digested(5, g1)?,
        b1: digested(6, g1)?,
        b2: digested(7, g2)?,
        c: digested(8, g1)?,
    };
    let coefficients = entries::<E>(key, &from, layout, directory, progress)?;
    let h = points::<E>(key, &from, layout, directory, progress)?;
    let manifest = Manifest::new(sizes, key.file().len() as u64, layout, sections, [coefficients, h]);
    let path = Manifest::path(directory);
    let text = serde_json::to_vec_pretty(&manifest).map_err(ScaleError::json(&path))?;
    let unfinished = directory.join("manifest.json.unfinished");
    let _ = fs::remove_file(&unfinished);
    let out = Output::create(&unfinished)?;
    out.write(0, &text)?;
    out.sync()?;
    fs::rename(&unfinished, &path).map_err(ScaleError::io(&path, "write"))?;
    Ok(manifest)
}

fn whole(section: &Section) -> Region {
    Region {
        file: "key".to_owned(),
        offset: section.offset(),
        length: section.size(),
        digest: None,
        piece: None,
    }
}

/// Creates an empty file in a directory, and removes an existing one of that name first.
fn fresh(directory: &Path, name: &str) -> Result<Output, ScaleError> {
    let path = directory.join(name);
    match fs::remove_file(&path) {
        Err(why) if why.kind() != std::io::ErrorKind::NotFound => Err(ScaleError::io(&path, "remove")(why)),
        _ => Output::create(&path),
    }
}

/// The buffered bytes of a block's region.
struct Bucket {
    start: u64,
    written: u64,
    held: Vec<u8>,
    digest: Digester,
}

impl Bucket {
    fn flush(&mut self, out: &Output) -> Result<(), ScaleError> {
        out.write(self.start + self.written, &self.held)?;
        self.digest.add(&self.held);
        self.written += self.held.len() as u64;
        self.held.clear();
        Ok(())
    }
}

/// Sorts the entries by block with two passes over them; the first pass counts.
fn entries<E: Pairing>(
    key: &ZkeyFile<E>,
    from: &Input,
    layout: Layout,
    directory: &Path,
    progress: &mut dyn FnMut(u64),
) -> Result<Vec<BlockRegion>, ScaleError> {
    let (section, size) = (key.section(4)?, stored_entry_bytes::<E::Fr>());
    let mut body = whole(&section);
    body.offset += COUNT;
    body.length = body.length.saturating_sub(COUNT);
    let (owners, n2) = (layout.owners(), layout.n2());
    let bits = layout.log_columns();
    let step = STEP / size * size;
    let rows = layout.n1() << bits;
    let column = |at: u64, i: usize, entry: &[u8]| -> Result<(usize, usize), ScaleError> {
        let row = entry[ROW..].first_chunk::<4>().map_or(u32::MAX, |bytes| u32::from_le_bytes(*bytes));
        if (row as usize) < rows {
            return Ok((row as usize >> bits, row as usize & (n2 - 1)));
        }
        let spot = Spot::Offset(body.offset + at + (i * size) as u64);
        let at_entry = FilePlace { file: key.file().name().clone(), spot };
        let index = at / size as u64 + i as u64;
        Err(FormatError::NoSuchRow { at: at_entry, index, row, rows: rows as u64 }.into())
    };

    let mut lengths = vec![0u64; layout.blocks()];
    from.steps(&body, step, |at, bytes| {
        for (i, entry) in bytes.chunks_exact(size).enumerate() {
            let (_, i2) = column(at, i, entry)?;
            lengths[owners[i2] as usize] += size as u64;
        }
        Ok(())
    })?;
    let mut start = 0;
    let bucket = |length: &u64| {
        let bucket = Bucket { start, written: 0, held: Vec::new(), digest: Digester::default() };
        start += length;
        bucket
    };
    let mut buckets: Vec<Bucket> = lengths.iter().map(bucket).collect();
    let out = fresh(directory, Manifest::COEFFICIENTS)?;
    from.steps(&body, step, |at, bytes| {
        for (i, entry) in bytes.chunks_exact(size).enumerate() {
            let (i1, i2) = column(at, i, entry)?;
            let block = owners[i2] as usize;
            let row = ((i2 - layout.columns(block).start) * layout.n1() + i1) as u32;
            let bucket = &mut buckets[block];
            bucket.held.extend_from_slice(&entry[..ROW]);
            bucket.held.extend_from_slice(&row.to_le_bytes());
            bucket.held.extend_from_slice(&entry[ROW + 4..]);
            if bucket.held.len() >= BUFFERED_BYTES {
                bucket.flush(&out)?;
            }
        }
        progress(bytes.len() as u64);
        Ok(())
    })?;
    let mut regions = Vec::new();
    for mut bucket in buckets {
        bucket.flush(&out)?;
        let (offset, length) = (bucket.start, bucket.written);
        regions.push(BlockRegion { offset, length, digest: bucket.digest.finish() });
    }
    out.sync()?;
    Ok(regions)
}

/// Permutes section H to the blocks' order.
fn points<E: Pairing>(
    key: &ZkeyFile<E>,
    from: &Input,
    layout: Layout,
    directory: &Path,
    progress: &mut dyn FnMut(u64),
) -> Result<Vec<BlockRegion>, ScaleError> {
    let (section, size) = (key.section(9)?, stored_point_bytes::<E::G1>());
    let out = fresh(directory, Manifest::H)?;
    let (mut regions, mut offset) = (Vec::new(), 0);
    for block in 0..layout.blocks() {
        let columns = layout.columns(block);
        let mut bytes = vec![0; columns.len() * layout.n1() * size];
        let mut run = vec![0; columns.len() * size];
        for i1 in 0..layout.n1() {
            let first = (i1 * layout.n2() + columns.start) * size;
            from.read(section.offset() + first as u64, &mut run)?;
            for (column, point) in run.chunks_exact(size).enumerate() {
                let at = (column * layout.n1() + i1) * size;
                bytes[at..at + size].copy_from_slice(point);
            }
            progress(run.len() as u64);
        }
        out.write(offset, &bytes)?;
        let length = bytes.len() as u64;
        regions.push(BlockRegion { offset, length, digest: Digest::of(&bytes) });
        offset += length;
    }
    out.sync()?;
    Ok(regions)
}
