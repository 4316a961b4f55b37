//! Figure 3: nanoseconds per butterfly against the size of the transform, at 128, 256, 384 and 768 bits.
//!
//! The ASICs and GPU libraries of the figure are quoted with the ratios that the text states; its absolute times are
//! only drawn, except for those of the artifact's sample output.

use super::{kept, ntts, our_series};
use crate::LabError;
use crate::experiment::{Answer, Context, Outcome};
use crate::targets::Recipe;

pub(super) fn a(context: &Context<'_>) -> Result<Outcome, LabError> {
    run(context, "moma/fig3a", 128)
}

pub(super) fn b(context: &Context<'_>) -> Result<Outcome, LabError> {
    run(context, "moma/fig3b", 256)
}

pub(super) fn c(context: &Context<'_>) -> Result<Outcome, LabError> {
    run(context, "moma/fig3c", 384)
}

pub(super) fn d(context: &Context<'_>) -> Result<Outcome, LabError> {
    run(context, "moma/fig3d", 768)
}

fn run(context: &Context<'_>, id: &str, bits: u32) -> Result<Outcome, LabError> {
    let sizes: &[u32] = if context.quick { &[8] } else { &[8, 9, 10, 11, 12, 13, 14, 15, 16] };
    // Larger sizes take long on the host without new information; a device continues to the paper's sizes.
    let device: &[u32] = if context.quick { &[] } else { &[17, 18, 19, 20, 21, 22] };
    context.begin(id, sizes.len());
    let kept = kept(context, id)?;
    let rows =
        ntts::rows(context, kept.as_deref(), bits, sizes, device, &[Recipe::BARRETT, Recipe::MONTGOMERY])?;
    let mut answers = Vec::new();
    // Absolute times are stated only at 128 bits.
    for series in our_series(&rows).into_iter().filter(|_| bits == 128) {
        for row in rows.iter().filter(|row| row.series == series) {
            answers.extend(row.ours.map(|value| Answer {
                bits: row.bits,
                log2_n: row.log2_n,
                ..Answer::new("time per butterfly", series, value)
            }));
        }
    }
    Ok(Outcome { rows, answers })
}
