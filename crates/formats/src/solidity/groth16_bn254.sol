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
    uint256 constant R = {{r}};

    // The verification key. Of an element of Fq2, the coefficient 1 is that of i.
{{constants}}

    /// @notice Whether the proof is right for the public values. Points are given as (x, y), an element of Fq2 with the
    ///   coefficient of i first. Numbers that are not reduced and points that are not in their groups give false.
    function verifyProof(
        uint256[2] calldata a,
        uint256[2][2] calldata b,
        uint256[2] calldata c,
        {{values}} calldata publicValues
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
{{sum}}
            if ok {
{{minus_gamma}}

                calldatacopy(add(pairs, 192), a, 64)
                calldatacopy(add(pairs, 256), b, 128)

{{minus_alpha}}
{{beta}}

                calldatacopy(add(pairs, 576), c, 64)
{{minus_delta}}

                ok := staticcall(gas(), 8, pairs, 768, pairs, 32)
                // Where there is no such precompile, the call succeeds and returns nothing.
                ok := and(ok, eq(returndatasize(), 32))
                accepted := and(ok, eq(mload(pairs), 1))
            }
        }
    }
}
