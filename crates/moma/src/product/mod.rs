//! Product styles: how a machine sums the partial products of numbers of many digits. Each style has its own file,
//! [`STYLES`] lists them, and a machine description names one.

mod alternating;
pub(crate) mod columns;
mod rows;
pub(crate) mod sums;
mod whole;

use crate::ir::Arg;
use crate::lower::Rewriter;
use crate::registry::Registered;

/// A way to build products of many words from the operations of a machine.
pub trait ProductStyle: Sync {
    /// The name by which machine descriptions select the style.
    fn name(&self) -> &'static str;

    /// The least width of a container in bits for words of `word` bits, if the style keeps sums in containers that are
    /// wider than a word; else `None`.
    fn container(&self, _word: u32) -> Option<u32> {
        None
    }

    /// A sum of zero with the given number of columns, each a word above the one before.
    fn sum(&self, columns: usize) -> Box<dyn Sum>;
}

/// A sum of products under construction, by columns. `w` is the width of a word.
pub trait Sum {
    /// Sets the lowest columns to the digits of a value, lowest first.
    fn load(&mut self, rw: &mut Rewriter<'_>, digits: &[Arg]);

    /// Adds `x y 2^(w at)`, for a list of digits x and one digit y. `roomy` says that the sum has no carry out of the
    /// column after the last one of the row.
    fn add_row(&mut self, rw: &mut Rewriter<'_>, at: usize, x: &[Arg], y: &Arg, roomy: bool);

    /// Adds the multiple of q that clears column `at` (Montgomery reduction by one digit), and passes the carry of that
    /// column on. `inverse` is `-1/q` modulo a word.
    fn reduce_row(&mut self, rw: &mut Rewriter<'_>, at: usize, q: &[Arg], inverse: &Arg, roomy: bool);

    /// Doubles the sum.
    fn double(&mut self, rw: &mut Rewriter<'_>);

    /// Adds `x^2 2^(w at)`, a term on the diagonal of a square, after the mixed products have been doubled. Called for
    /// rising columns; carries are passed from one pair of columns to the next.
    fn add_square(&mut self, rw: &mut Rewriter<'_>, at: usize, x: &Arg);

    /// The normalised digits from column `from` on. `widths` are the widths in bits that the caller knows them to have.
    fn digits(self: Box<Self>, rw: &mut Rewriter<'_>, from: usize, widths: &[u32]) -> Vec<Arg>;
}

/// All styles, in the order in which an error message lists them.
pub static STYLES: [&dyn ProductStyle; 5] =
    [&rows::Halves, &rows::Rows, &alternating::Alternating, &columns::Columns, &whole::WholeColumns];

impl Registered for dyn ProductStyle {
    const KIND: &'static str = "product style";

    fn all() -> &'static [&'static Self] {
        &STYLES
    }

    fn name(&self) -> &'static str {
        ProductStyle::name(self)
    }
}
