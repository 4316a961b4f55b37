//! Division of a transform into passes of sub-NTTs.

/// Stages of the largest sub-NTT: 1,024 points fill a set of banks.
pub(super) const LARGEST: u32 = 10;
/// Stages of the smallest sub-NTT: 32 points.
pub(super) const SMALLEST: u32 = 5;

/// The number of stages of every pass of a transform of `2^log_n` points: as few passes as the banks allow, of sizes that
/// differ by at most one stage, the larger ones first. `None` below 2^5, where no passes of 5 to 10 stages add up.
pub fn split(log_n: u32) -> Option<Vec<u32>> {
    let passes = log_n.div_ceil(LARGEST).max(1);
    let pass = |k: u32| log_n / passes + u32::from(k < log_n % passes);
    let stages: Vec<u32> = (0..passes).map(pass).collect();
    stages.iter().all(|s| (SMALLEST..=LARGEST).contains(s)).then_some(stages)
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn passes_multiply_to_the_transform() {
        assert_eq!(split(4), None);
        for log_n in 5..=30 {
            let stages = split(log_n).unwrap();
            assert_eq!(stages.iter().sum::<u32>(), log_n);
            assert!(stages.iter().all(|s| (5..=10).contains(s)), "{stages:?}");
        }
        assert_eq!(split(20).unwrap(), [10, 10]);
        assert_eq!(split(11).unwrap(), [6, 5]);
        assert_eq!(split(24).unwrap(), [8, 8, 8]);
    }
}
