//! A banked memory whose port use is counted cycle by cycle.

use crate::{Access, SimError};
use serde::Serialize;

/// The number of ports of each bank.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ports {
    /// Reads that a bank can serve in a cycle.
    pub reads: u32,
    /// Writes that a bank can serve in a cycle.
    pub writes: u32,
}

/// The accesses that a bank has served through its ports.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize)]
pub struct BankTraffic {
    /// The number of reads.
    pub reads: u64,
    /// The number of writes.
    pub writes: u64,
}

/// Use of one kind of port of one bank: the last cycle in which it was used, and how often in that cycle.
#[derive(Clone, Copy, Default, Debug)]
struct Use {
    cycle: u64,
    times: u32,
    total: u64,
}

impl Use {
    fn used(&self, cycle: u64) -> bool {
        self.cycle == cycle && self.times > 0
    }

    fn take(&mut self, cycle: u64, ports: u32) -> bool {
        if self.cycle != cycle {
            (self.cycle, self.times) = (cycle, 0);
        }
        let free = self.times < ports;
        self.times += u32::from(free);
        self.total += u64::from(free);
        free
    }
}

/// A memory of equal banks with synchronous writes: a read returns the value that the row had at the beginning of the
/// cycle, whatever the cycle writes (read before write).
///
/// [`Banks::read`] and [`Banks::write`] use ports and refuse what the ports cannot serve; [`Banks::peek`] and
/// [`Banks::poke`] are a debugger's view and use no port. Each row records whether it was ever written.
#[derive(Clone, Debug)]
pub struct Banks<T> {
    cells: Vec<Option<T>>,
    banks: u32,
    rows: u32,
    ports: Ports,
    /// One port for reads and writes: a bank that is read in a cycle cannot be written in it.
    shared: bool,
    cycle: u64,
    reads: Vec<Use>,
    writes: Vec<Use>,
    pending: Vec<(usize, T)>,
}

impl<T: Clone> Banks<T> {
    /// A memory of `banks` banks with `rows` rows each, all unwritten.
    pub fn new(banks: u32, rows: u32, ports: Ports) -> Self {
        let mut cells = Vec::new();
        cells.resize_with(banks as usize * rows as usize, || None);
        let unused = vec![Use::default(); banks as usize];
        // Cycle 0 means "never used": counting starts at 1, so that an unused port is not taken for one used in this
        // cycle.
        Self {
            cells,
            banks,
            rows,
            ports,
            shared: false,
            cycle: 1,
            reads: unused.clone(),
            writes: unused,
            pending: Vec::new(),
        }
    }

    /// A memory whose banks have one port each, which reads or writes in a cycle; a second access gives
    /// [`SimError::SinglePort`].
    pub fn single_port(banks: u32, rows: u32) -> Self {
        Self { shared: true, ..Self::new(banks, rows, Ports { reads: 1, writes: 1 }) }
    }

    /// The number of banks.
    pub fn banks(&self) -> u32 {
        self.banks
    }

    /// The number of rows of each bank.
    pub fn rows(&self) -> u32 {
        self.rows
    }

    /// The number of the current cycle; the first is 0.
    pub fn cycle(&self) -> u64 {
        self.cycle - 1
    }

    fn index(&self, bank: u32, row: u32) -> Result<usize, SimError> {
        if bank < self.banks && row < self.rows {
            Ok(bank as usize * self.rows as usize + row as usize)
        } else {
            Err(SimError::Address { bank, row, banks: self.banks, rows: self.rows })
        }
    }

    fn port(&mut self, bank: u32, access: Access) -> Result<(), SimError> {
        let cycle = self.cycle;
        let (read, write) = (&mut self.reads[bank as usize], &mut self.writes[bank as usize]);
        let (port, other, ports) = match access {
            Access::Read => (read, write, self.ports.reads),
            Access::Write => (write, read, self.ports.writes),
        };
        if self.shared && (other.used(cycle) || port.used(cycle)) {
            return Err(SimError::SinglePort { bank, access, cycle: self.cycle() });
        }
        if port.take(cycle, ports) {
            Ok(())
        } else {
            Err(SimError::Ports { bank, access, ports, cycle: self.cycle() })
        }
    }

    /// Reads a row through a port and returns its value at the beginning of this cycle.
    ///
    /// # Errors
    /// No such row, no port left in this cycle, or the row was never written.
    pub fn read(&mut self, bank: u32, row: u32) -> Result<T, SimError> {
        let index = self.index(bank, row)?;
        self.port(bank, Access::Read)?;
        self.cells[index].clone().ok_or(SimError::Unwritten { bank, row, cycle: self.cycle() })
    }

    /// Writes a row through a port; the new value can be read from the next cycle on.
    ///
    /// # Errors
    /// No such row, no port left in this cycle, or the row is already written in this cycle.
    pub fn write(&mut self, bank: u32, row: u32, value: T) -> Result<(), SimError> {
        let index = self.index(bank, row)?;
        if self.pending.iter().any(|(i, _)| *i == index) {
            return Err(SimError::Collision { bank, row, cycle: self.cycle() });
        }
        self.port(bank, Access::Write)?;
        self.pending.push((index, value));
        Ok(())
    }

    /// The clock edge: ends the cycle, whose writes become visible.
    pub fn tick(&mut self) {
        self.skip(1);
    }

    /// Advances by `cycles` clock edges; cycles after the first have no access.
    pub fn skip(&mut self, cycles: u64) {
        if cycles > 0 {
            self.cycle += cycles;
            for (index, value) in self.pending.drain(..) {
                self.cells[index] = Some(value);
            }
        }
    }

    /// The value of a row, without using a port; `None` if it was never written or does not exist.
    pub fn peek(&self, bank: u32, row: u32) -> Option<&T> {
        self.index(bank, row).ok().and_then(|i| self.cells[i].as_ref())
    }

    /// Sets the value of a row immediately, without using a port.
    ///
    /// # Errors
    /// No such row.
    pub fn poke(&mut self, bank: u32, row: u32, value: T) -> Result<(), SimError> {
        let index = self.index(bank, row)?;
        self.cells[index] = Some(value);
        Ok(())
    }

    /// Marks every row as unwritten, as after power-on; the cycle number and the access counts stay.
    pub fn clear(&mut self) {
        self.cells.iter_mut().for_each(|c| *c = None);
        self.pending.clear();
    }

    /// Resets the cycle number and the access counts; values stay.
    pub fn restart(&mut self) {
        self.tick();
        self.cycle = 1;
        self.reads.iter_mut().chain(&mut self.writes).for_each(|port| *port = Use::default());
    }

    /// Accesses served since the beginning or the last [`Banks::restart`], bank by bank.
    pub fn traffic(&self) -> impl Iterator<Item = BankTraffic> + '_ {
        self.reads.iter().zip(&self.writes).map(|(r, w)| BankTraffic { reads: r.total, writes: w.total })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn memory() -> Banks<char> {
        Banks::new(2, 4, Ports { reads: 2, writes: 1 })
    }

    #[test]
    fn a_read_shows_what_was_there_before_the_cycles_writes() {
        let mut m = memory();
        m.write(0, 3, 'a').unwrap();
        assert_eq!(m.read(0, 3), Err(SimError::Unwritten { bank: 0, row: 3, cycle: 0 }));
        m.tick();
        m.write(0, 3, 'b').unwrap();
        assert_eq!(m.read(0, 3), Ok('a'));
        m.tick();
        assert_eq!(m.read(0, 3), Ok('b'));
    }

    #[test]
    fn one_access_too_many_names_its_bank_and_cycle() {
        let mut m = memory();
        m.poke(1, 0, 'x').unwrap();
        m.skip(6);
        m.read(1, 0).unwrap();
        m.read(1, 0).unwrap();
        let refused = SimError::Ports { bank: 1, access: Access::Read, ports: 2, cycle: 6 };
        assert_eq!(m.read(1, 0), Err(refused.clone()));
        assert_eq!(refused.to_string(), "bank 1 has 2 read port(s), cycle 6 asks for one more");
        m.write(0, 0, 'y').unwrap();
        assert_eq!(
            m.write(0, 1, 'z'),
            Err(SimError::Ports { bank: 0, access: Access::Write, ports: 1, cycle: 6 })
        );
        m.tick();
        m.read(1, 0).unwrap();
        m.write(0, 1, 'z').unwrap();
        let traffic: Vec<_> = m.traffic().collect();
        assert_eq!(traffic, [BankTraffic { reads: 0, writes: 2 }, BankTraffic { reads: 3, writes: 0 }]);
    }

    #[test]
    fn a_single_port_reads_or_writes() {
        let mut m = Banks::single_port(2, 4);
        m.write(0, 3, 'a').unwrap();
        let refused = |access| SimError::SinglePort { bank: 0, access, cycle: 0 };
        assert_eq!(m.read(0, 3), Err(refused(Access::Read)));
        assert_eq!(m.write(0, 2, 'b'), Err(refused(Access::Write)));
        m.write(1, 0, 'c').unwrap();
        m.tick();
        assert_eq!(m.read(0, 3), Ok('a'));
        assert_eq!(
            m.write(0, 2, 'b').unwrap_err().to_string(),
            "the port of bank 0 is taken in cycle 1: no second access, a write"
        );
        let traffic: Vec<_> = m.traffic().collect();
        assert_eq!(traffic, [BankTraffic { reads: 1, writes: 1 }, BankTraffic { reads: 0, writes: 1 }]);
    }

    #[test]
    fn rows_that_are_not_there_and_rows_written_twice() {
        let mut m = Banks::new(1, 4, Ports { reads: 1, writes: 2 });
        assert_eq!(m.read(1, 0), Err(SimError::Address { bank: 1, row: 0, banks: 1, rows: 4 }));
        assert_eq!(m.poke(0, 4, 'a'), Err(SimError::Address { bank: 0, row: 4, banks: 1, rows: 4 }));
        m.write(0, 2, 'a').unwrap();
        assert_eq!(m.write(0, 2, 'b'), Err(SimError::Collision { bank: 0, row: 2, cycle: 0 }));
        m.tick();
        assert_eq!(m.peek(0, 2), Some(&'a'));
        m.restart();
        assert_eq!((m.cycle(), m.traffic().next()), (0, Some(BankTraffic::default())));
        assert_eq!(m.read(0, 2), Ok('a'));
        m.clear();
        assert_eq!(m.peek(0, 2), None);
    }
}
