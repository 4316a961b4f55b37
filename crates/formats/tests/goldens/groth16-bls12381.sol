// SPDX-License-Identifier: MIT OR Apache-2.0
// Written by Pairwright from a verification key. Write it again when the key changes.
pragma solidity ^0.8.13;

/// @title Verifier of Groth16 proofs on BLS12-381 for one circuit
/// @notice A proof (a, b, c) is accepted for public values x[0], x[1], ... when
///   e(a, b) * e(-alpha, beta) * e(sum, -gamma) * e(c, -delta) = 1,  where sum = IC0 + x[0] * IC1 + x[1] * IC2 + ...
/// The precompiles of EIP-2537 compute sums, multiples and pairings; a chain without them accepts no proof. The pairing
/// refuses coordinates that are not below q, points off their curves, and points outside of the subgroups of order r.
contract Groth16Verifier {
    // Order of the groups.
    uint256 constant R = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001;

    // The verification key. A coordinate is HIGH * 2^256 + LOW. Of an element of Fq2, the coefficient 1 is that of u.
    uint256 constant MINUS_ALPHA_X_HIGH = 0x185790568457e717d3d8e5b53c9113ff;
    uint256 constant MINUS_ALPHA_X_LOW = 0x18672f78f50a41cbf6fd99e036a45ba323effbb6ece3a718ea2b7a9bf7374ba7;
    uint256 constant MINUS_ALPHA_Y_HIGH = 0x09acb54a9798726fa1745e194cb383c7;
    uint256 constant MINUS_ALPHA_Y_LOW = 0xb3c1b85878cfac797a064c981f0aea1fce17c62ec78f38496a162fa4bc3d6f8c;
    uint256 constant BETA_X0_HIGH = 0x0fa9566ce921ebc4ce1646d61cdb1d0a;
    uint256 constant BETA_X0_LOW = 0xc925d07054888a490aeb6709f394783e8c134345f36369fb0a0ace5927f2da57;
    uint256 constant BETA_X1_HIGH = 0x15f2ac635f0a7348b3d122407b7c4d1d;
    uint256 constant BETA_X1_LOW = 0x296d77135acecfac81ad3f7b207c67173fa9fc2b88a4b2c47ed610c969a4eff1;
    uint256 constant BETA_Y0_HIGH = 0x02441cca29d9d9306cfcf06425efc46f;
    uint256 constant BETA_Y0_LOW = 0x3c6dbba8e15f0aede01d4c24cf93e45aab9071b4feb487d4fe5a8fda73afb435;
    uint256 constant BETA_Y1_HIGH = 0x070711275c7ef873540432499d414412;
    uint256 constant BETA_Y1_LOW = 0x34217242282e88fcd28d47fbd9977396a1e0fcbe729de8a609006cfae9a85b41;
    uint256 constant MINUS_GAMMA_X0_HIGH = 0x024aa2b2f08f0a91260805272dc51051;
    uint256 constant MINUS_GAMMA_X0_LOW = 0xc6e47ad4fa403b02b4510b647ae3d1770bac0326a805bbefd48056c8c121bdb8;
    uint256 constant MINUS_GAMMA_X1_HIGH = 0x13e02b6052719f607dacd3a088274f65;
    uint256 constant MINUS_GAMMA_X1_LOW = 0x596bd0d09920b61ab5da61bbdc7f5049334cf11213945d57e5ac7d055d042b7e;
    uint256 constant MINUS_GAMMA_Y0_HIGH = 0x0d1b3cc2c7027888be51d9ef691d77bc;
    uint256 constant MINUS_GAMMA_Y0_LOW = 0xb679afda66c73f17f9ee3837a55024f78c71363275a75d75d86bab79f74782aa;
    uint256 constant MINUS_GAMMA_Y1_HIGH = 0x13fa4d4a0ad8b1ce186ed5061789213d;
    uint256 constant MINUS_GAMMA_Y1_LOW = 0x993923066dddaf1040bc3ff59f825c78df74f2d75467e25e0f55f8a00fa030ed;
    uint256 constant MINUS_DELTA_X0_HIGH = 0x1029c66b54945eb4e086daab7f6ccdd5;
    uint256 constant MINUS_DELTA_X0_LOW = 0x072bdcc6f93d979826effbf5180a48902bf17f0f8cfce1c17d4a61a3a20671dc;
    uint256 constant MINUS_DELTA_X1_HIGH = 0x007ff050d9dcb3f080c761852ac26a3e;
    uint256 constant MINUS_DELTA_X1_LOW = 0x9a3d5c3de69bc6bd624fa4145e68ed2ecfe9877313c61eb6bea0390bef9c2299;
    uint256 constant MINUS_DELTA_Y0_HIGH = 0x00eb3f182d1c732d01a6cbf2b5f5e5a7;
    uint256 constant MINUS_DELTA_Y0_LOW = 0xbaaec533d39a9398417a850f45c5a3c3356959ac57b4a2debcdf2534c37641c1;
    uint256 constant MINUS_DELTA_Y1_HIGH = 0x0df8356e5ac9334a7347724025a52b22;
    uint256 constant MINUS_DELTA_Y1_LOW = 0x617b41b0bdaba8001b99fee7566163778de6724da88ac0cb52d046b5efd66881;
    uint256 constant IC0_X_HIGH = 0x0ff3cc30571ceb28f4c4dca2dfc45b01;
    uint256 constant IC0_X_LOW = 0x7df33a64fd3dcafc33042233bf23a2334ec7aab774e8d1d2724b36c6013c3e79;
    uint256 constant IC0_Y_HIGH = 0x194471d569efd686c5f732e80edae5ca;
    uint256 constant IC0_Y_LOW = 0xa11b4d8cbb8760cb2f18f21fceb75f1a9d97bf319c534b27ee1de3cb476e28d9;
    uint256 constant IC1_X_HIGH = 0x04b26abc0b7a1d2d8b8ed990ddb244c7;
    uint256 constant IC1_X_LOW = 0x0b30fdfd15dad7208404c137d0bb9752e249580efcc51b2d3c8b3242fcb46729;
    uint256 constant IC1_Y_HIGH = 0x05984b68d86c0f3184d3577da2726635;
    uint256 constant IC1_Y_LOW = 0xf64d88b454fe80b283bf9ac5b5c7cee797ac2f4c2691b42cb654cb5ec5051312;

    /// @notice Whether the proof is right for the public values. Points are encoded as in EIP-2537: (x, y) with two words for
    ///   a coordinate, the higher one first, and of an element of Fq2 the coefficient of u last. Numbers that are not reduced
    ///   and points that are not in their groups give false.
    function verifyProof(
        uint256[4] calldata a,
        uint256[8] calldata b,
        uint256[4] calldata c,
        uint256[1] calldata publicValues
    ) public view returns (bool accepted) {
        assembly ("memory-safe") {
            // Writes a point and its factor for the precompile of multiples. False for a factor that is not below r.
            function term(at, xHigh, xLow, yHigh, yLow, factor) -> ok {
                mstore(at, xHigh)
                mstore(add(at, 32), xLow)
                mstore(add(at, 64), yHigh)
                mstore(add(at, 96), yLow)
                mstore(add(at, 128), factor)
                ok := lt(factor, R)
            }

            // The input of the pairing is four pairs of 384 bytes each: a point of 128 bytes, then one of 256.
            let pairs := mload(64)
            let ok := 1
            ok := and(ok, term(add(pairs, 0), IC1_X_HIGH, IC1_X_LOW, IC1_Y_HIGH, IC1_Y_LOW, calldataload(publicValues)))
            ok := and(ok, staticcall(gas(), 12, pairs, 160, pairs, 128))
            mstore(add(pairs, 128), IC0_X_HIGH)
            mstore(add(pairs, 160), IC0_X_LOW)
            mstore(add(pairs, 192), IC0_Y_HIGH)
            mstore(add(pairs, 224), IC0_Y_LOW)
            ok := and(ok, staticcall(gas(), 11, pairs, 256, pairs, 128))
            if ok {
                mstore(add(pairs, 128), MINUS_GAMMA_X0_HIGH)
                mstore(add(pairs, 160), MINUS_GAMMA_X0_LOW)
                mstore(add(pairs, 192), MINUS_GAMMA_X1_HIGH)
                mstore(add(pairs, 224), MINUS_GAMMA_X1_LOW)
                mstore(add(pairs, 256), MINUS_GAMMA_Y0_HIGH)
                mstore(add(pairs, 288), MINUS_GAMMA_Y0_LOW)
                mstore(add(pairs, 320), MINUS_GAMMA_Y1_HIGH)
                mstore(add(pairs, 352), MINUS_GAMMA_Y1_LOW)

                calldatacopy(add(pairs, 384), a, 128)
                calldatacopy(add(pairs, 512), b, 256)

                mstore(add(pairs, 768), MINUS_ALPHA_X_HIGH)
                mstore(add(pairs, 800), MINUS_ALPHA_X_LOW)
                mstore(add(pairs, 832), MINUS_ALPHA_Y_HIGH)
                mstore(add(pairs, 864), MINUS_ALPHA_Y_LOW)
                mstore(add(pairs, 896), BETA_X0_HIGH)
                mstore(add(pairs, 928), BETA_X0_LOW)
                mstore(add(pairs, 960), BETA_X1_HIGH)
                mstore(add(pairs, 992), BETA_X1_LOW)
                mstore(add(pairs, 1024), BETA_Y0_HIGH)
                mstore(add(pairs, 1056), BETA_Y0_LOW)
                mstore(add(pairs, 1088), BETA_Y1_HIGH)
                mstore(add(pairs, 1120), BETA_Y1_LOW)

                calldatacopy(add(pairs, 1152), c, 128)
                mstore(add(pairs, 1280), MINUS_DELTA_X0_HIGH)
                mstore(add(pairs, 1312), MINUS_DELTA_X0_LOW)
                mstore(add(pairs, 1344), MINUS_DELTA_X1_HIGH)
                mstore(add(pairs, 1376), MINUS_DELTA_X1_LOW)
                mstore(add(pairs, 1408), MINUS_DELTA_Y0_HIGH)
                mstore(add(pairs, 1440), MINUS_DELTA_Y0_LOW)
                mstore(add(pairs, 1472), MINUS_DELTA_Y1_HIGH)
                mstore(add(pairs, 1504), MINUS_DELTA_Y1_LOW)

                ok := staticcall(gas(), 15, pairs, 1536, pairs, 32)
                // Where there is no such precompile, the call succeeds and returns nothing.
                ok := and(ok, eq(returndatasize(), 32))
                accepted := and(ok, eq(mload(pairs), 1))
            }
        }
    }
}
