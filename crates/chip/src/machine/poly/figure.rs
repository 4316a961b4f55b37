//! The layouts of Fig. 16, observed on the running engine.

use super::map::{self, BANKS, Cell};
use super::{Bank, PolyError, PolyOp, PolySpec, twiddle};
use crate::isa::Transform;
use pairwright_field::PrimeField;

/// The vector indices that the banks of a set hold, one row after the other.
pub type BankRows = Vec<[u32; BANKS as usize]>;

/// The contents of the banks before the first stage of an NTT of `2^log_len` points and after every stage. A transform of
/// arbitrary words is run stage by stage; after each, every word in the banks is looked up in the vector that the textbook's
/// loop over indices has at that stage. The layouts are thus observed, not computed from the map.
///
/// # Errors
/// A length that the banks or the field do not have, or a word that the textbook's vector does not contain, which would be a
/// bug of the engine.
pub fn layouts<F: PrimeField>(log_len: u32) -> Result<Vec<BankRows>, PolyError> {
    let root = F::root_of_unity(log_len).ok_or(PolyError::Length { log_len })?;
    let mut engine = PolyOp::<F>::new(&PolySpec::paper())?;
    for (word, twiddle) in (0..).zip(twiddle::table(Transform::Ntt, log_len, root, F::ONE)?) {
        engine.poke(Bank::C, 0, twiddle::word(word), twiddle)?;
    }
    // Words that are distinct and stay distinct: powers of an element of large order.
    let mut vector: Vec<F> = Vec::with_capacity(1 << log_len);
    for index in 0..1u32 << log_len {
        let word = F::NON_RESIDUE.pow_vartime(&[u64::from(index) + 1000]);
        engine.poke(Bank::A, 0, map::cell(log_len, 0, index), word)?;
        vector.push(word);
    }
    let mut found = vec![look_up(&engine, log_len, &vector)?];
    for stage in 0..log_len {
        engine.stages(0, 0..1, Transform::Ntt, log_len, stage..stage + 1)?;
        textbook(root, log_len, stage, &mut vector);
        found.push(look_up(&engine, log_len, &vector)?);
    }
    Ok(found)
}

/// One stage of Algorithm 2 with its loops over indices.
fn textbook<F: PrimeField>(root: F, log_len: u32, stage: u32, vector: &mut [F]) {
    let half = 1 << stage;
    let step = root.pow_vartime(&[1 << (log_len - 1 - stage)]);
    for block in vector.chunks_exact_mut(2 * half) {
        let (low, high) = block.split_at_mut(half);
        let mut twiddle = F::ONE;
        for (u, v) in low.iter_mut().zip(high) {
            (*u, *v) = (*u + twiddle * *v, *u - twiddle * *v);
            twiddle *= step;
        }
    }
}

fn look_up<F: PrimeField>(engine: &PolyOp<F>, log_len: u32, vector: &[F]) -> Result<BankRows, PolyError> {
    let memory = engine.holder(0, 0, log_len)?;
    let mut rows = BankRows::new();
    for row in 0..map::rounds(log_len) {
        let mut indices = [0; BANKS as usize];
        for (bank, index) in (0u32..).zip(&mut indices) {
            let word = engine.peek(memory, 0, Cell { bank, row });
            let at = vector.iter().position(|v| Some(*v) == word);
            *index = at.ok_or(PolyError::Cell { memory, bank, row })? as u32;
        }
        rows.push(indices);
    }
    Ok(rows)
}
