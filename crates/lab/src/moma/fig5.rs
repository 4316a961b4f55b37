//! Figure 5: the cost of width, and the choice of the multiplication algorithm, at 4096 points.

use super::{kept, ntts, our_series, our_targets, time};
use crate::LabError;
use crate::experiment::{Answer, Context, Outcome};
use crate::targets::{Recipe, series};

/// Figure 5a: from 64 to 1024 bits. Kernels of widths between the powers of two are pruned, not padded.
pub(super) fn a(context: &Context<'_>) -> Result<Outcome, LabError> {
    let widths: &[u32] = if context.quick {
        &[64, 128]
    } else {
        &[64, 128, 192, 256, 320, 384, 448, 512, 576, 640, 768, 1024]
    };
    let mut outcome = at_4096(context, "moma/fig5a", widths, &[Recipe::BARRETT, Recipe::MONTGOMERY])?;
    let doublings = [
        ("slowdown 64 to 128", 128),
        ("slowdown 128 to 256", 256),
        ("slowdown 256 to 512", 512),
        ("slowdown 512 to 1024", 1024),
    ];
    for name in our_series(&outcome.rows) {
        for (key, bits) in doublings {
            let [wide, narrow] = [bits, bits / 2].map(|bits| time(&outcome.rows, "ntt", name, bits));
            if let (Some(wide), Some(narrow)) = (wide, narrow) {
                let slowdown = Answer::new(key, name, wide / narrow);
                outcome.answers.push(Answer { bits: Some(bits), ..slowdown });
            }
        }
    }
    Ok(outcome)
}

/// Figure 5b: schoolbook against Karatsuba multiplication with one level.
pub(super) fn b(context: &Context<'_>) -> Result<Outcome, LabError> {
    let widths: &[u32] = if context.quick { &[128] } else { &[128, 256, 384, 768] };
    let mut outcome = at_4096(context, "moma/fig5b", widths, &[Recipe::BARRETT, Recipe::KARATSUBA])?;
    for target in our_targets(&outcome.rows) {
        let [schoolbook, karatsuba] =
            [Recipe::BARRETT, Recipe::KARATSUBA].map(|recipe| series(target, recipe));
        for bits in widths {
            let [plain, split] =
                [&schoolbook, &karatsuba].map(|name| time(&outcome.rows, "ntt", name, *bits));
            if let (Some(plain), Some(split)) = (plain, split) {
                let speedup = Answer::new("speedup of Karatsuba", target, plain / split);
                outcome.answers.push(Answer { bits: Some(*bits), ..speedup });
            }
        }
    }
    Ok(outcome)
}

fn at_4096(context: &Context<'_>, id: &str, widths: &[u32], recipes: &[Recipe]) -> Result<Outcome, LabError> {
    let log2_n = if context.quick { 8 } else { 12 };
    context.begin(id, widths.len());
    let kept = kept(context, id)?;
    let mut rows = Vec::new();
    for bits in widths {
        rows.extend(ntts::rows(context, kept.as_deref(), *bits, &[log2_n], &[], recipes)?);
    }
    Ok(Outcome { rows, answers: Vec::new() })
}
