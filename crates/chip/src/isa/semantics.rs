//! The semantics of L2 operations, defined once over every interpretation of Fp2, and of the control flow of L1.
//!
//! Applied to field elements, an operation gives its result; applied to symbols of the compiler, it records a node of a
//! graph. The interpreter of words, the evaluation of graphs, the compiler's trace and the arithmetic unit all use these
//! definitions. The multiplier and the inverter of the cycle model compute on digits instead, and are compared with them.
//! [`LoopCounters`] determines the next L1 instruction for the sender, the processor and the interpreters.

use super::inst::{L1, L2Op, LoopReg};
use pairwright_curve::bls12_381::U;
use pairwright_field::{PrimeField, Quad, Ring};

/// The operations of the processor in Fp2: those of a ring, conjugation, multiplication by ξ = 1 + u, and inversion in Fp.
pub trait Fp2: Ring {
    /// `a0 - a1·u`.
    fn conj(self) -> Self;
    /// `(1 + u)·a`.
    fn mul_xi(self) -> Self;
    /// `1/a0`, zero for zero; the coefficient of `u` is ignored.
    fn inv_fp(self) -> Self;
}

impl<F: PrimeField> Fp2 for Quad<F, U> {
    fn conj(self) -> Self {
        self.conjugate()
    }
    fn mul_xi(self) -> Self {
        Self::new(self.c0 - self.c1, self.c0 + self.c1)
    }
    fn inv_fp(self) -> Self {
        Self::new(self.c0.invert().unwrap_or(F::ZERO), F::ZERO)
    }
}

impl L2Op {
    /// The result of the operation. Operations of one operand do not read `b`; a no-operation returns `a`.
    pub fn apply<R: Fp2>(self, a: R, b: R) -> R {
        match self {
            Self::Mm => a * b,
            Self::Add => a + b,
            Self::Sub => a - b,
            Self::Inv => a.inv_fp(),
            Self::MulXi => a.mul_xi(),
            Self::Conj => a.conj(),
            Self::Neg => -a,
            Self::Vld | Self::Nop => a,
        }
    }
}

/// The loop counters of an L1 program, one each for `_i`, `_j` and `_k`.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct LoopCounters(pub [u32; 3]);

impl LoopCounters {
    /// The address of the instruction after the one at `pc`; `None` after `finish`. `bit` takes the next bit of a scan
    /// register. A loop's counter returns to zero after the last execution of the body, and when the loop is abandoned.
    /// # Errors
    /// Those of `bit`.
    pub fn next<E>(
        &mut self,
        pc: usize,
        instruction: &L1,
        bit: impl FnOnce(LoopReg) -> Result<bool, E>,
    ) -> Result<Option<usize>, E> {
        let target = match *instruction {
            L1::Finish => return Ok(None),
            L1::Jump { reg, addr } => {
                self.0[reg as usize] = 0;
                Some(addr)
            }
            L1::Scan { reg, addr } => (!bit(reg)?).then_some(addr),
            L1::Loop { reg, addr, count } => {
                let counter = &mut self.0[reg as usize];
                *counter = if *counter + 1 < count { *counter + 1 } else { 0 };
                (*counter > 0).then_some(addr)
            }
            _ => None,
        };
        Ok(Some(target.map_or(pc + 1, usize::from)))
    }
}
