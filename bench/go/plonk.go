package main

import (
	"errors"
	"fmt"

	"github.com/consensys/gnark-crypto/ecc"
	"github.com/consensys/gnark/backend/plonk"
	"github.com/consensys/gnark/backend/witness"
	"github.com/consensys/gnark/constraint"
	"github.com/consensys/gnark/frontend"
	"github.com/consensys/gnark/frontend/cs/scs"
	"github.com/consensys/gnark/test/unsafekzg"
)

// gateChain is the chain with a gate for each of its steps, which gnark's front end makes only when it is asked.
type gateChain chain

func (c *gateChain) Define(api frontend.API) error {
	plonkish, ok := api.(frontend.PlonkAPI)
	if !ok {
		return errors.New("no gates")
	}
	x := c.First
	for range c.steps {
		x = plonkish.EvaluatePlonkExpression(x, x, 0, 0, 1, 5)
	}
	api.AssertIsEqual(x, c.Last)
	return nil
}

// gates is a chain whose gates, with that of the public value, take a domain of 2^log elements; with keys of powers of a
// tau that is drawn here, and a witness.
type gates struct {
	system       constraint.ConstraintSystem
	provingKey   plonk.ProvingKey
	verifyingKey plonk.VerifyingKey
	witness      witness.Witness
	public       witness.Witness
	setup        func() error
}

func newGates(curve ecc.ID, log int) (*gates, error) {
	if log < 3 || log > 26 {
		return nil, fmt.Errorf("a domain has 2^3 to 2^26 elements, not 2^%d", log)
	}
	size := 1 << log
	steps := size - 2
	system, err := frontend.Compile(curve.ScalarField(), scs.NewBuilder, &gateChain{steps: steps})
	if err != nil {
		return nil, err
	}
	if n := system.GetNbConstraints() + system.GetNbPublicVariables(); n <= size/2 || n > size {
		return nil, fmt.Errorf("%d gates do not take a domain of %d", n, size)
	}
	srs, lagrange, err := unsafekzg.NewSRS(system)
	if err != nil {
		return nil, err
	}
	s := &gates{system: system}
	s.setup = func() error {
		var err error
		s.provingKey, s.verifyingKey, err = plonk.Setup(system, srs, lagrange)
		return err
	}
	if err := s.setup(); err != nil {
		return nil, err
	}
	values := &gateChain{Last: lastValue(curve, steps), First: input}
	if s.witness, err = frontend.NewWitness(values, curve.ScalarField()); err != nil {
		return nil, err
	}
	s.public, err = s.witness.Public()
	return s, err
}

// provePlonk is a proof; gnark's Prove solves the gates itself, so its time holds the solving.
func provePlonk(curve ecc.ID, log int) (*work, error) {
	s, err := newGates(curve, log)
	if err != nil {
		return nil, err
	}
	run := func(int) error {
		_, err := plonk.Prove(s.system, s.provingKey, s.witness)
		return err
	}
	proof, err := plonk.Prove(s.system, s.provingKey, s.witness)
	if err != nil {
		return nil, err
	}
	return &work{run: run}, plonk.Verify(proof, s.verifyingKey, s.public)
}

// setupPlonk is the making of a key from powers of tau and their Lagrange points, which are there.
func setupPlonk(curve ecc.ID, log int) (*work, error) {
	s, err := newGates(curve, log)
	if err != nil {
		return nil, err
	}
	return &work{run: func(int) error { return s.setup() }}, nil
}

// verifyPlonk is the verification of many proofs of a small circuit, each by itself, divided among threads.
func verifyPlonk(curve ecc.ID, count int) (*work, error) {
	s, err := newGates(curve, 4)
	if err != nil {
		return nil, err
	}
	proofs := make([]plonk.Proof, count)
	for i := range proofs {
		if proofs[i], err = plonk.Prove(s.system, s.provingKey, s.witness); err != nil {
			return nil, err
		}
	}
	run := func(threads int) error {
		return divided(count, threads, func(_, from, to int) error {
			for _, proof := range proofs[from:to] {
				if err := plonk.Verify(proof, s.verifyingKey, s.public); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return &work{run: run}, run(1)
}
