//! A readable table of a routine's words.

use super::Compiled;
use crate::isa::{Channel, L2};
use std::fmt::Write as _;

/// The width of the column of the multiplier.
const COLUMN: usize = 36;

impl Compiled {
    /// The routine slot by slot: the number of the slot, the word that starts on the multiplier or the inverter, and the
    /// word that starts on the arithmetic unit. `mm:2` is an operand that comes from the multiplier over path 2. Consecutive
    /// empty slots are printed as one line.
    pub fn listing(&self) -> String {
        let r = &self.report;
        let mut text = format!(
            "{}: {} operations in {} slots, {} cycles ({})\n",
            self.name,
            r.operations,
            r.slots,
            r.cycles,
            if r.optimal { "optimal".to_owned() } else { format!("bound {}", r.bound) },
        );
        let (mut slot, mut empty, mut row) = (0, 0, [String::new(), String::new()]);
        for word in &self.words {
            match word.op.channel() {
                None => {}
                Some(Channel::Arith) => row[1] = bare(word),
                Some(_) => row[0] = bare(word),
            }
            if word.with_next {
                continue;
            }
            let [mm, arith] = std::mem::take(&mut row);
            if mm.is_empty() && arith.is_empty() {
                empty += 1;
            } else {
                bubbles(&mut text, std::mem::take(&mut empty));
                let _ = writeln!(text, "{}", format!("{slot:5}  {mm:COLUMN$}{arith}").trim_end());
            }
            slot += 1;
        }
        bubbles(&mut text, empty);
        text
    }
}

fn bubbles(text: &mut String, count: usize) {
    if count > 0 {
        let _ = writeln!(text, "    .  ({count} empty)");
    }
}

/// The text of a word without its marks `||` and `last`.
fn bare(word: &L2) -> String {
    L2 { with_next: false, last: false, ..*word }.to_string()
}
