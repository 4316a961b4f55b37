// SPDX-License-Identifier: MIT OR Apache-2.0
// Written by Pairwright from a verification key. Write it again when the key changes.
pragma solidity ^0.8.13;

/// @title Verifier of Groth16 proofs on BN254 for one circuit
/// @notice A proof (a, b, c) is accepted for public values x[0], x[1], ... when
///   e(a, b) * e(-alpha, beta) * e(sum, -gamma) * e(c, -delta) = 1,  where sum = IC0 + x[0] * IC1 + x[1] * IC2 + ...
/// The precompiles of EIP-196 and EIP-197 compute sums, multiples and pairings. They refuse coordinates that are not below q,
/// points off their curves, and points of the second group outside of the subgroup of order r.
contract Groth16Verifier {
    // Order of the groups.
    uint256 constant R = 0x30644e72e131a029b85045b68181585d2833e84879b9709143e1f593f0000001;

    // The verification key. Of an element of Fq2, the coefficient 1 is that of i.
    uint256 constant MINUS_ALPHA_X = 0x2da5b73109a05062afd190e97d166d08e6fcc592340d6d8ef11e6ff332a124f1;
    uint256 constant MINUS_ALPHA_Y = 0x2146cb0798f87ea7dc29670bb9fc801213a4a47df27b78716df2e1e6dcc9206f;
    uint256 constant BETA_X1 = 0x17c5f7d258d7c4e68a8c551531eff211e568cb70cf87a49a1f05c28e68e03221;
    uint256 constant BETA_X0 = 0x02e9080ce2c2f2bf3dc124317aa10c3b113c5f34a946f31192f9ae26c0a0d0ca;
    uint256 constant BETA_Y1 = 0x05c3dc4d780e01d271cc7aa1160b387d4eb929e0222359661ae258a2ca26d772;
    uint256 constant BETA_Y0 = 0x25b277ed9d2444f7f271408fc8f2b945618e134fba3cfd00fa606dbfb8109237;
    uint256 constant MINUS_GAMMA_X1 = 0x198e9393920d483a7260bfb731fb5d25f1aa493335a9e71297e485b7aef312c2;
    uint256 constant MINUS_GAMMA_X0 = 0x1800deef121f1e76426a00665e5c4479674322d4f75edadd46debd5cd992f6ed;
    uint256 constant MINUS_GAMMA_Y1 = 0x275dc4a288d1afb3cbb1ac09187524c7db36395df7be3b99e673b13a075a65ec;
    uint256 constant MINUS_GAMMA_Y0 = 0x1d9befcd05a5323e6da4d435f3b617cdb3af83285c2df711ef39c01571827f9d;
    uint256 constant MINUS_DELTA_X1 = 0x1ec9de3f1c8e94bb534c9c6dce62a4bed9e1c008f879b4b71464877b05678ee3;
    uint256 constant MINUS_DELTA_X0 = 0x0f78724f8a71dc3a504bc05a3ff91f88977955bb4cb337ab03cb0083280610d6;
    uint256 constant MINUS_DELTA_Y1 = 0x0696e62c708035fe542faaa17c6c2684900676056b6c7aeff3b37e462931bd9a;
    uint256 constant MINUS_DELTA_Y0 = 0x275fe2eea9e5d2391da487f34e1e6f2f34d2b8a760a1bcacd3eb476ca44c6293;
    uint256 constant IC0_X = 0x16348edf99e3b693b5d76e0729f4ef8ac89da82f59761f4869c2e26618a05606;
    uint256 constant IC0_Y = 0x26bf626861e0239e676b31f3a1833f7f94f110d6df1c8af3d05faf31ec20f34d;
    uint256 constant IC1_X = 0x177dc91a064f194bb78cfc1429d5239fce57da78237e1a8a24aa409b6098bdd8;
    uint256 constant IC1_Y = 0x016be3fb7a6f66901a87fd8a9fc6eb2c423c0e3369b729b416f16408634a2de0;

    /// @notice Whether the proof is right for the public values. Points are given as (x, y), an element of Fq2 with the
    ///   coefficient of i first. Numbers that are not reduced and points that are not in their groups give false.
    function verifyProof(
        uint256[2] calldata a,
        uint256[2][2] calldata b,
        uint256[2] calldata c,
        uint256[1] calldata publicValues
    ) public view returns (bool accepted) {
        assembly ("memory-safe") {
            // Adds value * (x, y) to the point at `sum`; uses the 160 bytes from there on. False for a value that is not
            // below r.
            function addMultiple(sum, x, y, value) -> ok {
                let product := add(sum, 64)
                mstore(product, x)
                mstore(add(product, 32), y)
                mstore(add(product, 64), value)
                ok := staticcall(gas(), 7, product, 96, product, 64)
                ok := and(ok, staticcall(gas(), 6, sum, 128, sum, 64))
                ok := and(ok, lt(value, R))
            }

            // The input of the pairing is four pairs of 192 bytes each: x and y, then four coordinates.
            let pairs := mload(64)
            mstore(pairs, IC0_X)
            mstore(add(pairs, 32), IC0_Y)
            let ok := 1
            ok := and(ok, addMultiple(pairs, IC1_X, IC1_Y, calldataload(publicValues)))
            if ok {
                mstore(add(pairs, 64), MINUS_GAMMA_X1)
                mstore(add(pairs, 96), MINUS_GAMMA_X0)
                mstore(add(pairs, 128), MINUS_GAMMA_Y1)
                mstore(add(pairs, 160), MINUS_GAMMA_Y0)

                calldatacopy(add(pairs, 192), a, 64)
                calldatacopy(add(pairs, 256), b, 128)

                mstore(add(pairs, 384), MINUS_ALPHA_X)
                mstore(add(pairs, 416), MINUS_ALPHA_Y)
                mstore(add(pairs, 448), BETA_X1)
                mstore(add(pairs, 480), BETA_X0)
                mstore(add(pairs, 512), BETA_Y1)
                mstore(add(pairs, 544), BETA_Y0)

                calldatacopy(add(pairs, 576), c, 64)
                mstore(add(pairs, 640), MINUS_DELTA_X1)
                mstore(add(pairs, 672), MINUS_DELTA_X0)
                mstore(add(pairs, 704), MINUS_DELTA_Y1)
                mstore(add(pairs, 736), MINUS_DELTA_Y0)

                ok := staticcall(gas(), 8, pairs, 768, pairs, 32)
                // Where there is no such precompile, the call succeeds and returns nothing.
                ok := and(ok, eq(returndatasize(), 32))
                accepted := and(ok, eq(mload(pairs), 1))
            }
        }
    }
}
