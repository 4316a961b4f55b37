//! The numbers that a paper states in words, as tables in `published/`.

use serde::Deserialize;

/// One published number.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Published {
    /// The quantity, by which answers refer to the row.
    pub(crate) key: String,
    pub(crate) operation: String,
    pub(crate) bits: Option<u32>,
    pub(crate) log2_n: Option<u32>,
    /// The value on the horizontal axis, if the table has this column.
    #[serde(default)]
    pub(crate) x: Option<f64>,
    #[serde(default)]
    pub(crate) x_name: String,
    pub(crate) series: String,
    pub(crate) device: String,
    /// The number; `None` if the paper has a figure whose numbers its text does not state.
    pub(crate) value: Option<f64>,
    /// The paper's qualification: exactly, at least, about, on average; or "not stated".
    pub(crate) relation: String,
    pub(crate) unit: String,
    /// The section, table or file that states the number.
    pub(crate) source: String,
    /// The statement there, in our words.
    pub(crate) statement: String,
}

/// Reads a table that is compiled into the lab.
pub(crate) fn read(text: &str) -> Result<Vec<Published>, csv::Error> {
    csv::Reader::from_reader(text.as_bytes()).deserialize().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_table_reads_and_says_where_its_numbers_stand() {
        for experiment in crate::all() {
            let rows = read(experiment.published).unwrap_or_else(|e| panic!("{}: {e}", experiment.id));
            // Experiments beyond the papers have no published numbers to compare with.
            let beyond = experiment.paper.starts_with("beyond");
            assert_eq!(rows.is_empty(), beyond, "{}", experiment.id);
            for row in rows {
                let known = ["section ", "table ", "figure ", "abstract", "artifact "];
                assert!(known.iter().any(|start| row.source.starts_with(start)), "{row:?}");
                assert_eq!(row.value.is_none(), row.relation == "not stated", "{row:?}");
                assert!(row.value.is_none_or(|value| value > 0.0), "{row:?}");
                assert!(!row.device.is_empty() && !row.unit.is_empty(), "{row:?}");
            }
        }
    }
}
