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
