//! The tuning table: the fastest known shapes of kernels, as data.
//!
//! A table is a TOML file for one architecture, `tuning/sm_<number>.toml`, with rows for the field functions of a
//! width, for its vector arithmetic, and for its transforms by size. A width or size without a row uses the defaults,
//! which are estimates and not measured.

use crate::error::GpuError;
use crate::family::FieldTuning;
use crate::nvrtc::Arch;
use pairwright_moma::program::blas::BlasTuning;
use pairwright_moma::program::ntt::Tuning;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The built-in tables, by architecture.
const BUILT_IN: &[(Arch, &str)] = &[(Arch(90), include_str!("../tuning/sm_90.toml"))];

/// The shapes that were found to be fastest on a device.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    /// The device's product name; empty if nothing was measured.
    #[serde(default)]
    pub device: String,
    /// Rows for the field functions.
    #[serde(default)]
    pub field: Vec<FieldRow>,
    /// Rows for vector arithmetic.
    #[serde(default)]
    pub vec: Vec<VecRow>,
    /// Rows for transforms.
    #[serde(default)]
    pub ntt: Vec<NttRow>,
    /// Rows for sumchecks.
    #[serde(default)]
    pub sumcheck: Vec<SumcheckRow>,
    /// Rows for multi-scalar multiplications.
    #[serde(default)]
    pub msm: Vec<MsmRow>,
}

/// The best field functions for moduli of a width.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FieldRow {
    /// Width of the modulus in bits.
    pub bits: u32,
    /// Word size and Karatsuba levels.
    #[serde(flatten)]
    pub tuning: FieldTuning,
    /// Nanoseconds per modular product in registers.
    pub nanoseconds: f64,
}

/// The best shape of vector kernels for elements of a width.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VecRow {
    /// Width of the modulus in bits.
    pub bits: u32,
    /// Threads per block.
    pub threads: u32,
    /// Elements per thread.
    pub per_thread: u32,
    /// Nanoseconds per product of two elements.
    pub nanoseconds: f64,
}

/// The best shape of a transform's passes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct NttRow {
    /// Width of the modulus in bits.
    pub bits: u32,
    /// log2 of the number of elements.
    pub log_n: u32,
    /// Whether a batch of transforms fills the device, or one transform runs alone.
    pub batched: bool,
    /// Nanoseconds per butterfly.
    pub nanoseconds: f64,
    /// The fastest parameters.
    #[serde(flatten)]
    pub tuning: Tuning,
}

/// The least number of pairs for rounds of sumchecks on the device, by width of the modulus.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SumcheckRow {
    /// Width of the modulus in bits.
    pub bits: u32,
    /// Least number of pairs of a round on the device; the host computes smaller rounds.
    pub least: usize,
    /// Nanoseconds of a whole sumcheck of `e (a b - c)` over four tables of 2^16 values.
    pub nanoseconds: f64,
}

/// The least number of scalars of a multi-scalar multiplication whose list of points is halved, by width of the scalar
/// field.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MsmRow {
    /// Width of the scalar field's modulus in bits.
    pub bits: u32,
    /// log2 of the least number of scalars with halvings; [`Self::NEVER`] if sums without them are faster.
    pub log_n: u32,
    /// Nanoseconds of a sum of so many scalars in the first group, without copies; 0 for [`Self::NEVER`].
    pub nanoseconds: f64,
}

impl MsmRow {
    /// The logarithm of a number of scalars that no sum has.
    pub const NEVER: u32 = 64;
}

impl Table {
    /// The built-in table for an architecture; empty if there is none.
    pub fn built_in(arch: Arch) -> Self {
        let text = BUILT_IN.iter().find(|(known, _)| *known == arch).map(|(_, text)| *text);
        text.map(|text| toml::from_str(text).expect("a test reads the built-in tables")).unwrap_or_default()
    }

    /// Reads a table from a file.
    ///
    /// # Errors
    /// [`GpuError::File`], [`GpuError::Tuning`].
    pub fn read(path: &Path) -> Result<Self, GpuError> {
        let text = std::fs::read_to_string(path)
            .map_err(|cause| GpuError::File { path: path.to_path_buf(), cause })?;
        toml::from_str(&text)
            .map_err(|cause| GpuError::Tuning { path: path.to_path_buf(), cause: Box::new(cause) })
    }

    /// The table with the rows of another one for the same kind of device, which replace rows for the same widths and
    /// sizes.
    #[must_use]
    pub fn with_rows_of(mut self, found: &Self) -> Self {
        self.field.retain(|row| found.field.iter().all(|new| new.bits != row.bits));
        self.vec.retain(|row| found.vec.iter().all(|new| new.bits != row.bits));
        self.sumcheck.retain(|row| found.sumcheck.iter().all(|new| new.bits != row.bits));
        self.msm.retain(|row| found.msm.iter().all(|new| new.bits != row.bits));
        let place = |row: &NttRow| (row.bits, row.log_n, row.batched);
        self.ntt.retain(|row| found.ntt.iter().all(|new| place(new) != place(row)));
        self.field.extend(&found.field);
        self.vec.extend(&found.vec);
        self.sumcheck.extend(&found.sumcheck);
        self.msm.extend(&found.msm);
        self.ntt.extend(&found.ntt);
        Self { device: found.device.clone(), ..self }
    }

    /// The table as TOML, with sorted rows.
    pub fn to_text(&self) -> String {
        let mut sorted = self.clone();
        sorted.field.sort_by_key(|row| row.bits);
        sorted.vec.sort_by_key(|row| row.bits);
        sorted.ntt.sort_by_key(|row| (row.bits, row.batched, row.log_n));
        sorted.sumcheck.sort_by_key(|row| row.bits);
        sorted.msm.sort_by_key(|row| row.bits);
        toml::to_string(&sorted).expect("plain numbers and texts have a form in TOML")
    }

    /// The field functions for a width.
    pub fn field(&self, bits: u32) -> FieldTuning {
        self.field.iter().find(|row| row.bits == bits).map_or_else(Default::default, |row| row.tuning)
    }

    /// The shape of vector kernels for a width.
    pub fn vec(&self, bits: u32) -> Option<BlasTuning> {
        let row = self.vec.iter().find(|row| row.bits == bits)?;
        Some(BlasTuning { threads: row.threads, per_thread: row.per_thread })
    }

    /// The row for a width with the nearest size, the larger one of two equally near; if the width has no row, a row of
    /// another width with as many words of 32 bits, whose kernels differ only in the constants.
    pub fn ntt(&self, bits: u32, log_n: u32, batched: bool) -> Option<&NttRow> {
        let rows = |fits: &dyn Fn(u32) -> bool| {
            let rows = self.ntt.iter().filter(|row| fits(row.bits) && row.batched == batched);
            rows.min_by_key(|row| (row.log_n.abs_diff(log_n), u32::MAX - row.log_n))
        };
        rows(&|other| other == bits).or_else(|| rows(&|other| other.div_ceil(32) == bits.div_ceil(32)))
    }

    /// The least number of pairs of a sumcheck's round on the device, for the width or for another one with as many
    /// words of 32 bits.
    pub fn sumcheck(&self, bits: u32) -> Option<usize> {
        Some(nearest(&self.sumcheck, |row| row.bits, bits)?.least)
    }

    /// log2 of the least number of scalars whose list of points is halved, for the width or for another one with as many
    /// words of 32 bits.
    pub fn halved_from(&self, bits: u32) -> Option<u32> {
        Some(nearest(&self.msm, |row| row.bits, bits)?.log_n)
    }
}

/// The row for a width, or else one for another width with as many words of 32 bits.
fn nearest<T>(rows: &[T], width: impl Fn(&T) -> u32, bits: u32) -> Option<&T> {
    let same = rows.iter().find(|row| width(row) == bits);
    same.or_else(|| rows.iter().find(|row| width(row).div_ceil(32) == bits.div_ceil(32)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use pairwright_moma::program::Element;

    #[test]
    fn built_in_tables_are_read_whole() {
        for (arch, text) in BUILT_IN {
            let table: Table = toml::from_str(text).unwrap();
            assert_eq!(Table::built_in(*arch), table);
        }
        assert_eq!(Table::built_in(Arch(1)), Table::default());
    }

    #[test]
    fn a_table_is_written_and_read_back() {
        let base = Tuning::for_element(Element { word_bits: 32, words: 8 });
        let mut table = Table { device: "a device".to_owned(), ..Table::default() };
        let row = |log_n, tuning| NttRow { bits: 255, log_n, batched: false, nanoseconds: 0.02, tuning };
        table.ntt.push(row(20, Tuning { log_radix: 7, ..base }));
        table.ntt.push(row(12, base));
        table.vec.push(VecRow { bits: 255, threads: 128, per_thread: 4, nanoseconds: 0.1 });
        table.sumcheck.push(SumcheckRow { bits: 255, least: 256, nanoseconds: 1e6 });
        table.msm.push(MsmRow { bits: 255, log_n: 18, nanoseconds: 1e6 });
        table.msm.push(MsmRow { bits: 254, log_n: MsmRow::NEVER, nanoseconds: 0.0 });
        table.field.push(FieldRow { bits: 255, tuning: FieldTuning::default(), nanoseconds: 0.01 });
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.toml");
        std::fs::write(&path, table.to_text()).unwrap();
        let back = Table::read(&path).unwrap();
        assert_eq!(back.to_text(), table.to_text());
        assert_eq!(back.ntt(255, 20, false).unwrap().tuning, Tuning { log_radix: 7, ..base });
        let nearest = |log_n| back.ntt(255, log_n, false).unwrap().log_n;
        assert_eq!((nearest(16), nearest(5)), (20, 12));
        assert_eq!(back.vec(255), Some(BlasTuning { threads: 128, per_thread: 4 }));
        // Another width of eight words has the same kernels; a width of nine words does not.
        assert_eq!(back.ntt(254, 20, false), back.ntt(255, 20, false));
        assert!(back.ntt(257, 20, false).is_none() && back.ntt(255, 20, true).is_none());
        assert_eq!(
            [320, 253, 254, 255].map(|bits| back.halved_from(bits)),
            [None, Some(64), Some(64), Some(18)]
        );
        assert_eq!(
            (back.sumcheck(254), back.sumcheck(255), back.sumcheck(320)),
            (Some(256), Some(256), None)
        );

        // Rows for the same widths and sizes are replaced.
        let found = Table {
            device: "another".to_owned(),
            ntt: vec![row(12, Tuning { log_radix: 6, ..base }), row(16, base)],
            ..Table::default()
        };
        let both = back.clone().with_rows_of(&found);
        let radices: Vec<_> = both.ntt.iter().map(|row| (row.log_n, row.tuning.log_radix)).collect();
        assert_eq!(radices, [(20, 7), (12, 6), (16, base.log_radix)]);
        assert_eq!((&both.device[..], &both.field, &both.vec), ("another", &back.field, &back.vec));

        std::fs::write(&path, "[[ntt]]\nbits = \"wide\"\n").unwrap();
        assert!(matches!(Table::read(&path), Err(GpuError::Tuning { .. })));
        assert!(matches!(Table::read(&folder.path().join("no")), Err(GpuError::File { .. })));
    }
}
