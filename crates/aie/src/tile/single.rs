//! The single mapping, \[AIE\] IV: one tile does a whole addition.
//!
//! An addition as one piece of straight-line code does not fit the program memory: it has some 3000 instructions
//! ([`Counts::program_bytes`] of a [`Kernel`] of [`padd`](crate::padd::padd)), and the memory holds 1024 of full length.
//! So the products are iterations of one loop, which is run twice, for four products each, with the sums in between.

use super::{Counts, Kernel, Tile, TileError};
use crate::digits::Digits;
use crate::modmul::{Method, modmul};
use crate::padd::sums_alone;
use pairwright_sim::trace::Chrome;
use serde::Serialize;

/// Products of a pass of the loop; the first pass of an addition by seven products has one less.
const PASS: usize = 4;

/// The two loops of an addition on one tile: the products and the sums.
#[derive(Clone, Debug)]
pub struct SingleTile {
    product: Kernel,
    sums: Kernel,
    first: usize,
    call_cycles: u64,
}

/// The figures of an addition on one tile.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SingleTileCounts {
    /// Instructions of one task, including prologues and epilogues of the loops.
    pub instructions: u64,
    /// Cycles of a task that runs alone, including the call.
    pub latency: u64,
    /// Operations of a task.
    pub operations: u64,
    /// Multiply-accumulates that are products of digits.
    pub products: u64,
    /// Bytes of program memory.
    pub program_bytes: u64,
    /// The loop of products.
    pub product: Counts,
    /// The sums and differences of an addition.
    pub sums: Counts,
}

impl SingleTileCounts {
    /// Average number of operations in an instruction.
    pub fn vliw_utilisation(&self) -> f64 {
        self.operations as f64 / self.instructions as f64
    }

    /// Average number of multiply-accumulates of digits in an instruction, 0 to 1.
    pub fn mac_utilisation(&self) -> f64 {
        self.products as f64 / self.instructions as f64
    }
}

impl SingleTile {
    /// Schedules both loops of a mixed addition.
    ///
    /// # Errors
    /// The errors of [`Kernel::schedule`].
    pub fn schedule(method: Method, tile: &Tile) -> Result<Self, TileError> {
        Self::of(method, tile, PASS)
    }

    /// Schedules both loops of an addition by seven products, [`padd_seven_products`](crate::padd::padd_seven_products).
    ///
    /// # Errors
    /// The errors of [`Kernel::schedule`].
    pub fn schedule_seven_products(method: Method, tile: &Tile) -> Result<Self, TileError> {
        Self::of(method, tile, PASS - 1)
    }

    fn of(method: Method, tile: &Tile, first: usize) -> Result<Self, TileError> {
        let product = Kernel::schedule(&modmul(method), tile)?;
        let sums = Kernel::schedule(&sums_alone(method), tile)?;
        let single = Self { product, sums, first, call_cycles: u64::from(tile.call_cycles) };
        let (needs, size) = (single.program_bytes(), tile.program_bytes);
        if needs > size as u64 { Err(TileError::Program { needs, size }) } else { Ok(single) }
    }

    /// The loop of products.
    pub fn product(&self) -> &Kernel {
        &self.product
    }

    /// The sums and differences of an addition.
    pub fn sums(&self) -> &Kernel {
        &self.sums
    }

    /// The figures of a task. Instructions are counted from the start of a task to the start of the next; a pass begins
    /// when the results of the previous one are in memory.
    pub fn counts(&self) -> SingleTileCounts {
        let (product, sums) = (self.product.counts(), self.sums.counts());
        let cycles = self.cycles(1);
        let products = (self.first + PASS) as u64;
        SingleTileCounts {
            instructions: cycles,
            latency: cycles + self.call_cycles,
            operations: products * product.operations + sums.operations,
            products: products * product.products,
            program_bytes: self.program_bytes(),
            product,
            sums,
        }
    }

    /// Bytes of program memory: the loop of products, and the sums as straight-line code.
    fn program_bytes(&self) -> u64 {
        self.product.program_bytes() + self.sums.cycles(1) * self.sums.tile.instruction_bytes as u64
    }

    /// Instructions of `tasks` tasks that run together, pass by pass: each loop is filled and emptied once for all tasks,
    /// so that every task has the latency of all.
    pub fn cycles(&self, tasks: u64) -> u64 {
        let pass = |products: usize| self.product.cycles(products as u64 * tasks);
        pass(self.first) + self.sums.cycles(tasks) + pass(PASS)
    }

    /// A timeline of one track with the loops of one task after another.
    pub fn timeline(&self, tasks: u64) -> Chrome {
        let mut trace = Chrome::new();
        let process = trace.process("single");
        let track = trace.track(process, "addition");
        let pass = |products: usize| self.product.cycles(products as u64);
        let (first, sums, last) = (pass(self.first), self.sums.cycles(1), pass(PASS));
        let mut from = 0;
        for _ in 0..tasks {
            for (name, cycles) in [("products", first), ("sums", sums), ("products", last)] {
                trace.event(track, name, from, cycles, []);
                from += cycles;
            }
        }
        trace
    }

    /// Executes the scheduled instructions on the operands of [`padd`](crate::padd::padd), or of
    /// [`padd_seven_products`](crate::padd::padd_seven_products), and returns the coordinates of the sum.
    ///
    /// # Errors
    /// [`TileError::Operands`] if the number of operands is not that of the addition.
    pub fn run(&self, operands: &[Digits]) -> Result<Vec<Digits>, TileError> {
        Ok(self.run_together(&[operands])?.concat())
    }

    /// Executes several tasks together, pass by pass.
    ///
    /// # Errors
    /// [`TileError::Operands`] if the number of operands of a task is not that of the addition.
    pub fn run_together(&self, tasks: &[&[Digits]]) -> Result<Vec<Vec<Digits>>, TileError> {
        let taken = self.first + PASS;
        if let Some(given) = tasks.iter().map(|task| task.len()).find(|&given| given != taken) {
            return Err(TileError::Operands { given, taken });
        }
        let pairs = |task: &&[Digits]| task[..2 * self.first].chunks(2).map(<[Digits]>::to_vec).collect();
        let factors: Vec<Vec<Vec<Digits>>> = tasks.iter().map(pairs).collect();
        let products = self.product.run(&factors.concat())?;
        let products = products.chunks(self.first).zip(tasks);
        // With seven products, the fourth value of the first pass is an operand (`2 Z1`) and not a product.
        let products =
            products.map(|(made, task)| [made.concat().as_slice(), &task[2 * self.first..]].concat());
        let sums = self.sums.run(&products.collect::<Vec<_>>())?;
        let pairs =
            |sums: &Vec<Digits>| [[0, 1], [2, 3], [0, 3], [1, 2]].map(|pair| pair.map(|n| sums[n]).to_vec());
        let results = self.product.run(&sums.iter().flat_map(pairs).collect::<Vec<_>>())?;
        Ok(results.chunks(PASS).map(<[Vec<Digits>]>::concat).collect())
    }
}
