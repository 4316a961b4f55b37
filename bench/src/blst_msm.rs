//! blst's MSM without its threads, for which it has no safe function. The only file of the benches with `unsafe`.

#![allow(unsafe_code)]

/// The sum of multiples by scalars of 32 bytes each, lowest first; the highest bit is clear.
///
/// # Panics
/// If there are no points, or another number of scalars.
pub fn on_one_thread(points: &[blst::blst_p1_affine], scalars: &[u8]) -> blst::blst_p1 {
    assert!(!points.is_empty() && scalars.len() == 32 * points.len(), "a scalar a point");
    let points_then_end = [points.as_ptr(), std::ptr::null()];
    let scalars_then_end = [scalars.as_ptr(), std::ptr::null()];
    let mut sum = blst::blst_p1::default();
    // SAFETY: a pointer that is followed by null stands for as many consecutive points or scalars as the count says, and
    // both slices have them; 255 bits are within the 32 bytes of a scalar; the scratch has the bytes that blst asks for,
    // aligned for limbs.
    unsafe {
        let bytes = blst::blst_p1s_mult_pippenger_scratch_sizeof(points.len());
        let mut scratch = vec![0u64; bytes.div_ceil(8)];
        blst::blst_p1s_mult_pippenger(
            &mut sum,
            points_then_end.as_ptr(),
            points.len(),
            scalars_then_end.as_ptr(),
            255,
            scratch.as_mut_ptr(),
        );
    }
    sum
}
