package main

import (
	"math/big"

	"github.com/consensys/gnark-crypto/ecc"
)

// lastValue is the chain's public value: `steps` times x' = x² + 5 from the input.
func lastValue(curve ecc.ID, steps int) *big.Int {
	modulus := curve.ScalarField()
	x, five := big.NewInt(input), big.NewInt(5)
	for range steps {
		x.Mul(x, x).Add(x, five).Mod(x, modulus)
	}
	return x
}
