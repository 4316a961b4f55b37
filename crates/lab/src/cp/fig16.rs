//! Figure 16: the layouts of 16 points stage by stage, observed on the running engine, and the multiplexers of the
//! connector.

use crate::LabError;
use crate::experiment::{Context, Outcome};
use crate::row::Labels;
use pairwright_chip::machine::poly::{self, BankRows, UNITS, network};
use pairwright_curve::bls12_381::Fr;

/// Row 0 of the eight banks as the figure prints it, before each stage and after the last.
const PRINTED: [[u32; 8]; 5] = [
    [0, 12, 1, 13, 2, 14, 3, 15],
    [0, 9, 2, 11, 4, 13, 6, 15],
    [0, 3, 4, 7, 8, 11, 12, 15],
    [0, 6, 8, 14, 1, 7, 9, 15],
    [0, 12, 1, 13, 2, 14, 3, 15],
];
const MOMENTS: [&str; 5] = [
    "before stage 0 of 16 points",
    "before stage 1 of 16 points",
    "before stage 2 of 16 points",
    "before stage 3 of 16 points",
    "after the last stage of 16 points",
];

/// The exclusive or of the indices in rows 0 and 1, if it is the same in all banks; the figure calls it the mode.
fn mode(rows: &BankRows) -> Option<u32> {
    let [first, second, ..] = rows.as_slice() else { return None };
    let mode = first[0] ^ second[0];
    first.iter().zip(second).all(|(a, b)| a ^ b == mode).then_some(mode)
}

pub(super) fn run(context: &Context<'_>) -> Result<Outcome, LabError> {
    let mut outcome = Outcome::default();
    context.begin("cp/fig16", 8);
    context.step("16 points");
    for ((rows, printed), moment) in poly::layouts::<Fr>(4)?.iter().zip(&PRINTED).zip(MOMENTS) {
        let same = rows[0].iter().zip(printed).filter(|(ours, theirs)| ours == theirs).count();
        let place = Labels {
            quantity: "banks whose index in row 0 is the printed one",
            operation: moment,
            unit: "banks",
        };
        let note = format!("row 0 on the engine: {:?}", rows[0]);
        outcome.model(&place, "engine", same as f64, &note);
        if let Some(mode) = mode(rows) {
            let note = "the exclusive or of the indices in rows 0 and 1, the same in every bank";
            outcome.answer("mode of the layout", moment, "engine", f64::from(mode), note);
        }
    }
    // The banks refuse a second access in a cycle, so a transform that completes had no conflict.
    for log_len in 5..=10 {
        context.step(&format!("{} points", 1 << log_len));
        let found = poly::layouts::<Fr>(log_len)?;
        let operation = format!("{} points", 1 << log_len);
        let place =
            Labels { quantity: "different layouts of a transform", operation: &operation, unit: "layouts" };
        let mut distinct: Vec<&BankRows> = Vec::new();
        for layout in &found {
            if !distinct.contains(&layout) {
                distinct.push(layout);
            }
        }
        let back =
            if found.first() == found.last() { "the last is the first" } else { "the last is another" };
        let note = format!("{} stages without two accesses to a bank in a cycle; {back}", found.len() - 1);
        outcome.model(&place, "engine", distinct.len() as f64, &note);
    }
    let mut say = |key, operation, value: u32, note| {
        outcome.answer(key, operation, "engine", f64::from(value), note);
    };
    let (ours, full) = (network::cost(), network::fully_connected());
    let counted = "counted from the layers that the engine's words pass";
    say("multiplexers", "2-to-1", ours.multiplexers, counted);
    say("multiplexers on a path", "2-to-1", ours.path, "of one side, banks to butterflies or back");
    let wide = "eight words on either side, each from any of eight";
    say("multiplexers", "8-to-1", full.multiplexers, wide);
    say("multiplexers on a path", "8-to-1", full.path, wide);
    say(
        "layers of the network",
        "all",
        (network::READ.len() + network::WRITE.len()) as u32,
        "two on either side",
    );
    say("butterflies of a group", "all", UNITS as u32, "");
    for (what, unit, values) in [
        ("the same in 2-to-1 multiplexers", "multiplexers", [ours.two_to_one(), full.two_to_one()]),
        (
            "the path in 2-to-1 multiplexers",
            "multiplexers on a path",
            [ours.two_to_one_path(), full.two_to_one_path()],
        ),
    ] {
        for (operation, value) in ["four layers", "fully connected"].into_iter().zip(values) {
            let place = Labels { quantity: what, operation, unit };
            outcome.model(&place, "engine", f64::from(value), "a tree of seven for eight inputs");
        }
    }
    Ok(outcome)
}
