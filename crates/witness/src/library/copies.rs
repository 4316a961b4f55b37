//! Merges runs of copies. circom fills an array of constants with a copy for each element, which is most of the code of hash
//! functions; a run of such copies becomes one call of a function with a loop.

use super::instruction::{Instruction, locals};
use super::writer::{Local, Word, Writer};
use crate::bytes::Bytes;

/// Size in bytes of one of circom's numbers.
const NUMBER: i64 = 40;
/// Smallest number of copies that are merged.
const RUN: usize = 4;

/// A copy of one number to a slot of the current frame, as circom writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Copy {
    /// Index of the target in the frame, whose address is in the local `frame`.
    to: i64,
    frame: i64,
    from: i64,
}

impl Copy {
    /// Recognises `to * 40 + frame`, `from`, and a call of `copy`.
    fn read(code: &mut Bytes<'_>, copy: usize) -> Option<Self> {
        use Instruction::{Call, I32, Index, Plain};
        let mut next = || Instruction::read(code);
        let I32(to) = next()? else { return None };
        if next()? != I32(NUMBER) || next()? != Plain(0x6c) {
            return None;
        }
        let Index(0x20, frame) = next()? else { return None };
        if next()? != Plain(0x6a) {
            return None;
        }
        let I32(from) = next()? else { return None };
        (next()? == Call(copy)).then_some(Self { to, frame, from })
    }
}

/// The body of the function that performs a run of copies. Its parameters are the address of the first target, the address of
/// the first source, the distance in bytes from one source to the next, and the number of copies, which is at least one. It
/// copies word by word in the order of circom's copies, so that targets and sources may overlap.
pub(super) fn run() -> Vec<u8> {
    let [to, from, step, count] = [0, 1, 2, 3].map(Local);
    let mut writer = Writer::new(0);
    writer.again(count, |w| {
        for offset in [0, 8, 16, 24, 32] {
            w.store(to, offset, Word::At(from, offset));
        }
        w.add_short(to, |w| w.short_constant(NUMBER)).add_short(from, |w| w.get(step));
    });
    writer.end()
}

/// Replaces the runs of copies in a body by calls of `run`; `None` if there are none. `copy` and `run` are function indices.
pub(super) fn gathered(body: Bytes<'_>, copy: usize, run: usize) -> Option<Vec<u8>> {
    let mut code = body;
    locals(&mut code, |_, _| {})?;
    // The bytes of the body that are not written yet.
    let mut pending = body.0;
    let mut written: Option<Vec<u8>> = None;
    while !code.0.is_empty() {
        let mut after = code;
        // Most instructions do not begin a copy.
        let constant = code.0.first() == Some(&0x41);
        let Some(first) = constant.then(|| Copy::read(&mut after, copy)).flatten() else {
            Instruction::read(&mut code)?;
            continue;
        };
        let (mut count, mut last, mut step) = (1usize, first, None);
        let mut ahead = after;
        while let Some(next) = Copy::read(&mut ahead, copy) {
            let stride = next.from.checked_sub(last.from)?;
            if next.frame != first.frame
                || last.to.checked_add(1) != Some(next.to)
                || step.is_some_and(|step| step != stride)
            {
                break;
            }
            (count, last, step, after) = (count.saturating_add(1), next, Some(stride), ahead);
        }
        if let Some(step) = step.filter(|_| count >= RUN) {
            let written = written.get_or_insert_default();
            written.extend_from_slice(pending.get(..pending.len().checked_sub(code.0.len())?)?);
            let mut writer = Writer::after(&[]);
            // The product wraps at 32 bits, like circom's.
            writer
                .short_constant(i64::from(i32::try_from(first.to).ok()?.wrapping_mul(40)))
                .get(Local(u8::try_from(first.frame).ok()?))
                .add_shorts();
            let step = i64::from(i32::try_from(step).ok()?);
            writer.short_constant(first.from).short_constant(step);
            writer.short_constant(i64::try_from(count).ok()?);
            writer.call(run);
            written.extend(writer.unended());
            pending = after.0;
            code = after;
        } else {
            let _ = Copy::read(&mut code, copy)?;
        }
    }
    let mut written = written?;
    written.extend_from_slice(pending);
    Some(written)
}
