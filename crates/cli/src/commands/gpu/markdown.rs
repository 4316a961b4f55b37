//! A report on a device as tables in Markdown.

use super::lines::{HEAD, cells};
use pairwright::gpu::report::{Fault, Measurements};
use serde_json::Value;

/// A table in Markdown.
fn table<'a>(head: &[&str], rows: impl Iterator<Item = Vec<String>> + 'a) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | ").replace('\n', " "));
    let head: Vec<String> = head.iter().map(|cell| (*cell).to_owned()).collect();
    let rule = format!("|{}\n", "---|".repeat(head.len()));
    core::iter::once(line(&head) + &rule).chain(rows.map(|row| line(&row))).collect()
}

/// A table of a list of rates, whose columns are given by their names in the JSON; empty if there are no rates.
fn of_rates(rates: &Value, list: &str, columns: &[(&str, &str)]) -> String {
    let Some(rows) = rates[list].as_array().filter(|rows| !rows.is_empty()) else { return String::new() };
    let cell = |value: &Value| match value {
        Value::String(text) => text.clone(),
        Value::Number(n) if n.is_f64() => format!("{:.2}", n.as_f64().unwrap_or(0.0)),
        other => other.to_string(),
    };
    let heads: Vec<&str> = columns.iter().map(|(_, head)| *head).collect();
    let row = |row: &Value| columns.iter().map(|(key, _)| cell(&row[*key])).collect();
    format!("{}\n", table(&heads, rows.iter().map(row)))
}

/// The report as text: device, rates, a table for each section, the shapes that tuning found, and faults.
pub(super) fn of(report: &Measurements) -> String {
    let device = &report.device;
    let (major, minor) = report.compiler;
    let mut page = format!(
        "# {}\n\nCompute capability {}, {} multiprocessors, driver {}, NVRTC {major}.{minor}; pairwright {}. Results are \
         compared with this computer's.\n\n",
        device.name, device.capability, device.multiprocessors, device.driver, report.version,
    );
    if let Some(rates) = &report.rates {
        page += "## rates\n\n";
        let rate = [
            ("what", "what"),
            ("warps_per_scheduler", "warps a scheduler"),
            ("operations_per_clock", "a clock"),
        ];
        page += &of_rates(rates, "rates", &rate);
        page += &of_rates(rates, "latencies", &[("what", "latency of"), ("clocks", "clocks")]);
        page += &of_rates(rates, "copies", &[("bytes", "copy of, bytes"), ("gigabytes_per_second", "GB/s")]);
    }
    let mut sections: Vec<&str> = report.lines.iter().map(|line| line.section.as_str()).collect();
    sections.dedup();
    for section in sections {
        let lines = report.lines.iter().filter(|line| line.section == section);
        page += &format!("## {section}\n\n{}\n", table(&HEAD, lines.map(|line| cells(line).to_vec())));
    }
    if let Some(found) = &report.tuning {
        page += &format!("## tuning\n\n```toml\n{}```\n\n", found.to_text());
    }
    if !report.faults.is_empty() {
        let fault = |f: &Fault| vec![f.section.clone(), f.what.clone(), f.error.clone()];
        page += &format!(
            "## faults\n\n{}\n",
            table(&["section", "what", "why"], report.faults.iter().map(fault))
        );
    }
    page
}

#[cfg(test)]
mod tests {
    use super::super::lines::product;
    use super::*;
    use pairwright::gpu::Facts;
    use pairwright::gpu::report::Line;
    use pairwright::gpu::table::{SumcheckRow, Table};
    use serde_json::json;

    #[test]
    fn every_part_of_a_report_is_on_the_page() {
        let line = |section: &str, what: &str| Line {
            section: section.to_owned(),
            log_size: Some(4),
            ..product(what.to_owned(), 1.5)
        };
        let tuning = Table {
            sumcheck: vec![SumcheckRow { bits: 255, least: 64, nanoseconds: 2.0 }],
            ..Table::default()
        };
        let report = Measurements {
            version: "0.1.0".to_owned(),
            device: Facts {
                name: "a device".to_owned(),
                capability: 90,
                multiprocessors: 2,
                driver: 13_000,
                ..Facts::default()
            },
            compiler: (13, 0),
            rates: Some(json!({ "rates": [], "copies": [{ "bytes": 8, "gigabytes_per_second": 0.25 }] })),
            tuning: Some(tuning),
            lines: vec![line("products", "a"), line("products", "b"), line("msm", "c")],
            faults: vec![Fault { section: "msm".into(), what: "d".into(), error: "two\nlines".into() }],
            ..Measurements::default()
        };
        let page = of(&report);
        assert!(page.starts_with(
            "# a device\n\nCompute capability 90, 2 multiprocessors, driver 13000, NVRTC 13.0;"
        ));
        assert!(page.contains("| copy of, bytes | GB/s |\n|---|---|\n| 8 | 0.25 |\n"), "{page}");
        assert!(page.contains("| a | 4 |  |  |  |  |  |  | 1.5000 | product |\n| b | 4 |"), "{page}");
        assert_eq!(page.matches("\n## ").count(), 5, "{page}");
        assert!(page.contains("least = 64\n") && page.contains("| msm | d | two lines |"), "{page}");
    }
}
