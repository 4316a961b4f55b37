// Signed digits of scalars, which are integers in 32-bit words, the lowest first: a digit of `width` bits lies between
// -2^(width-1) and 2^(width-1). The windows reach at least one bit beyond the scalars, so that no carry is left.

// `width` bits from bit `at` on; zeros beyond the last word.
__device__ __forceinline__ uint32_t pw_bits(
    const PW_GLOBAL uint32_t *scalar, uint32_t words, uint32_t at, uint32_t width) {
    uint32_t i = at / 32, low = i < words ? scalar[i] : 0, high = i + 1 < words ? scalar[i + 1] : 0;
    return __funnelshift_r(low, high, at % 32) & ((1u << width) - 1);
}

// The absolute value of the digit of window `w`; the windows before have left `carry`, and afterwards it says whether the
// digit is negative.
__device__ __forceinline__ uint32_t pw_digit(
    const PW_GLOBAL uint32_t *scalar, uint32_t words, uint32_t width, uint32_t w, uint32_t *carry) {
    const uint32_t half = 1u << (width - 1), raw = pw_bits(scalar, words, w * width, width) + *carry;
    *carry = raw > half;
    return *carry ? 2 * half - raw : raw;
}
