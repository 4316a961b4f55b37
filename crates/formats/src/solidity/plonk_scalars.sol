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
                let end := add(at, {{differences_bytes}})
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
{{lagrange_before}}
                for { } gt(at, add(m, SCRATCH)) { } {
                    at := sub(at, 64)
                    let difference := mload(add(at, 32))
                    l := mulmod(mulmod(inverse, mload(at), R), addmod(xi, sub(R, difference), R), R)
                    inverse := mulmod(inverse, difference, R)
{{lagrange_value}}
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
