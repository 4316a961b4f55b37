//! Prints the scorecard as text.

use pairwright_lab::{Basis, Score, Scorecard};

/// A table of all rows, or of the counts only.
pub(crate) fn text(card: &Scorecard, rows: bool) -> String {
    let mut lines = Vec::new();
    if rows {
        let mut experiment = "";
        for score in &card.rows {
            if score.experiment != experiment {
                experiment = score.experiment;
                lines.push(experiment.to_owned());
            }
            lines.push(line(score));
        }
        lines.push(String::new());
    }
    let heads = Basis::ALL.map(|basis| format!("{:>12}", basis.name())).concat();
    lines
        .push(format!("{:<6}{heads}{:>12}   independent: within a tenth, a factor of two", "", "unanswered"));
    for paper in &card.papers {
        let counts = paper.rows.map(|count| format!("{count:>12}")).concat();
        let (near, far, all) = (paper.within_a_tenth, paper.within_two, paper.rows[0]);
        lines.push(format!(
            "{:<6}{counts}{:>12}   {near} of {all}, {far} of {all}",
            paper.paper, paper.unanswered
        ));
    }
    if !card.not_run.is_empty() {
        lines.push(format!("no result yet: {}", card.not_run.join(", ")));
    }
    lines.join("\n")
}

/// A row: the two numbers, their ratio with its interval, and the basis of ours.
fn line(score: &Score) -> String {
    let interval =
        score.interval.map_or_else(String::new, |[least, most]| format!(" ({least:.3} to {most:.3})"));
    format!(
        "  {:<11} {:>11} {:>11} {:<9} ratio {:>8.3}{interval}  {}; {}; {} beside {}: {}",
        score.basis.name(),
        number(score.published),
        number(score.ours),
        score.unit,
        score.ratio,
        score.what,
        score.operation,
        score.series,
        score.beside,
        score.why,
    )
}

/// A number with up to five significant digits.
fn number(value: f64) -> String {
    if value != 0.0 && !(0.001..1e7).contains(&value.abs()) {
        return format!("{value:.3e}");
    }
    let whole = value.abs().max(1.0).log10() as usize + 1;
    format!("{value:.*}", 5usize.saturating_sub(whole))
}
