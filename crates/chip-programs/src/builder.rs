//! A builder of programs: routines by name, L1 code with labels, regions of the global bank.

use super::{Program, Region, Value};
use pairwright_chip::MachineSpec;
use pairwright_chip::compiler::{self, CompileError, Compiled, Graph, Options, Rotation};
use pairwright_chip::isa::{Direction, Field, Image, L1, LoopReg};
use std::collections::BTreeMap;

/// A jump target in the L1 code, made by [`Builder::label`] and bound by [`Builder::bind`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Label(usize);

/// An L1 instruction with unresolved addresses.
#[derive(Clone, Debug)]
enum Item {
    Fixed(L1),
    Call(String),
    /// A routine called several times in a row, counted by a loop register if the front end cannot repeat routines.
    Times(String, u32, LoopReg),
    Jump(LoopReg, Label),
    Scan(LoopReg, Label),
    Loop(LoopReg, Label, u32),
}

/// A group of rows at consecutive addresses that is an operand or a result of a routine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    /// Its name: the common name of its rows without their number.
    pub name: String,
    /// First linear address.
    pub local: u8,
    /// Number of rows.
    pub rows: u8,
}

/// A program under construction.
pub struct Builder<F> {
    items: Vec<Item>,
    labels: Vec<Option<usize>>,
    /// The alternative formulas of every routine; the one that takes the fewest cycles is linked.
    routines: BTreeMap<String, Vec<Graph>>,
    /// The routines in the order of their first call, which is their order in the L2 memory.
    called: Vec<String>,
    regions: BTreeMap<String, Region>,
    constants: Vec<(u8, Value<F>)>,
    shared: Vec<(Vec<Value<F>>, Region)>,
    next: usize,
}

impl<F: Copy + PartialEq> Builder<F> {
    /// A builder with these routines; routines that are never called take no memory. Several graphs under one name are
    /// alternative formulas of the same function with the same interface: the one that takes the fewest cycles on the
    /// machine is linked.
    pub fn new(routines: impl IntoIterator<Item = (impl Into<String>, Graph)>) -> Self {
        let mut by_name: BTreeMap<String, Vec<Graph>> = BTreeMap::new();
        for (name, graph) in routines {
            by_name.entry(name.into()).or_default().push(graph);
        }
        Self {
            items: Vec::new(),
            labels: Vec::new(),
            routines: by_name,
            called: Vec::new(),
            regions: BTreeMap::new(),
            constants: Vec::new(),
            shared: Vec::new(),
            next: 0,
        }
    }

    /// A builder for the program that runs after `before` on the same bank: its regions keep their contents, and its
    /// shared constants are available.
    pub fn after(
        before: &Program<F>,
        routines: impl IntoIterator<Item = (impl Into<String>, Graph)>,
    ) -> Self {
        let mut builder = Self::new(routines);
        builder.regions = before.regions.clone();
        builder.shared = before.shared.clone();
        let last = before.regions.values().chain(before.shared.iter().map(|(_, r)| r));
        builder.next = last.map(|r| usize::from(r.at) + usize::from(r.rows)).max().unwrap_or(0);
        builder
    }

    /// The region with this name, if there is one.
    pub fn named(&self, name: &str) -> Option<Region> {
        self.regions.get(name).copied()
    }

    /// Allocates a region of the global bank.
    ///
    /// # Panics
    /// If the name is in use: a programming error, found when the program is first built.
    pub fn region(&mut self, name: &str, rows: u8) -> Region {
        let region = self.rows(rows);
        assert!(self.regions.insert(name.to_owned(), region).is_none(), "two regions named {name}");
        region
    }

    /// A region for temporary values: the existing one of this name, or a new one.
    ///
    /// # Panics
    /// If the existing region has another size: a programming error.
    pub fn scratch(&mut self, name: &str, rows: u8) -> Region {
        let region = self.named(name).unwrap_or_else(|| self.region(name, rows));
        assert!(region.rows == rows, "the rows named {name} are {} rows", region.rows);
        region
    }

    fn rows(&mut self, rows: u8) -> Region {
        // Rows beyond the bank get a wrong address, and [`Self::finish`] refuses the program.
        let at = self.next as u8;
        self.next += usize::from(rows);
        Region { at, rows }
    }

    /// Rows that hold these constants from the start and are never written; equal requests share the same rows.
    pub fn shared(&mut self, values: &[Value<F>]) -> Region {
        if let Some((_, region)) = self.shared.iter().find(|(held, _)| held == values) {
            return *region;
        }
        let region = self.rows(values.len() as u8);
        self.constants.extend(values.iter().enumerate().map(|(i, v)| (region.at.wrapping_add(i as u8), *v)));
        self.shared.push((values.to_vec(), region));
        region
    }

    /// Allocates a region that holds these values when the program starts.
    pub fn constants(&mut self, name: &str, values: &[Value<F>]) -> Region {
        let region = self.region(name, values.len() as u8);
        self.constants.extend(values.iter().enumerate().map(|(i, v)| (region.at.wrapping_add(i as u8), *v)));
        region
    }

    /// Makes a label, to be bound later.
    pub fn label(&mut self) -> Label {
        self.labels.push(None);
        Label(self.labels.len() - 1)
    }

    /// Binds a label to the next instruction.
    pub fn bind(&mut self, label: Label) {
        self.labels[label.0] = Some(self.items.len());
    }

    /// Makes a label bound to the next instruction.
    pub fn here(&mut self) -> Label {
        let label = self.label();
        self.bind(label);
        label
    }

    /// Jumps to a label and resets the loop counter `reg`.
    pub fn jump(&mut self, reg: LoopReg, to: Label) {
        self.items.push(Item::Jump(reg, to));
    }

    /// Shifts the next bit out of a scan register and jumps to the label if it is 0.
    pub fn scan(&mut self, reg: LoopReg, if_zero: Label) {
        self.items.push(Item::Scan(reg, if_zero));
    }

    /// Ends a loop whose body starts at the label and runs `count` times.
    pub fn repeat(&mut self, reg: LoopReg, from: Label, count: u32) {
        self.items.push(Item::Loop(reg, from, count));
    }

    /// Fills a scan register with the low `bits` bits of a row.
    pub fn load_scan(&mut self, reg: LoopReg, row: Region, bits: u16) {
        self.items.push(Item::Fixed(L1::LoadScan { reg, bits, global: row.at }));
    }

    /// Selects the field in which the datapath computes.
    pub fn set_field(&mut self, field: Field) {
        self.items.push(Item::Fixed(L1::SetField { field }));
    }

    /// Copies a region into the register banks, from linear address `local` on.
    pub fn load(&mut self, from: Region, local: u8) {
        self.switch(Direction::In, from, local);
    }

    /// Copies rows of the register banks, from linear address `local` on, into a region.
    pub fn store(&mut self, to: Region, local: u8) {
        self.switch(Direction::Out, to, local);
    }

    fn switch(&mut self, direction: Direction, region: Region, local: u8) {
        // A move that continues the previous one on both sides is merged with it.
        let target = self.labels.contains(&Some(self.items.len()));
        if let Some(Item::Fixed(L1::Switch { direction: d, rows, global, local: l })) = self.items.last_mut()
        {
            let follows = u16::from(*global) + *rows == u16::from(region.at)
                && u16::from(*l) + *rows == u16::from(local);
            if *d == direction && follows && !target {
                *rows += u16::from(region.rows);
                return;
            }
        }
        let rows = u16::from(region.rows);
        self.items.push(Item::Fixed(L1::Switch { direction, rows, global: region.at, local }));
    }

    /// Calls a routine on the contents of the banks.
    ///
    /// # Panics
    /// If no routine has this name: a programming error.
    pub fn run(&mut self, routine: &str) {
        assert!(self.routines.contains_key(routine), "no routine {routine}");
        if !self.called.iter().any(|r| r == routine) {
            self.called.push(routine.to_owned());
        }
        self.items.push(Item::Call(routine.to_owned()));
    }

    /// Calls a routine several times in a row, each call on the results of the previous one. A front end that can
    /// repeat routines runs a rotation of the routine without draining between the calls; another one runs a loop with
    /// the counter `reg`.
    ///
    /// # Panics
    /// If no routine has this name, or `times` is zero: programming errors.
    pub fn run_times(&mut self, routine: &str, times: u32, reg: LoopReg) {
        assert!(times > 0, "{routine} zero times");
        self.run(routine);
        self.items.pop();
        self.items.push(Item::Times(routine.to_owned(), times, reg));
    }

    /// Calls a routine on regions of the global bank: copies its operand blocks into the banks, runs it, and copies its
    /// results back. Blocks are matched by name; blocks that are not listed keep their contents in the banks.
    ///
    /// # Panics
    /// If a block does not belong to the routine, or a region is smaller than its block: programming errors.
    pub fn call(&mut self, routine: &str, takes: &[(&str, Region)], gives: &[(&str, Region)]) {
        let graphs = self.routines.get(routine).unwrap_or_else(|| panic!("no routine {routine}"));
        let graph = &graphs[0];
        let ins = blocks(graph.inputs.iter().map(|i| (i.name.as_str(), i.at.address())));
        let outs = blocks(graph.outputs.iter().map(|o| (o.name.as_str(), o.at.address())));
        let of = |blocks: &[Block], wanted: &[(&str, Region)]| -> Vec<(Region, u8)> {
            let find = |&(name, region): &(&str, Region)| {
                let block = blocks.iter().find(|b| b.name == name);
                let block = block.unwrap_or_else(|| panic!("routine {routine} has no block {name}"));
                assert!(block.rows == region.rows, "block {name} of {routine} has {} rows", block.rows);
                (region, block.local)
            };
            wanted.iter().map(find).collect()
        };
        let (ins, outs) = (of(&ins, takes), of(&outs, gives));
        ins.into_iter().for_each(|(region, local)| self.load(region, local));
        self.run(routine);
        outs.into_iter().for_each(|(region, local)| self.store(region, local));
    }

    /// Compiles the routines that are called, links them and resolves the labels.
    ///
    /// # Errors
    /// A routine does not fit the machine, or a memory is too small for the program.
    pub fn finish(mut self, spec: &MachineSpec, options: &Options) -> Result<Program<F>, CompileError> {
        self.items.push(Item::Fixed(L1::Finish));
        let holds = |memory, words: usize, holds: u32| {
            let fits = words <= holds as usize;
            if fits { Ok(()) } else { Err(CompileError::Memory { memory, words, holds }) }
        };
        holds("global", self.next, spec.switcher.global_rows)?;
        let Compilation { routines: compiled, graphs } = self.compile(spec, options)?;
        let mut image = Image::default();
        for routine in &compiled {
            image.l2_labels.insert(routine.name.clone(), image.l2.len() as u16);
            for word in &routine.words {
                image.l2.push(word.encode()?);
            }
        }
        holds("L2", image.l2.len(), spec.control.l2_words)?;
        self.write_l1(&mut image, spec.control.repeat)?;
        holds("L1", image.l1.len(), spec.control.l1_words)?;
        Ok(Program {
            image,
            spec: spec.clone(),
            regions: self.regions,
            constants: self.constants,
            shared: self.shared,
            routines: compiled,
            graphs,
        })
    }

    /// Compiles the routines that are called, each by the formulas that take the fewest cycles. For routines that the
    /// front end repeats, these are the three routines of their rotation.
    fn compile(&self, spec: &MachineSpec, options: &Options) -> Result<Compilation, CompileError> {
        let mut linked = Compilation::default();
        let repeat = spec.control.repeat;
        for name in &self.called {
            let asks = |rotated: bool| {
                let asked = |item: &Item| match item {
                    Item::Call(n) => !rotated && n == name,
                    Item::Times(n, times, _) => n == name && rotated == rotates(*times, repeat),
                    _ => false,
                };
                self.items.iter().any(asked)
            };
            let graphs = &self.routines[name];
            if asks(false) {
                let found = graphs.iter().map(|g| Ok((compiler::compile(name, g, spec, options)?, g)));
                let found = found.collect::<Result<Vec<_>, CompileError>>()?;
                if let Some((routine, graph)) = found.into_iter().min_by_key(|(r, _)| r.report.cycles) {
                    linked.push(routine, graph.clone());
                }
            }
            if asks(true) {
                let found = graphs.iter().map(|g| compiler::compile_rotated(name, g, spec, options));
                let found = found.collect::<Result<Vec<_>, _>>()?;
                if let Some(Rotation { graphs, enter, turn, leave }) =
                    found.into_iter().min_by_key(|r| r.turn.report.slots)
                {
                    linked.push(enter, graphs.enter);
                    linked.push(turn, graphs.turn);
                    linked.push(leave, graphs.leave);
                }
            }
        }
        Ok(linked)
    }

    /// Writes the L1 words with resolved labels.
    fn write_l1(&self, image: &mut Image, repeat: bool) -> Result<(), CompileError> {
        let words = |item: &Item| match item {
            Item::Times(_, times, _) if rotates(*times, repeat) => 3,
            Item::Times(_, times, _) => (*times).min(2) as u16,
            _ => 1,
        };
        let mut addresses = vec![0u16];
        for item in &self.items {
            let last = addresses[addresses.len() - 1];
            addresses.push(last + words(item));
        }
        let address = |label: &Label| addresses[self.labels[label.0].expect("every label is placed")];
        for (item, &here) in self.items.iter().zip(&addresses) {
            let routine = |name: &str| image.l2_labels[name];
            let call = |name: &str| L1::PairOp { addr: routine(name) };
            let instructions = match item {
                Item::Fixed(i) => vec![*i],
                Item::Call(name) | Item::Times(name, 1, _) => vec![call(name)],
                Item::Times(name, times, _) if rotates(*times, repeat) => {
                    let turn = L1::PairRepeat { addr: routine(&format!("{name}_turn")), times: times - 1 };
                    vec![call(&format!("{name}_enter")), turn, call(&format!("{name}_leave"))]
                }
                Item::Times(name, 2, _) => vec![call(name); 2],
                Item::Times(name, times, reg) => {
                    vec![call(name), L1::Loop { reg: *reg, addr: here, count: *times }]
                }
                Item::Jump(reg, to) => vec![L1::Jump { reg: *reg, addr: address(to) }],
                Item::Scan(reg, to) => vec![L1::Scan { reg: *reg, addr: address(to) }],
                Item::Loop(reg, from, count) => {
                    vec![L1::Loop { reg: *reg, addr: address(from), count: *count }]
                }
            };
            for instruction in instructions {
                image.l1.push(instruction.encode()?);
            }
        }
        for (i, place) in self.labels.iter().enumerate() {
            if let Some(at) = place {
                image.l1_labels.insert(format!("l{i}"), addresses[*at]);
            }
        }
        Ok(())
    }
}

/// Whether this many calls in a row use a rotation; for two calls, entering and leaving it do not pay off.
fn rotates(times: u32, repeat: bool) -> bool {
    repeat && times > 2
}

/// The compiled routines and their graphs.
#[derive(Default)]
struct Compilation {
    routines: Vec<Compiled>,
    graphs: Vec<(String, Graph)>,
}

impl Compilation {
    fn push(&mut self, routine: Compiled, graph: Graph) {
        self.graphs.push((routine.name.clone(), graph));
        self.routines.push(routine);
    }
}

/// The blocks of a list of named rows: consecutive rows whose names differ only in their number.
pub fn blocks<'a>(rows: impl Iterator<Item = (&'a str, u8)>) -> Vec<Block> {
    let mut found: Vec<Block> = Vec::new();
    for (name, at) in rows {
        let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
        match found.last_mut() {
            Some(b) if b.name == stem && b.local + b.rows == at => b.rows += 1,
            _ => found.push(Block { name: stem.to_owned(), local: at, rows: 1 }),
        }
    }
    found
}
