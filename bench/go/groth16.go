package main

import (
	"fmt"
	"math/big"
	"sync"

	"github.com/consensys/gnark-crypto/ecc"
	"github.com/consensys/gnark/backend/groth16"
	"github.com/consensys/gnark/backend/witness"
	"github.com/consensys/gnark/constraint"
	"github.com/consensys/gnark/frontend"
	"github.com/consensys/gnark/frontend/cs/r1cs"
)

const input = 3

// chain is x' = x² + 5, repeated; the last value is public. gnark folds the additions into the squarings and spends
// one constraint more on the equality with the public value.
type chain struct {
	Last  frontend.Variable `gnark:",public"`
	First frontend.Variable

	steps int
}

func (c *chain) Define(api frontend.API) error {
	x := c.First
	for range c.steps {
		x = api.Add(api.Mul(x, x), 5)
	}
	api.AssertIsEqual(x, c.Last)
	return nil
}

// lastValue is the chain's public value.
func lastValue(curve ecc.ID, steps int) *big.Int {
	modulus := curve.ScalarField()
	x, five := big.NewInt(input), big.NewInt(5)
	for range steps {
		x.Mul(x, x).Add(x, five).Mod(x, modulus)
	}
	return x
}

// statement is a chain whose domain has 2^log elements, with its keys and a witness.
type statement struct {
	system       constraint.ConstraintSystem
	provingKey   groth16.ProvingKey
	verifyingKey groth16.VerifyingKey
	witness      witness.Witness
	public       witness.Witness
}

func newStatement(curve ecc.ID, log int) (*statement, error) {
	if log < 2 || log > 28 {
		return nil, fmt.Errorf("a domain has 2^2 to 2^28 elements, not 2^%d", log)
	}
	size := 1 << log
	steps := size - 2
	system, err := frontend.Compile(curve.ScalarField(), r1cs.NewBuilder, &chain{steps: steps})
	if err != nil {
		return nil, err
	}
	if n := system.GetNbConstraints(); n <= size/2 || n > size {
		return nil, fmt.Errorf("%d constraints do not take a domain of %d", n, size)
	}
	s := &statement{system: system}
	if s.provingKey, s.verifyingKey, err = groth16.Setup(system); err != nil {
		return nil, err
	}
	values := &chain{Last: lastValue(curve, steps), First: input}
	if s.witness, err = frontend.NewWitness(values, curve.ScalarField()); err != nil {
		return nil, err
	}
	s.public, err = s.witness.Public()
	return s, err
}

// prove is a proof; gnark's Prove solves the constraint system itself, so its time holds the solving.
func prove(curve ecc.ID, log int) (*work, error) {
	s, err := newStatement(curve, log)
	if err != nil {
		return nil, err
	}
	proof, err := groth16.Prove(s.system, s.provingKey, s.witness)
	if err != nil {
		return nil, err
	}
	run := func(int) error {
		_, err := groth16.Prove(s.system, s.provingKey, s.witness)
		return err
	}
	return &work{run: run}, groth16.Verify(proof, s.verifyingKey, s.public)
}

// verify is the verification of many proofs of a small circuit, each by itself, divided among threads: gnark has no
// verification of many together. Verify checks that points are in their groups.
func verify(curve ecc.ID, count int) (*work, error) {
	s, err := newStatement(curve, 4)
	if err != nil {
		return nil, err
	}
	proofs := make([]groth16.Proof, count)
	for i := range proofs {
		if proofs[i], err = groth16.Prove(s.system, s.provingKey, s.witness); err != nil {
			return nil, err
		}
	}
	run := func(threads int) error {
		return divided(count, threads, func(_, from, to int) error {
			for _, proof := range proofs[from:to] {
				if err := groth16.Verify(proof, s.verifyingKey, s.public); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return &work{run: run}, run(1)
}

// divided does work for the numbers below n in as many parts of about equal size as there are threads, or numbers. A
// part gets its own number and its range.
func divided(n, threads int, part func(i, from, to int) error) error {
	parts := min(n, threads)
	failures := make([]error, parts)
	var group sync.WaitGroup
	for i := range parts {
		group.Go(func() { failures[i] = part(i, i*n/parts, (i+1)*n/parts) })
	}
	group.Wait()
	for _, err := range failures {
		if err != nil {
			return err
		}
	}
	return nil
}
