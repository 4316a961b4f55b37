//! Product styles: how a machine sums the products of many digits. A style is a file, [`STYLES`] lists them, and a machine
//! description names one.

mod alternating;
pub(crate) mod columns;
mod rows;
pub(crate) mod sums;
mod whole;

use crate::ir::Arg;
use crate::lower::Rewriter;
use crate::registry::Registered;

/// How a machine puts products of many words together from its operations.
pub trait ProductStyle: Sync {
    /// The name in machine descriptions.
    fn name(&self) -> &'static str;

    /// The least bits of a container for words of so many bits, where the style keeps sums in containers that are wider
    /// than a word.
    fn container(&self, _word: u32) -> Option<u32> {
        None
    }

    /// An empty sum of so many columns, a word apart.
    fn sum(&self, columns: usize) -> Box<dyn Sum>;
}

/// A long sum of products under construction, its digits by column.
pub trait Sum {
    /// Starts from a value's digits.
    fn load(&mut self, rw: &mut Rewriter<'_>, digits: &[Arg]);

    /// Adds `x y 2^(w at)`, for a list of digits x and one digit y. `roomy`: the sum stays below the column after the
    /// row's last one.
    fn add_row(&mut self, rw: &mut Rewriter<'_>, at: usize, x: &[Arg], y: &Arg, roomy: bool);

    /// Adds the multiple of q that clears column `at`, and carries on what that column held. `inverse` is `-1/q` modulo
    /// a word.
    fn reduce_row(&mut self, rw: &mut Rewriter<'_>, at: usize, q: &[Arg], inverse: &Arg, roomy: bool);

    /// Doubles the sum.
    fn double(&mut self, rw: &mut Rewriter<'_>);

    /// Adds `x^2 2^(w at)`: after doubling, the diagonal of a square. Called for rising columns; carries go on from one
    /// pair of columns to the next.
    fn add_square(&mut self, rw: &mut Rewriter<'_>, at: usize, x: &Arg);

    /// The digits from column `from` on, normalised, with the widths that the caller knows them to have.
    fn digits(self: Box<Self>, rw: &mut Rewriter<'_>, from: usize, widths: &[u32]) -> Vec<Arg>;
}

/// Every style, in the order in which an error lists them.
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
