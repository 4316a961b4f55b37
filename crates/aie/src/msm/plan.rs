//! The division of scalars into digits, one for each window.

use super::{Job, Machine, MsmError};
use pairwright_curve::bls12_377::Fr;
use pairwright_field::PrimeField;
use pairwright_field::limbs::{adc, bit_window, less_than, shr, sub};

/// A canonical scalar, the least significant limb first.
pub(super) type Limbs = [u64; 4];

/// The least and the greatest width of a window, in bits.
const WINDOW_BITS: [u32; 2] = [2, 24];

/// The division of scalars into windows, and of windows into passes.
///
/// The widths of the windows differ by at most one bit. With a narrow top window every point would go to one of a few
/// buckets, whose additions depend on each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct WindowPlan {
    /// Bits of the widest window.
    pub(super) bits: u32,
    pub(super) signed: bool,
    /// The number of windows.
    pub(super) windows: u32,
    /// Buckets of a window: the greatest magnitude of a digit.
    pub(super) buckets: u32,
    /// The number of windows of one pass.
    pub(super) lanes: u32,
    /// The sum of the widths of all windows, in bits.
    all: u32,
    /// For signed digits, half a window's range in every window but the top one.
    bias: Limbs,
}

/// A scalar prepared for [`WindowPlan::digit`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Recoded {
    limbs: Limbs,
    negative: bool,
}

impl WindowPlan {
    /// The windows and passes of a job.
    pub(super) fn new(machine: &Machine, job: &Job, bits: u32) -> Result<Self, MsmError> {
        let range = |name, value: u64, least: u64, most: u64| {
            let ok = (least..=most).contains(&value);
            ok.then_some(()).ok_or(MsmError::Parameter { name, value, least, most })
        };
        let [least, most] = WINDOW_BITS.map(u64::from);
        range("window_bits", bits.into(), least, most)?;
        range("points", job.points, 0, 1 << 28)?;
        range("queue", job.queue.into(), 0, 1 << 12)?;
        range("interleave", job.interleave.into(), 1, 1 << 12)?;
        range("buffer_points", job.buffer_points.into(), 4, 1 << 20)?;
        let mut plan = Self::of(bits, job.signed);
        // The memory must hold the buckets of at least one window.
        let room = machine.bucket_room / u64::from(plan.buckets);
        if room == 0 {
            let most = machine.bucket_room;
            return Err(MsmError::Parameter { name: "buckets", value: plan.buckets.into(), least: 1, most });
        }
        if let Some(lanes) = job.windows_per_pass {
            range("windows_per_pass", lanes.into(), 1, room)?;
        }
        let lanes = job.windows_per_pass.map_or(room, u64::from).min(plan.windows.into()) as u32;
        // The windows are divided evenly among the passes.
        plan.lanes = plan.windows.div_ceil(plan.windows.div_ceil(lanes));
        Ok(plan)
    }

    /// Windows of at most `bits` bits, all in one pass. Signed digits represent the scalar or its negative, whichever is
    /// smaller, so that the windows cover one bit less. The top window takes a carry and has no sign, so it may need more
    /// buckets than the others.
    fn of(bits: u32, signed: bool) -> Self {
        let (most, all) = if signed { (shr(&Fr::MODULUS, 1), Fr::BITS - 1) } else { (Fr::MODULUS, Fr::BITS) };
        let windows = all.div_ceil(bits);
        let bits = all.div_ceil(windows);
        let mut plan = Self { bits, signed, windows, buckets: 0, lanes: windows, all, bias: [0; 4] };
        let top = shr(&most, plan.start(windows - 1))[0] as u32;
        plan.buckets = if signed { (1 << (bits - 1)).max(top + 1) } else { (1 << bits) - 1 };
        if signed {
            for window in 1..windows {
                let at = plan.start(window) as usize - 1;
                plan.bias[at / 64] |= 1 << (at % 64);
            }
        }
        plan
    }

    /// The lowest bit of a window. Widths are as equal as possible.
    fn start(&self, window: u32) -> u32 {
        (window * self.all).div_ceil(self.windows)
    }

    /// The width of a window in bits.
    pub(super) fn width(&self, window: u32) -> u32 {
        self.start(window + 1) - self.start(window)
    }

    /// The number of passes over the points.
    pub(super) fn passes(&self) -> u32 {
        self.windows.div_ceil(self.lanes)
    }

    /// Prepares a canonical scalar: for signed digits, half a window's range is added in every window but the top one,
    /// after which each digit depends only on its own window.
    pub(super) fn recode(&self, scalar: &Limbs) -> Recoded {
        if !self.signed {
            return Recoded { limbs: *scalar, negative: false };
        }
        let other = sub(&Fr::MODULUS, scalar);
        let negative = less_than(&other, scalar);
        let mut limbs = if negative { other } else { *scalar };
        let mut carry = 0;
        for (limb, bias) in limbs.iter_mut().zip(self.bias) {
            *limb = adc(*limb, bias, &mut carry);
        }
        Recoded { limbs, negative }
    }

    /// The digit of a window: `scalar = Σ digit(i)·2^start(i)`.
    pub(super) fn digit(&self, scalar: &Recoded, window: u32) -> i32 {
        let (start, top) = (self.start(window) as usize, window + 1 == self.windows);
        let width = self.width(window);
        // The top digit may include a carry above its bits.
        let digit = bit_window(&scalar.limbs, start, (width + u32::from(top)) as usize) as i32;
        let digit = if self.signed && !top { digit - (1 << (width - 1)) } else { digit };
        if scalar.negative { -digit } else { digit }
    }
}

/// Pseudo-random scalars, uniform below r, for runs without points; the field is the seed.
#[derive(Clone, Copy, Debug)]
pub(super) struct UniformScalars(pub(super) u64);

impl UniformScalars {
    /// The scalar with this index, a function of the seed and the index.
    pub(super) fn scalar(&self, index: u64) -> Limbs {
        // The mixing function of Steele, Lea, Flood 2014 over a sequence with an odd increment.
        let mut state = self.0 ^ index.wrapping_mul(0xd1b5_4a32_d192_ed03);
        let mut next = || {
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            z ^ (z >> 31)
        };
        loop {
            let mut limbs = [next(), next(), next(), next()];
            limbs[3] >>= 256 - Fr::BITS;
            if less_than(&limbs, &Fr::MODULUS) {
                return limbs;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pairwright_field::Field;

    #[test]
    fn digits_are_their_scalar() {
        let mut scalars: Vec<Limbs> =
            [Fr::ZERO, Fr::ONE, -Fr::ONE, Fr::from(2).invert().unwrap()].map(|s| s.to_limbs()).into();
        scalars.push((Fr::from(2).invert().unwrap() - Fr::ONE).to_limbs());
        scalars.extend((0..40).map(|i| UniformScalars(7).scalar(i)));
        for bits in WINDOW_BITS[0]..=WINDOW_BITS[1] {
            for signed in [false, true] {
                let plan = WindowPlan::of(bits, signed);
                assert!(plan.bits <= bits && (0..plan.windows).all(|w| plan.bits - plan.width(w) <= 1));
                for scalar in &scalars {
                    let recoded = plan.recode(scalar);
                    let value = (0..plan.windows).rev().fold(Fr::ZERO, |sum, window| {
                        let digit = plan.digit(&recoded, window);
                        assert!(digit.unsigned_abs() <= plan.buckets && (signed || digit >= 0));
                        let size = Fr::from(u64::from(digit.unsigned_abs()));
                        let base = Fr::from(1 << plan.width(window));
                        sum * base + if digit < 0 { -size } else { size }
                    });
                    assert_eq!(value, Fr::from_limbs(*scalar).unwrap(), "{bits} {signed}");
                }
            }
        }
        assert_ne!(UniformScalars(7).scalar(0), UniformScalars(8).scalar(0));
    }
}
