// SPDX-License-Identifier: MIT OR Apache-2.0
// Written by Pairwright from a verification key. Write it again when the key changes.
pragma solidity ^0.8.13;

/// @title Verifier of Plonk proofs on BN254 for one circuit
/// @notice With Z(xi) = xi^n - 1, L1 the first Lagrange polynomial of the domain and PI(xi) = -(x[0] * L1(xi) + ...), a proof is
/// accepted when e(Wxi + u * Wxiw, X_2) = e(xi * Wxi + u * xi * w * Wxiw + F - E * G1, G2), where
///   F = ab * Qm + a * Ql + b * Qr + c * Qo + Qc + v^4 * S1 + v^5 * S2 - sigmas * beta * S3 + v * A + v^2 * B + v^3 * C
///       + (cells * alpha + L1(xi) * alpha^2 + u) * Z - Z(xi) * (T1 + xi^n * T2 + xi^2n * T3)
///   E = v * a + v^2 * b + v^3 * c + v^4 * s1 + v^5 * s2 + u * zw - (PI(xi) - L1(xi) * alpha^2 - sigmas * (c + gamma))
///   sigmas = (a + beta * s1 + gamma) * (b + beta * s2 + gamma) * alpha * zw
///   cells = (a + beta * xi + gamma) * (b + beta * k1 * xi + gamma) * (c + beta * k2 * xi + gamma)
/// The precompiles of EIP-196 and EIP-197 compute sums, multiples and pairings. They refuse coordinates that are not below q
/// and points off the curve, whatever the factor is that a point is multiplied by.
contract PlonkVerifier {
    // Order of the groups.
    uint256 constant R = 0x30644e72e131a029b85045b68181585d2833e84879b9709143e1f593f0000001;

    // The domain has n = 2^POWER points, which are the powers of w.
    uint256 constant POWER = 3;
    uint256 constant N = 8;
    uint256 constant W = 19540430494807482326159819597004422086093766032135589407132600596362845576832;
    uint256 constant K1 = 2;
    uint256 constant K2 = 3;

    // Commitments of the verification key. Of an element of Fq2, the coefficient 1 is that of i.
    uint256 constant QM_X = 0x1317a24bf261c4d694956aa1beb8d193d3169c071b92c157d9be644b1bee1cad;
    uint256 constant QM_Y = 0x05a45b06168f50d28d595160a305140c38ae5a7aaafb4fb15322af5864515d70;
    uint256 constant QL_X = 0x076a3dcde1a3719b97ae78bef46ee8bd373185423715d4f638f2841c4784de40;
    uint256 constant QL_Y = 0x213ee92e4f9f2831beaac91c20aee0c9f1ca49b14591828d0ff17cea12a2c77e;
    uint256 constant QR_X = 0x0bf6f119251ae532e8e33332a611ca91a28cd48a226d442aacb0684221ec615f;
    uint256 constant QR_Y = 0x208c9da784a19bb763235b9a0e0f566f9cc069c8a3193b4f2184dea5f31a9c3f;
    uint256 constant QO_X = 0x06afbde05c6390197a59ea7ffa330c44211fc9b63515936ba1faa79e2a81658b;
    uint256 constant QO_Y = 0x1a3aa046783308421a76678cab345c3bfd5350f77aeb43a7aa99ce3f5bd15f80;
    uint256 constant QC_X = 0x05b3754054aefeb8af49574aa5f0447ff815bc10b09d194cd08f03232645492b;
    uint256 constant QC_Y = 0x1cb7cc0d02d2663dcbfaa4f423b10c620952543529c56c12e942a208cefd8f05;
    uint256 constant S1_X = 0x1056d3488fb7db2f09ff3bfa67b892574973ea3586afd328c22763aef2e90836;
    uint256 constant S1_Y = 0x1497279dbb136d83af2e28acaeabb13f0be89d1105e973d5f4c57822034e1cf3;
    uint256 constant S2_X = 0x042d98ba2db03358a07bf83b59e575bf83f02872da29ce1a633730eb9211668b;
    uint256 constant S2_Y = 0x0760847edc16fe4cadafa6b8478ef07faecde8bde81cbb00cd4819d5087006c7;
    uint256 constant S3_X = 0x0fd46a7449e6c8e0d051dae491d4acf40eb157b151e60f696e0bfbc554491153;
    uint256 constant S3_Y = 0x18749cc099f432ce63e1ae560dce50236b4c19c9057f2c52b92146641e746fc3;
    uint256 constant X_2_X1 = 0x1ea58bee7eca69d3ee3db23acd2dc636020f3680bf5cc1e17fba7087f054b7e9;
    uint256 constant X_2_X0 = 0x0095ebf2db187aa8c25992db277619d5c5a6ae403d14baceda36218aa4aaa091;
    uint256 constant X_2_Y1 = 0x180bc1b18ee90e87fc920b9bd7537597caf5a8e4707b322bab52284dc6005836;
    uint256 constant X_2_Y0 = 0x18197aaa0a1dc7c24fc4c8991dfdce04123bb19df86cfe19734b8ac8b6b5b555;
    uint256 constant MINUS_G2_X1 = 0x198e9393920d483a7260bfb731fb5d25f1aa493335a9e71297e485b7aef312c2;
    uint256 constant MINUS_G2_X0 = 0x1800deef121f1e76426a00665e5c4479674322d4f75edadd46debd5cd992f6ed;
    uint256 constant MINUS_G2_Y1 = 0x275dc4a288d1afb3cbb1ac09187524c7db36395df7be3b99e673b13a075a65ec;
    uint256 constant MINUS_G2_Y0 = 0x1d9befcd05a5323e6da4d435f3b617cdb3af83285c2df711ef39c01571827f9d;

    // Where numbers stand in memory, from the first free byte on. The input of every hash stands in one piece: a challenge,
    // then the words of the proof that the next challenge depends on.
    uint256 constant BETA = 0;
    uint256 constant GAMMA = 32;
    uint256 constant POINT_Z = 64;
    uint256 constant ALPHA = 128;
    uint256 constant POINTS_T = 160;
    uint256 constant XI = 352;
    uint256 constant EVALUATIONS = 384;
    uint256 constant EVAL_A = 384;
    uint256 constant EVAL_B = 416;
    uint256 constant EVAL_C = 448;
    uint256 constant EVAL_S1 = 480;
    uint256 constant EVAL_S2 = 512;
    uint256 constant EVAL_ZW = 544;
    uint256 constant V = 576;
    uint256 constant U = 608;
    // xi^n, xi^n - 1, L1(xi) * alpha^2, PI(xi)
    uint256 constant XI_N = 640;
    uint256 constant VANISHING = 672;
    uint256 constant FIRST = 704;
    uint256 constant PI = 736;
    // What is needed for a while: hash inputs, then Lagrange polynomials, then the input of the pairing.
    uint256 constant SCRATCH = 768;

    /// @notice Whether the proof is right for the public values. The proof is A, B, C, Z, T1, T2, T3, Wxi and Wxiw as (x, y), and
    ///   the values a, b, c, s1, s2 and zw. Numbers that are not reduced and points that are not on the curve give false.
    function verifyProof(uint256[24] calldata proof, uint256[1] calldata publicValues)
        public
        view
        returns (bool accepted)
    {
        assembly ("memory-safe") {
            // Adds `factor` times the point (x, y) to the point at `sum`; uses the 160 bytes from there on. What the precompile
            // refuses takes all gas that it was given, so that nothing more is asked of one once `ok` is false.
            function addMultiple(sum, x, y, factor, ok) -> still {
                if ok {
                    let product := add(sum, 64)
                    mstore(product, x)
                    mstore(add(product, 32), y)
                    mstore(add(product, 64), factor)
                    if staticcall(gas(), 7, product, 96, product, 64) {
                        still := staticcall(gas(), 6, sum, 128, sum, 64)
                    }
                }
            }

            // The same for a point of the proof.
            function addMultipleOf(sum, point, factor, ok) -> still {
                still := addMultiple(sum, calldataload(point), calldataload(add(point, 32)), factor, ok)
            }

            // Puts the challenges, and the words of the proof that they depend on, into memory.
            function challenges(m, proof_, values_) {
                let at := add(m, SCRATCH)
                mstore(at, QM_X)
                mstore(add(at, 32), QM_Y)
                mstore(add(at, 64), QL_X)
                mstore(add(at, 96), QL_Y)
                mstore(add(at, 128), QR_X)
                mstore(add(at, 160), QR_Y)
                mstore(add(at, 192), QO_X)
                mstore(add(at, 224), QO_Y)
                mstore(add(at, 256), QC_X)
                mstore(add(at, 288), QC_Y)
                mstore(add(at, 320), S1_X)
                mstore(add(at, 352), S1_Y)
                mstore(add(at, 384), S2_X)
                mstore(add(at, 416), S2_Y)
                mstore(add(at, 448), S3_X)
                mstore(add(at, 480), S3_Y)
                calldatacopy(add(at, 512), values_, 32)
                calldatacopy(add(at, 544), proof_, 192)
                mstore(add(m, BETA), mod(keccak256(at, 736), R))
                mstore(add(m, GAMMA), mod(keccak256(m, 32), R))
                calldatacopy(add(m, POINT_Z), add(proof_, 192), 64)
                mstore(add(m, ALPHA), mod(keccak256(m, 128), R))
                calldatacopy(add(m, POINTS_T), add(proof_, 256), 192)
                mstore(add(m, XI), mod(keccak256(add(m, ALPHA), 224), R))
                calldatacopy(add(m, EVALUATIONS), add(proof_, 576), 192)
                mstore(add(m, V), mod(keccak256(add(m, XI), 224), R))
                calldatacopy(at, add(proof_, 448), 128)
                mstore(add(m, U), mod(keccak256(at, 128), R))
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

            // The terms of F of the selectors.
            function addSelectors(m, sum) -> ok {
                let a := mload(add(m, EVAL_A))
                let b := mload(add(m, EVAL_B))
                mstore(sum, QC_X)
                mstore(add(sum, 32), QC_Y)
                ok := 1
                ok := addMultiple(sum, QM_X, QM_Y, mulmod(a, b, R), ok)
                ok := addMultiple(sum, QL_X, QL_Y, a, ok)
                ok := addMultiple(sum, QR_X, QR_Y, b, ok)
                ok := addMultiple(sum, QO_X, QO_Y, mload(add(m, EVAL_C)), ok)
            }

            // The terms of F and of -E with powers of v.
            function addOpened(m, sum, proof_) -> ok, minusE {
                let v := mload(add(m, V))
                let factor := v
                let e := mulmod(factor, mload(add(m, EVAL_A)), R)
                ok := addMultipleOf(sum, proof_, factor, 1)
                factor := mulmod(factor, v, R)
                e := addmod(e, mulmod(factor, mload(add(m, EVAL_B)), R), R)
                ok := addMultipleOf(sum, add(proof_, 64), factor, ok)
                factor := mulmod(factor, v, R)
                e := addmod(e, mulmod(factor, mload(add(m, EVAL_C)), R), R)
                ok := addMultipleOf(sum, add(proof_, 128), factor, ok)
                factor := mulmod(factor, v, R)
                e := addmod(e, mulmod(factor, mload(add(m, EVAL_S1)), R), R)
                ok := addMultiple(sum, S1_X, S1_Y, factor, ok)
                factor := mulmod(factor, v, R)
                e := addmod(e, mulmod(factor, mload(add(m, EVAL_S2)), R), R)
                ok := addMultiple(sum, S2_X, S2_Y, factor, ok)
                minusE := sub(R, e)
            }

            // The terms with Z, S3, T1, T2 and T3, and -E * G1 once its terms are complete.
            function addOthers(m, sum, proof_, minusE) -> ok {
                {
                    let sigmas := minusSigmas(m)
                    ok := addMultiple(sum, S3_X, S3_Y, mulmod(sigmas, mload(add(m, BETA)), R), 1)
                    let u := mload(add(m, U))
                    ok := addMultipleOf(sum, add(proof_, 192), addmod(factorOfZ(m), u, R), ok)

                    let c := addmod(mload(add(m, EVAL_C)), mload(add(m, GAMMA)), R)
                    minusE := addmod(minusE, mulmod(sigmas, c, R), R)
                    minusE := addmod(minusE, mulmod(u, sub(R, mload(add(m, EVAL_ZW))), R), R)
                    minusE := addmod(minusE, sub(R, mload(add(m, FIRST))), R)
                    minusE := addmod(minusE, mload(add(m, PI)), R)
                    ok := addMultiple(sum, 1, 2, minusE, ok)
                }
                let power := mload(add(m, XI_N))
                let factor := sub(R, mload(add(m, VANISHING)))
                ok := addMultipleOf(sum, add(proof_, 256), factor, ok)
                factor := mulmod(factor, power, R)
                ok := addMultipleOf(sum, add(proof_, 320), factor, ok)
                factor := mulmod(factor, power, R)
                ok := addMultipleOf(sum, add(proof_, 384), factor, ok)
            }

            // The terms with Wxi and Wxiw on both sides, and whether the pairings are equal.
            function pairingHolds(m, proof_) -> ok {
                let right := add(m, SCRATCH)
                let left := add(right, 192)
                {
                    let xi := mload(add(m, XI))
                    let u := mload(add(m, U))
                    ok := addMultipleOf(right, add(proof_, 448), xi, 1)
                    ok := addMultipleOf(right, add(proof_, 512), mulmod(mulmod(xi, W, R), u, R), ok)
                    calldatacopy(left, add(proof_, 448), 64)
                    ok := addMultipleOf(left, add(proof_, 512), u, ok)
                }
                // Two pairs of 192 bytes each: e(right, -G2) * e(left, X_2) = 1.
                mstore(add(right, 64), MINUS_G2_X1)
                mstore(add(right, 96), MINUS_G2_X0)
                mstore(add(right, 128), MINUS_G2_Y1)
                mstore(add(right, 160), MINUS_G2_Y0)
                mstore(add(left, 64), X_2_X1)
                mstore(add(left, 96), X_2_X0)
                mstore(add(left, 128), X_2_Y1)
                mstore(add(left, 160), X_2_Y0)
                if ok {
                    ok := staticcall(gas(), 8, right, 384, right, 32)
                    // Where there is no such precompile, the call succeeds and returns nothing.
                    ok := and(ok, eq(returndatasize(), 32))
                    ok := and(ok, eq(mload(right), 1))
                }
            }

            let m := mload(64)
            accepted := 1
            for { let at := add(proof, 576) } lt(at, add(proof, 768)) { at := add(at, 32) } {
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
                let sum := add(m, SCRATCH)
                accepted := addSelectors(m, sum)
                let minusE
                if accepted { accepted, minusE := addOpened(m, sum, proof) }
                if accepted { accepted := addOthers(m, sum, proof, minusE) }
            }
            if accepted { accepted := pairingHolds(m, proof) }
        }
    }
}
