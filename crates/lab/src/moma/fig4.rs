//! Figure 4: transforms of 2^16 points across widths, compared with GMP.

use super::{kept, ntts, our_series};
use crate::LabError;
use crate::experiment::{Answer, Context, Outcome};
use crate::targets::Recipe;

pub(super) fn run(context: &Context<'_>) -> Result<Outcome, LabError> {
    let widths: &[u32] = if context.quick { &[128, 384] } else { &[128, 256, 384, 512, 640, 768, 896, 1024] };
    let log2_n = if context.quick { 8 } else { 16 };
    context.begin("moma/fig4", widths.len());
    let kept = kept(context, "moma/fig4")?;
    let mut rows = Vec::new();
    for bits in widths {
        rows.extend(ntts::rows(
            context,
            kept.as_deref(),
            *bits,
            &[log2_n],
            &[],
            &[Recipe::BARRETT, Recipe::MONTGOMERY],
        )?);
    }
    let answer = |series: &str| {
        let row = rows.iter().find(|row| row.series == series && row.bits == Some(128))?;
        let answer = Answer::new("time per butterfly", series, row.ours?);
        Some(Answer { bits: row.bits, log2_n: row.log2_n, ..answer })
    };
    // The size of a quick run differs from the paper's.
    let ours = our_series(&rows).into_iter().filter(|_| !context.quick);
    let answers = ours.filter_map(answer).collect();
    Ok(Outcome { rows, answers })
}
