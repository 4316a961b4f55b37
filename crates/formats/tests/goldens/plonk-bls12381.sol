// SPDX-License-Identifier: MIT OR Apache-2.0
// Written by Pairwright from a verification key. Write it again when the key changes.
pragma solidity ^0.8.13;

/// @title Verifier of Plonk proofs on BLS12-381 for one circuit
/// @notice With Z(xi) = xi^n - 1, L1 the first Lagrange polynomial of the domain and PI(xi) = -(x[0] * L1(xi) + ...), a proof is
/// accepted when e(Wxi + u * Wxiw, X_2) = e(xi * Wxi + u * xi * w * Wxiw + F - E * G1, G2), where
///   F = ab * Qm + a * Ql + b * Qr + c * Qo + Qc + v^4 * S1 + v^5 * S2 - sigmas * beta * S3 + v * A + v^2 * B + v^3 * C
///       + (cells * alpha + L1(xi) * alpha^2 + u) * Z - Z(xi) * (T1 + xi^n * T2 + xi^2n * T3)
///   E = v * a + v^2 * b + v^3 * c + v^4 * s1 + v^5 * s2 + u * zw - (PI(xi) - L1(xi) * alpha^2 - sigmas * (c + gamma))
///   sigmas = (a + beta * s1 + gamma) * (b + beta * s2 + gamma) * alpha * zw
///   cells = (a + beta * xi + gamma) * (b + beta * k1 * xi + gamma) * (c + beta * k2 * xi + gamma)
/// The precompiles of EIP-2537 compute sums, multiples and pairings; a chain without them accepts no proof. That of multiples,
/// which every point of the proof goes through, refuses coordinates that are not below q, points off the curve and points
/// outside of the subgroup of order r, whatever the factor is that a point is multiplied by.
contract PlonkVerifier {
    // Order of the groups.
    uint256 constant R = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001;

    // The domain has n = 2^POWER points, which are the powers of w.
    uint256 constant POWER = 3;
    uint256 constant N = 8;
    uint256 constant W = 28761180743467419819834788392525162889723178799021384024940474588120723734663;
    uint256 constant K1 = 2;
    uint256 constant K2 = 3;

    // Commitments of the verification key. A coordinate is HIGH * 2^256 + LOW. Of an element of Fq2, the coefficient 1 is that
    // of u.
    uint256 constant QM_X_HIGH = 0x0fa58170ee57557df2883a84a7aaa3b9;
    uint256 constant QM_X_LOW = 0x1a5f066a6e1d3bb5341c5941ad6a1a278efeac8c0ac9239c24675f33aa39c88e;
    uint256 constant QM_Y_HIGH = 0x04c126a5cf6ecbb612ab2ca577bd86c8;
    uint256 constant QM_Y_LOW = 0xf85d5704117b7a2c2cfd7b1e6c0eb4859508bd8c6e3d03a139ce7a4c5e2ead35;
    uint256 constant QL_X_HIGH = 0x0cb27cbe280585699ac9fab15f153307;
    uint256 constant QL_X_LOW = 0xe5d7c22b123ddbeae3d8e06d2aff3986b458686ce04a0bca1f82eaefc0933e24;
    uint256 constant QL_Y_HIGH = 0x15f340edfe35205b55889017342c8483;
    uint256 constant QL_Y_LOW = 0x92a217eae06cb53c02d2e5beece30df70cc40a25097a77fb5135a8226c144e95;
    uint256 constant QR_X_HIGH = 0x0e45e973bad844613fdf59bf6e232f87;
    uint256 constant QR_X_LOW = 0x95cd4735675725cc1d12589adfb48c3c71e2efc6dd518a5f8ec3b6c78b96fad4;
    uint256 constant QR_Y_HIGH = 0x03a0491217645c423c7d59a8e57a44c8;
    uint256 constant QR_Y_LOW = 0x04430b59a1069f863f5445571a6b1bc7ff819d585419c9cc13ba8a34f03918c5;
    uint256 constant QO_X_HIGH = 0x0b588ab36496f29430788226de6566f2;
    uint256 constant QO_X_LOW = 0xb02336676639d3396a075c7417cec5edfd1c0e318f8c964a71214feca4f6bf0a;
    uint256 constant QO_Y_HIGH = 0x159155c778f2102ff7af0e93462dfeea;
    uint256 constant QO_Y_LOW = 0x7b058ea2474a92235427a691e3a2869c822ee26fafc0e30774c12ce5f2f3e5cd;
    uint256 constant QC_X_HIGH = 0x1661fee3fc4996e65b3f09e8f50bfa79;
    uint256 constant QC_X_LOW = 0x68a72dcaf0f5696b31870bcbf25f606130419fee70145c7bafdfd10ac929bc3e;
    uint256 constant QC_Y_HIGH = 0x0fc29e9227c416db35d4ca691111f85d;
    uint256 constant QC_Y_LOW = 0xea732acbaed3bbd450a187cb86f2d4d6632f850eec9452625d1ea302e4d38a9f;
    uint256 constant S1_X_HIGH = 0x0c1050354f4b6ba212c6926d2b210d48;
    uint256 constant S1_X_LOW = 0x863353927a990b5e41dc7824b36d0585a95a7de6ee6c0906b6805195828d603b;
    uint256 constant S1_Y_HIGH = 0x069a9a90e58082ccef6a9147c4ba0193;
    uint256 constant S1_Y_LOW = 0x80deb068e605967c447a1ee3c10417bbaa32bacf313d3dc445484e261beb5ec8;
    uint256 constant S2_X_HIGH = 0x02edb0afe4fe8b8f499d76bbc1151cbc;
    uint256 constant S2_X_LOW = 0x8a9a8200f635e7bd41f4279b5c09a4c2c59aecd10f1c7b8d5f9c5dcf2999c549;
    uint256 constant S2_Y_HIGH = 0x04d5af1209f0da2da33249deec9100b6;
    uint256 constant S2_Y_LOW = 0x7b6737aa49bf56df729659979a05b162452b65cfaa4d78f4733ba99e1fab4951;
    uint256 constant S3_X_HIGH = 0x16def48d01a9110ef3ce04aa7590aa14;
    uint256 constant S3_X_LOW = 0xc8e04225d7593e9d264293df2e912198812845d2217bfe9b0d4e161d70854852;
    uint256 constant S3_Y_HIGH = 0x12333f8c2d1493fae63d6a4391736b6d;
    uint256 constant S3_Y_LOW = 0xb9452d0b20d8d4da203ed3e279860e88e56234673e360fcc6e945ab64e1106cb;
    uint256 constant X_2_X0_HIGH = 0x06445c2d3dacdc66002fbec1ae964506;
    uint256 constant X_2_X0_LOW = 0x9abc60a1472cbaabd95232c4f0fd52b2e978a393bc1ea99c1d40c512ccded4de;
    uint256 constant X_2_X1_HIGH = 0x1945f1b0a8737c763e7cfba8326f5203;
    uint256 constant X_2_X1_LOW = 0x8f1321961fa80a0d43c700edce0e3281bfe746fd8b8fd2080fce1958056c64db;
    uint256 constant X_2_Y0_HIGH = 0x0a95f3b9f76ed8767f58c82a707094c9;
    uint256 constant X_2_Y0_LOW = 0xb3ba0c87266b6a07ee43b6d948d3d92538fad907632433bbada81e2fc73694b2;
    uint256 constant X_2_Y1_HIGH = 0x139cabf8ab5e24ca2cde9163bd3f6e1a;
    uint256 constant X_2_Y1_LOW = 0x7d1948e2fefcb0e7464acf26d682794e8919e3c7400907d2ae933da6bd5beeb0;
    uint256 constant MINUS_G2_X0_HIGH = 0x024aa2b2f08f0a91260805272dc51051;
    uint256 constant MINUS_G2_X0_LOW = 0xc6e47ad4fa403b02b4510b647ae3d1770bac0326a805bbefd48056c8c121bdb8;
    uint256 constant MINUS_G2_X1_HIGH = 0x13e02b6052719f607dacd3a088274f65;
    uint256 constant MINUS_G2_X1_LOW = 0x596bd0d09920b61ab5da61bbdc7f5049334cf11213945d57e5ac7d055d042b7e;
    uint256 constant MINUS_G2_Y0_HIGH = 0x0d1b3cc2c7027888be51d9ef691d77bc;
    uint256 constant MINUS_G2_Y0_LOW = 0xb679afda66c73f17f9ee3837a55024f78c71363275a75d75d86bab79f74782aa;
    uint256 constant MINUS_G2_Y1_HIGH = 0x13fa4d4a0ad8b1ce186ed5061789213d;
    uint256 constant MINUS_G2_Y1_LOW = 0x993923066dddaf1040bc3ff59f825c78df74f2d75467e25e0f55f8a00fa030ed;
    uint256 constant G1_X_HIGH = 0x17f1d3a73197d7942695638c4fa9ac0f;
    uint256 constant G1_X_LOW = 0xc3688c4f9774b905a14e3a3f171bac586c55e83ff97a1aeffb3af00adb22c6bb;
    uint256 constant G1_Y_HIGH = 0x08b3f481e3aaa0f1a09e30ed741d8ae4;
    uint256 constant G1_Y_LOW = 0xfcf5e095d5d00af600db18cb2c04b3edd03cc744a2888ae40caa232946c5e7e1;

    // Where numbers stand in memory, from the first free byte on. The input of every hash stands in one piece: a challenge,
    // then what of the proof the next challenge depends on. In hashes a coordinate has 48 bytes.
    uint256 constant BETA = 0;
    uint256 constant GAMMA = 32;
    uint256 constant POINT_Z = 64;
    uint256 constant ALPHA = 160;
    uint256 constant POINTS_T = 192;
    uint256 constant XI = 480;
    uint256 constant EVALUATIONS = 512;
    uint256 constant EVAL_A = 512;
    uint256 constant EVAL_B = 544;
    uint256 constant EVAL_C = 576;
    uint256 constant EVAL_S1 = 608;
    uint256 constant EVAL_S2 = 640;
    uint256 constant EVAL_ZW = 672;
    uint256 constant V = 704;
    uint256 constant U = 736;
    // xi^n, xi^n - 1, L1(xi) * alpha^2, PI(xi)
    uint256 constant XI_N = 768;
    uint256 constant VANISHING = 800;
    uint256 constant FIRST = 832;
    uint256 constant PI = 864;
    // What is needed for a while: hash inputs, then Lagrange polynomials, then the input of the pairing and before it of the
    // multiples.
    uint256 constant SCRATCH = 896;
    uint256 constant TERMS = 1664;

    /// @notice Whether the proof is right for the public values. The proof is A, B, C, Z, T1, T2, T3, Wxi and Wxiw, encoded as in
    ///   EIP-2537 as (x, y) with two words for a coordinate, the higher one first; and the values a, b, c, s1, s2 and zw. Numbers
    ///   that are not reduced and points that are not in the subgroup give false.
    function verifyProof(uint256[42] calldata proof, uint256[1] calldata publicValues)
        public
        view
        returns (bool accepted)
    {
        assembly ("memory-safe") {
            // Writes the coordinates of a point of the key for a hash.
            function hashed(at, xHigh, xLow, yHigh, yLow) {
                mstore(at, shl(128, xHigh))
                mstore(add(at, 16), xLow)
                mstore(add(at, 48), shl(128, yHigh))
                mstore(add(at, 64), yLow)
            }

            // Writes the coordinates of `count` points of the proof for a hash.
            function hashedOf(at, point, count) {
                for { let end := add(at, mul(count, 96)) } lt(at, end) { at := add(at, 48) } {
                    calldatacopy(at, add(point, 16), 48)
                    point := add(point, 64)
                }
            }

            // Writes a point and its factor for the precompile of multiples.
            function term(at, xHigh, xLow, yHigh, yLow, factor) -> next {
                mstore(at, xHigh)
                mstore(add(at, 32), xLow)
                mstore(add(at, 64), yHigh)
                mstore(add(at, 96), yLow)
                mstore(add(at, 128), factor)
                next := add(at, 160)
            }

            // The same for a point of the proof.
            function termOf(at, point, factor) -> next {
                calldatacopy(at, point, 128)
                mstore(add(at, 128), factor)
                next := add(at, 160)
            }

            // Puts the challenges, and the words of the proof that they depend on, into memory.
            function challenges(m, proof_, values_) {
                let at := add(m, SCRATCH)
                hashed(at, QM_X_HIGH, QM_X_LOW, QM_Y_HIGH, QM_Y_LOW)
                hashed(add(at, 96), QL_X_HIGH, QL_X_LOW, QL_Y_HIGH, QL_Y_LOW)
                hashed(add(at, 192), QR_X_HIGH, QR_X_LOW, QR_Y_HIGH, QR_Y_LOW)
                hashed(add(at, 288), QO_X_HIGH, QO_X_LOW, QO_Y_HIGH, QO_Y_LOW)
                hashed(add(at, 384), QC_X_HIGH, QC_X_LOW, QC_Y_HIGH, QC_Y_LOW)
                hashed(add(at, 480), S1_X_HIGH, S1_X_LOW, S1_Y_HIGH, S1_Y_LOW)
                hashed(add(at, 576), S2_X_HIGH, S2_X_LOW, S2_Y_HIGH, S2_Y_LOW)
                hashed(add(at, 672), S3_X_HIGH, S3_X_LOW, S3_Y_HIGH, S3_Y_LOW)
                calldatacopy(add(at, 768), values_, 32)
                hashedOf(add(at, 800), proof_, 3)
                mstore(add(m, BETA), mod(keccak256(at, 1088), R))
                mstore(add(m, GAMMA), mod(keccak256(m, 32), R))
                hashedOf(add(m, POINT_Z), add(proof_, 384), 1)
                mstore(add(m, ALPHA), mod(keccak256(m, 160), R))
                hashedOf(add(m, POINTS_T), add(proof_, 512), 3)
                mstore(add(m, XI), mod(keccak256(add(m, ALPHA), 320), R))
                calldatacopy(add(m, EVALUATIONS), add(proof_, 1152), 192)
                mstore(add(m, V), mod(keccak256(add(m, XI), 224), R))
                hashedOf(at, add(proof_, 896), 2)
                mstore(add(m, U), mod(keccak256(at, 192), R))
            }

            // Computes xi^n and xi^n - 1. False when xi is a point of the domain, which no honest proof meets.
            function vanish(m) -> ok {
                let power := mload(add(m, XI))
                for { let i := 0 } lt(i, POWER) { i := add(i, 1) } { power := mulmod(power, power, R) }
                mstore(add(m, XI_N), power)
                let vanishing := addmod(power, sub(R, 1), R)
                mstore(add(m, VANISHING), vanishing)
                ok := gt(vanishing, 0)
            }

            // Computes L1(xi) * alpha^2 and PI(xi), from L(i + 1)(xi) = (xi^n - 1) / n * w^i / (xi - w^i). All inverses come from
            // that of the product of n and every xi - w^i.
            function lagrange(m, values_) -> ok {
                // In the scratch stand for each i the product of the differences before xi - w^i, and xi - w^i.
                let xi := mload(add(m, XI))
                let at := add(m, SCRATCH)
                let end := add(at, 64)
                let product := 1
                {
                    let root := 1
                    for { } lt(at, end) { at := add(at, 64) } {
                        mstore(at, product)
                        let difference := addmod(xi, sub(R, root), R)
                        mstore(add(at, 32), difference)
                        product := mulmod(product, difference, R)
                        root := mulmod(root, W, R)
                    }
                }
                // The precompile of EIP-198 takes the lengths of base, exponent and modulus, and then these.
                mstore(end, 32)
                mstore(add(end, 32), 32)
                mstore(add(end, 64), 32)
                mstore(add(end, 96), mulmod(product, N, R))
                mstore(add(end, 128), sub(R, 2))
                mstore(add(end, 160), R)
                ok := staticcall(gas(), 5, end, 192, end, 32)
                // (xi^n - 1) / n, over all differences that are still to come.
                let inverse := mulmod(mload(end), mload(add(m, VANISHING)), R)
                let l := 0
                let pi := 0
                let value := add(values_, 32)
                for { } gt(at, add(m, SCRATCH)) { } {
                    at := sub(at, 64)
                    let difference := mload(add(at, 32))
                    l := mulmod(mulmod(inverse, mload(at), R), addmod(xi, sub(R, difference), R), R)
                    inverse := mulmod(inverse, difference, R)
                    value := sub(value, 32)
                    pi := addmod(pi, mulmod(l, sub(R, calldataload(value)), R), R)
                }
                let alpha := mload(add(m, ALPHA))
                mstore(add(m, FIRST), mulmod(l, mulmod(alpha, alpha, R), R))
                mstore(add(m, PI), pi)
            }

            // The factor of Z without u: cells * alpha + L1(xi) * alpha^2.
            function factorOfZ(m) -> factor {
                let gamma := mload(add(m, GAMMA))
                let shift := mulmod(mload(add(m, BETA)), mload(add(m, XI)), R)
                factor := addmod(addmod(mload(add(m, EVAL_A)), shift, R), gamma, R)
                factor := mulmod(factor, addmod(addmod(mload(add(m, EVAL_B)), mulmod(shift, K1, R), R), gamma, R), R)
                factor := mulmod(factor, addmod(addmod(mload(add(m, EVAL_C)), mulmod(shift, K2, R), R), gamma, R), R)
                factor := addmod(mulmod(factor, mload(add(m, ALPHA)), R), mload(add(m, FIRST)), R)
            }

            // The negative of sigmas: -(a + beta * s1 + gamma) * (b + beta * s2 + gamma) * alpha * zw.
            function minusSigmas(m) -> product {
                let beta := mload(add(m, BETA))
                let gamma := mload(add(m, GAMMA))
                product := mulmod(mload(add(m, ALPHA)), sub(R, mload(add(m, EVAL_ZW))), R)
                product := mulmod(
                    product, addmod(addmod(mload(add(m, EVAL_A)), mulmod(beta, mload(add(m, EVAL_S1)), R), R), gamma, R), R
                )
                product := mulmod(
                    product, addmod(addmod(mload(add(m, EVAL_B)), mulmod(beta, mload(add(m, EVAL_S2)), R), R), gamma, R), R
                )
            }

            // The terms of F of the selectors, without Qc.
            function selectorTerms(m, at) -> next {
                let a := mload(add(m, EVAL_A))
                let b := mload(add(m, EVAL_B))
                next := at
                next := term(next, QM_X_HIGH, QM_X_LOW, QM_Y_HIGH, QM_Y_LOW, mulmod(a, b, R))
                next := term(next, QL_X_HIGH, QL_X_LOW, QL_Y_HIGH, QL_Y_LOW, a)
                next := term(next, QR_X_HIGH, QR_X_LOW, QR_Y_HIGH, QR_Y_LOW, b)
                next := term(next, QO_X_HIGH, QO_X_LOW, QO_Y_HIGH, QO_Y_LOW, mload(add(m, EVAL_C)))
            }

            // The terms of F and of -E with powers of v.
            function openedTerms(m, at, proof_) -> next, minusE {
                let v := mload(add(m, V))
                let factor := v
                let e := mulmod(factor, mload(add(m, EVAL_A)), R)
                next := termOf(at, proof_, factor)
                factor := mulmod(factor, v, R)
                e := addmod(e, mulmod(factor, mload(add(m, EVAL_B)), R), R)
                next := termOf(next, add(proof_, 128), factor)
                factor := mulmod(factor, v, R)
                e := addmod(e, mulmod(factor, mload(add(m, EVAL_C)), R), R)
                next := termOf(next, add(proof_, 256), factor)
                factor := mulmod(factor, v, R)
                e := addmod(e, mulmod(factor, mload(add(m, EVAL_S1)), R), R)
                next := term(next, S1_X_HIGH, S1_X_LOW, S1_Y_HIGH, S1_Y_LOW, factor)
                factor := mulmod(factor, v, R)
                e := addmod(e, mulmod(factor, mload(add(m, EVAL_S2)), R), R)
                next := term(next, S2_X_HIGH, S2_X_LOW, S2_Y_HIGH, S2_Y_LOW, factor)
                minusE := sub(R, e)
            }

            // The terms with Z, S3, T1, T2 and T3, and -E * G1 once its terms are complete.
            function otherTerms(m, at, proof_, minusE) -> next {
                {
                    let sigmas := minusSigmas(m)
                    next := term(at, S3_X_HIGH, S3_X_LOW, S3_Y_HIGH, S3_Y_LOW, mulmod(sigmas, mload(add(m, BETA)), R))
                    let u := mload(add(m, U))
                    next := termOf(next, add(proof_, 384), addmod(factorOfZ(m), u, R))

                    let c := addmod(mload(add(m, EVAL_C)), mload(add(m, GAMMA)), R)
                    minusE := addmod(minusE, mulmod(sigmas, c, R), R)
                    minusE := addmod(minusE, mulmod(u, sub(R, mload(add(m, EVAL_ZW))), R), R)
                    minusE := addmod(minusE, sub(R, mload(add(m, FIRST))), R)
                    minusE := addmod(minusE, mload(add(m, PI)), R)
                    next := term(next, G1_X_HIGH, G1_X_LOW, G1_Y_HIGH, G1_Y_LOW, minusE)
                }
                let power := mload(add(m, XI_N))
                let factor := sub(R, mload(add(m, VANISHING)))
                next := termOf(next, add(proof_, 512), factor)
                factor := mulmod(factor, power, R)
                next := termOf(next, add(proof_, 640), factor)
                factor := mulmod(factor, power, R)
                next := termOf(next, add(proof_, 768), factor)
            }

            // The terms with Wxi and Wxiw on the right, and the sum of all that end before `next`.
            function rightSum(m, next, proof_) -> ok {
                let right := add(m, SCRATCH)
                let terms := add(m, TERMS)
                let xi := mload(add(m, XI))
                next := termOf(next, add(proof_, 896), xi)
                next := termOf(next, add(proof_, 1024), mulmod(mulmod(xi, W, R), mload(add(m, U)), R))
                ok := staticcall(gas(), 12, terms, sub(next, terms), right, 128)
                mstore(add(right, 128), QC_X_HIGH)
                mstore(add(right, 160), QC_X_LOW)
                mstore(add(right, 192), QC_Y_HIGH)
                mstore(add(right, 224), QC_Y_LOW)
                if ok { ok := staticcall(gas(), 11, right, 256, right, 128) }
            }

            // The sum on the left, and whether the pairings are equal.
            function pairingHolds(m, proof_) -> ok {
                let right := add(m, SCRATCH)
                let left := add(right, 384)
                {
                    let next := termOf(left, add(proof_, 1024), mload(add(m, U)))
                    ok := staticcall(gas(), 12, left, sub(next, left), left, 128)
                    calldatacopy(add(left, 128), add(proof_, 896), 128)
                    if ok { ok := staticcall(gas(), 11, left, 256, left, 128) }
                }
                // Two pairs of 384 bytes each: e(right, -G2) * e(left, X_2) = 1.
                mstore(add(right, 128), MINUS_G2_X0_HIGH)
                mstore(add(right, 160), MINUS_G2_X0_LOW)
                mstore(add(right, 192), MINUS_G2_X1_HIGH)
                mstore(add(right, 224), MINUS_G2_X1_LOW)
                mstore(add(right, 256), MINUS_G2_Y0_HIGH)
                mstore(add(right, 288), MINUS_G2_Y0_LOW)
                mstore(add(right, 320), MINUS_G2_Y1_HIGH)
                mstore(add(right, 352), MINUS_G2_Y1_LOW)
                mstore(add(left, 128), X_2_X0_HIGH)
                mstore(add(left, 160), X_2_X0_LOW)
                mstore(add(left, 192), X_2_X1_HIGH)
                mstore(add(left, 224), X_2_X1_LOW)
                mstore(add(left, 256), X_2_Y0_HIGH)
                mstore(add(left, 288), X_2_Y0_LOW)
                mstore(add(left, 320), X_2_Y1_HIGH)
                mstore(add(left, 352), X_2_Y1_LOW)
                if ok {
                    ok := staticcall(gas(), 15, right, 768, right, 32)
                    // Where there is no such precompile, the call succeeds and returns nothing.
                    ok := and(ok, eq(returndatasize(), 32))
                    ok := and(ok, eq(mload(right), 1))
                }
            }

            let m := mload(64)
            accepted := 1
            for { let at := add(proof, 1152) } lt(at, add(proof, 1344)) { at := add(at, 32) } {
                accepted := and(accepted, lt(calldataload(at), R))
            }
            for { let at := publicValues } lt(at, add(publicValues, 32)) { at := add(at, 32) } {
                accepted := and(accepted, lt(calldataload(at), R))
            }
            if accepted {
                challenges(m, proof, publicValues)
                accepted := vanish(m)
            }
            if accepted { accepted := lagrange(m, publicValues) }
            if accepted {
                let next := selectorTerms(m, add(m, TERMS))
                let minusE
                next, minusE := openedTerms(m, next, proof)
                next := otherTerms(m, next, proof, minusE)
                accepted := rightSum(m, next, proof)
            }
            if accepted { accepted := pairingHolds(m, proof) }
        }
    }
}
