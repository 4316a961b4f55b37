//! Functions of blst without a safe interface: its MSM on a single thread, and hashes to G2 without a signature. This is the only file
//! of the benches with `unsafe`.

#![allow(unsafe_code)]

/// The multi-scalar multiplication of points with scalars of 32 bytes each, little-endian, whose highest bit must be clear.
///
/// # Panics
/// If there are no points, or the number of scalars differs.
pub fn msm_on_one_thread(points: &[blst::blst_p1_affine], scalars: &[u8]) -> blst::blst_p1 {
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

/// Hashes a message to a point of G2 under a domain separation tag.
pub fn hash_to_g2(message: &[u8], tag: &[u8]) -> blst::blst_p2_affine {
    let (mut point, mut affine) = (blst::blst_p2::default(), blst::blst_p2_affine::default());
    // SAFETY: the pointers are those of values and slices, with their lengths; there is no augmentation.
    unsafe {
        let none = std::ptr::null();
        blst::blst_hash_to_g2(&mut point, message.as_ptr(), message.len(), tag.as_ptr(), tag.len(), none, 0);
        blst::blst_p2_to_affine(&mut affine, &point);
    }
    affine
}
