//! Trees over vectors on the device: one launch per level, with all levels in device memory.

mod digests;

use crate::elements::{pack, words_of};
use crate::error::GpuError;
use crate::launch::Arg;
use crate::memory::{Need, Words};
use crate::programs::Programs;
use crate::workshop::{Call, Workshop};
use crate::{check_count, saturating_u32};
use digests::Sha3Kernel;
pub(crate) use digests::text as sha3_text;
use pairwright_device::{
    DeviceError, Done, HashOp, OpCount, Traffic, Transfer, TreeOp, log_leaves, same_length, table_size,
};
use pairwright_field::PrimeField;
use pairwright_hash::{Digest, Poseidon};
use pairwright_moma::program::poseidon::{self, Rounds};
use pairwright_moma::program::tables;
use pairwright_poly::{Buf, Levels, View};
use std::sync::Arc;

/// The trees of a device: over the scalar field, and Merkle trees of SHA3-256 over digests.
pub struct Trees<F: PrimeField> {
    workshop: Arc<Workshop<F>>,
    programs: Programs,
    sha3: Sha3Kernel,
}

/// A level of a tree on the device, with its number of elements.
struct Level {
    words: Arc<Words>,
    len: usize,
}

impl<F: PrimeField> Trees<F> {
    /// The trees on the device of a workshop.
    pub fn new(workshop: Arc<Workshop<F>>) -> Self {
        Self { workshop, programs: Programs::default(), sha3: Sha3Kernel::default() }
    }

    /// The levels above some digests, or only their root.
    fn hashed(&self, op: &'static str, leaves: &View<'_, Digest>, all: bool) -> Done<Vec<Digest>> {
        log_leaves(op, leaves.len())?;
        check_count(op, leaves.len())?;
        let mut call = self.workshop.call();
        let (setup, memory) = (self.workshop.setup(), self.workshop.memory());
        let found = self.sha3.levels(setup, memory, leaves, all, &mut call.copies)?;
        let digest = size_of::<Digest>() as u64;
        let traffic = Traffic { read: leaves.len() as u64 * digest, written: found.len() as u64 * digest };
        Ok((found, call.cost(traffic)))
    }

    /// Brings elements to the device, after checking the memory for as many results.
    fn leaves(&self, leaves: &View<'_, F>, copies: &mut Transfer) -> Result<Level, DeviceError> {
        let need = Need::new()
            .with_part("operand", self.workshop.bytes_to_come(leaves))
            .with_part("levels", (leaves.len() * F::BYTES) as u64);
        self.workshop.make_room(&need, &[])?;
        Ok(Level { words: self.workshop.resident(leaves, copies)?, len: leaves.len() })
    }

    /// Copies coordinates to the device; a buffer of one element if there are none.
    fn coordinates(&self, r: &[F], copies: &mut Transfer) -> Result<Words, GpuError> {
        let packed = if r.is_empty() { pack(&[F::ZERO]) } else { pack(r) };
        Words::from_host(self.workshop.gpu(), &packed, copies)
    }

    /// Computes the next level by a program, from the level before and the data that all nodes share.
    fn next(
        &self,
        program: TreeProgram,
        from: &Level,
        shared: Shared<'_>,
    ) -> Result<(Level, OpCount), DeviceError> {
        let len = match program {
            TreeProgram::Split => 2 * from.len,
            TreeProgram::Pairs | TreeProgram::Bind | TreeProgram::Poseidon(_) => from.len / 2,
        };
        let threads = saturating_u32(from.len.min(len));
        let element = self.workshop.element();
        let kernel = self.programs.get(&self.workshop, program.name(), || match program {
            TreeProgram::Pairs => tables::pairs(element),
            TreeProgram::Bind => tables::bind(element),
            TreeProgram::Split => tables::split(element),
            TreeProgram::Poseidon(rounds) => poseidon::pairs(element, &rounds),
        })?;
        let mut out = Words::uninitialised(self.workshop.gpu(), len * words_of::<F>())?;
        let mut scalars = vec![threads];
        let mut arguments = vec![Arg::Write(&mut out), Arg::Read(&from.words)];
        match shared {
            Shared::None => {}
            Shared::Coordinate(coordinates, at) => {
                scalars.push(at);
                arguments.push(Arg::Read(coordinates));
            }
            Shared::Constants(constants) => arguments.push(Arg::Read(constants)),
        }
        // SAFETY: a thread reads the elements of its own pair, or one, of the level before and a coordinate or constants that
        // are there, and writes one or two of as many as there is room for.
        unsafe { kernel.launch(&scalars, arguments, self.workshop.constants())? };
        Ok((Level { words: Arc::new(out), len }, kernel.ops(&scalars)))
    }

    /// Computes all levels from the leaves to the root and calls `each` with every level, the leaves included.
    fn levels(
        &self,
        op: &'static str,
        (program, shared): Program<'_>,
        leaves: &View<'_, F>,
        copies: &mut Transfer,
        mut each: impl FnMut(&Level, &mut Transfer) -> Result<(), DeviceError>,
    ) -> Result<OpCount, DeviceError> {
        log_leaves(op, leaves.len())?;
        check_count(op, leaves.len())?;
        let mut level = self.leaves(leaves, copies)?;
        let mut ops = OpCount::default();
        each(&level, copies)?;
        while level.len > 1 {
            let (next, count) = self.next(program, &level, shared)?;
            each(&next, copies)?;
            level = next;
            ops += count;
        }
        Ok(ops)
    }

    /// Computes the root of a tree.
    fn root(&self, op: &'static str, mut call: Call, program: Program<'_>, leaves: &View<'_, F>) -> Done<F> {
        let mut root = None;
        call.ops = self.levels(op, program, leaves, &mut call.copies, |level, copies| {
            if level.len == 1 {
                root = level.words.fetch(copies)?.pop();
            }
            Ok(())
        })?;
        let traffic = Traffic { read: (leaves.len() * F::BYTES) as u64, written: F::BYTES as u64 };
        let root = root.ok_or(DeviceError::NotATree { op, len: leaves.len(), least: 1 })?;
        Ok((root, call.cost(traffic)))
    }

    /// Computes all inner nodes of a tree.
    fn tree(
        &self,
        op: &'static str,
        mut call: Call,
        program: Program<'_>,
        leaves: &View<'_, F>,
    ) -> Done<Levels<F>> {
        let mut nodes = Vec::with_capacity(leaves.len().saturating_sub(1));
        call.ops = self.levels(op, program, leaves, &mut call.copies, |level, copies| {
            if level.len < leaves.len() {
                nodes.extend(level.words.fetch::<F>(copies)?);
            }
            Ok(())
        })?;
        let bytes = (leaves.len() * F::BYTES) as u64;
        Ok((tree(op, nodes)?, call.cost(Traffic { read: bytes, written: bytes })))
    }

    /// The program of a hash, with its constants on the device.
    fn poseidon(&self, hash: &Poseidon<F>, copies: &mut Transfer) -> Result<(TreeProgram, Words), GpuError> {
        let fast = hash.fast().ok_or(GpuError::NoFastHash)?;
        let [opening, partial, closing] = fast.rounds().map(|n| n as u64);
        let mut constants = Vec::new();
        fast.map(|constant| constants.push(*constant));
        let constants = Words::from_host(self.workshop.gpu(), &pack(&constants), copies)?;
        Ok((TreeProgram::Poseidon(Rounds { alpha: fast.alpha(), opening, partial, closing }), constants))
    }
}

/// The program of a level, with the data that all nodes share.
type Program<'a> = (TreeProgram, Shared<'a>);

/// The program of a product tree.
const PAIRS: Program<'static> = (TreeProgram::Pairs, Shared::None);

/// The programs that compute one level from another.
#[derive(Clone, Copy, Debug)]
enum TreeProgram {
    Pairs,
    Bind,
    Split,
    Poseidon(Rounds),
}

/// The data that a program reads besides the level before.
#[derive(Clone, Copy)]
enum Shared<'a> {
    None,
    /// Coordinates, and the index of the one to use.
    Coordinate(&'a Words, u32),
    /// The constants of a hash.
    Constants(&'a Words),
}

impl TreeProgram {
    fn name(self) -> &'static str {
        match self {
            Self::Pairs => "pairs",
            Self::Bind => "bind",
            Self::Split => "split",
            Self::Poseidon(_) => "poseidon_pairs",
        }
    }
}

impl<F: PrimeField> TreeOp<F> for Trees<F> {
    fn build_eq(&self, r: &[F]) -> Done<Buf<F>> {
        let size = table_size("build_eq", r.len())?;
        check_count("build_eq", size)?;
        let mut call = self.workshop.call();
        let bytes = (size * F::BYTES) as u64;
        self.workshop.make_room(&Need::new().with_part("levels", bytes + bytes / 2), &[])?;
        let coordinates = self.coordinates(r, &mut call.copies)?;
        let one = Words::from_host(self.workshop.gpu(), &pack(&[F::ONE]), &mut call.copies)?;
        let mut level = Level { words: Arc::new(one), len: 1 };
        // The last coordinate is the highest bit.
        for at in (0..r.len()).rev() {
            let (next, count) =
                self.next(TreeProgram::Split, &level, Shared::Coordinate(&coordinates, saturating_u32(at)))?;
            level = next;
            call.ops += count;
        }
        let table = self.workshop.result(level.words, level.len)?;
        let traffic = Traffic { read: (r.len() * F::BYTES) as u64, written: bytes };
        Ok((table, call.cost(traffic)))
    }

    fn mle_eval(&self, table: View<'_, F>, r: &[F]) -> Done<F> {
        same_length("mle_eval", table.len(), table_size("mle_eval", r.len())?)?;
        check_count("mle_eval", table.len())?;
        let mut call = self.workshop.call();
        let mut level = self.leaves(&table, &mut call.copies)?;
        let coordinates = self.coordinates(r, &mut call.copies)?;
        for at in 0..r.len() {
            let (next, count) =
                self.next(TreeProgram::Bind, &level, Shared::Coordinate(&coordinates, saturating_u32(at)))?;
            level = next;
            call.ops += count;
        }
        let value = level.words.fetch(&mut call.copies)?.pop();
        let value = value.ok_or(DeviceError::NotATree { op: "mle_eval", len: table.len(), least: 1 })?;
        let read = ((table.len() + r.len()) * F::BYTES) as u64;
        let traffic = Traffic { read, written: F::BYTES as u64 };
        Ok((value, call.cost(traffic)))
    }

    fn product(&self, leaves: View<'_, F>) -> Done<F> {
        self.root("product", self.workshop.call(), PAIRS, &leaves)
    }

    fn product_tree(&self, leaves: View<'_, F>) -> Done<Levels<F>> {
        self.tree("product_tree", self.workshop.call(), PAIRS, &leaves)
    }

    fn sha3_root(&self, leaves: View<'_, Digest>) -> Done<Digest> {
        let (found, cost) = self.hashed("sha3_root", &leaves, false)?;
        match found.last() {
            Some(root) => Ok((*root, cost)),
            // A single leaf is its own root.
            None => Ok((leaves.host()?[0], cost)),
        }
    }

    fn sha3_tree(&self, leaves: View<'_, Digest>) -> Done<Levels<Digest>> {
        let (nodes, cost) = self.hashed("sha3_tree", &leaves, true)?;
        Ok((tree("sha3_tree", nodes)?, cost))
    }
}

impl<F: PrimeField> HashOp<F> for Trees<F> {
    fn poseidon_root(&self, hash: &Poseidon<F>, leaves: View<'_, F>) -> Done<F> {
        let mut call = self.workshop.call();
        let (program, constants) = self.poseidon(hash, &mut call.copies)?;
        self.root("poseidon_root", call, (program, Shared::Constants(&constants)), &leaves)
    }

    fn poseidon_tree(&self, hash: &Poseidon<F>, leaves: View<'_, F>) -> Done<Levels<F>> {
        let mut call = self.workshop.call();
        let (program, constants) = self.poseidon(hash, &mut call.copies)?;
        self.tree("poseidon_tree", call, (program, Shared::Constants(&constants)), &leaves)
    }
}

/// The nodes of all levels above the leaves as a tree.
fn tree<T>(op: &'static str, nodes: Vec<T>) -> Result<Levels<T>, DeviceError> {
    let len = nodes.len() + 1;
    Levels::new(nodes).ok_or(DeviceError::NotATree { op, len, least: 1 })
}
