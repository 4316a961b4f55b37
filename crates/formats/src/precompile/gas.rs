//! The gas costs of calls: the tables of EIP-2537 and EIP-1108.

use super::Precompile;
use crate::sizes::widen;

/// Discount factors of EIP-2537 for multi-scalar multiplications in G1, in thousandths, for 1 to 128 pairs; the last one
/// applies to more pairs too.
#[rustfmt::skip]
const G1_DISCOUNTS: [u64; 128] = [
    1000, 949, 848, 797, 764, 750, 738, 728, 719, 712, 705, 698, 692, 687, 682, 677,
    673, 669, 665, 661, 658, 654, 651, 648, 645, 642, 640, 637, 635, 632, 630, 627,
    625, 623, 621, 619, 617, 615, 613, 611, 609, 608, 606, 604, 603, 601, 599, 598,
    596, 595, 593, 592, 591, 589, 588, 586, 585, 584, 582, 581, 580, 579, 577, 576,
    575, 574, 573, 572, 570, 569, 568, 567, 566, 565, 564, 563, 562, 561, 560, 559,
    558, 557, 556, 555, 554, 553, 552, 551, 550, 549, 548, 547, 547, 546, 545, 544,
    543, 542, 541, 540, 540, 539, 538, 537, 536, 536, 535, 534, 533, 532, 532, 531,
    530, 529, 528, 528, 527, 526, 525, 525, 524, 523, 522, 522, 521, 520, 520, 519,
];

/// Discount factors of EIP-2537 for multi-scalar multiplications in G2, in thousandths, for 1 to 128 pairs; the last one
/// applies to more pairs too.
#[rustfmt::skip]
const G2_DISCOUNTS: [u64; 128] = [
    1000, 1000, 923, 884, 855, 832, 812, 796, 782, 770, 759, 749, 740, 732, 724, 717,
    711, 704, 699, 693, 688, 683, 679, 674, 670, 666, 663, 659, 655, 652, 649, 646,
    643, 640, 637, 634, 632, 629, 627, 624, 622, 620, 618, 615, 613, 611, 609, 607,
    606, 604, 602, 600, 598, 597, 595, 593, 592, 590, 589, 587, 586, 584, 583, 582,
    580, 579, 578, 576, 575, 574, 573, 571, 570, 569, 568, 567, 566, 565, 563, 562,
    561, 560, 559, 558, 557, 556, 555, 554, 553, 552, 552, 551, 550, 549, 548, 547,
    546, 545, 545, 544, 543, 542, 541, 541, 540, 539, 538, 537, 537, 536, 535, 535,
    534, 533, 532, 532, 531, 530, 530, 529, 528, 528, 527, 526, 526, 525, 524, 524,
];

impl Precompile {
    /// The gas of a call with `input` bytes of input, valid or not (EIP-2537, "Gas schedule clarifications"; EIP-1108). An
    /// incomplete pair is not counted.
    pub fn gas(self, input: usize) -> u64 {
        match self {
            Self::G1Add => 375,
            Self::G1Msm => of_sum(pairs(input, 160), 12_000, &G1_DISCOUNTS),
            Self::G2Add => 600,
            Self::G2Msm => of_sum(pairs(input, 288), 22_500, &G2_DISCOUNTS),
            Self::PairingCheck => of_pairings(pairs(input, 384), 32_600, 37_700),
            Self::MapFpToG1 => 5_500,
            Self::MapFp2ToG2 => 23_800,
            Self::Bn254Add => 150,
            Self::Bn254Mul => 6_000,
            Self::Bn254Pairing => of_pairings(pairs(input, 192), 34_000, 45_000),
        }
    }
}

/// Number of complete pairs in an input.
fn pairs(input: usize, pair: usize) -> u64 {
    widen(input.checked_div(pair).unwrap_or_default())
}

fn of_sum(pairs: u64, multiplication: u64, discounts: &[u64; 128]) -> u64 {
    let [.., last] = discounts;
    let index = usize::try_from(pairs.saturating_sub(1)).unwrap_or(usize::MAX);
    let discount = discounts.get(index).unwrap_or(last);
    pairs.saturating_mul(multiplication).saturating_mul(*discount) / 1000
}

fn of_pairings(pairs: u64, each: u64, fixed: u64) -> u64 {
    pairs.saturating_mul(each).saturating_add(fixed)
}
