// gnark-peer measures gnark on the benches' circuits, in turns with whoever holds its standard input:
//
//	gnark-peer groth16 --curve bn254 --log 16 --threads 2
//
// It makes a key, verifies one proof, prints "ready", and then answers each line with the seconds of one proof.
// gnark's Prove solves the constraint system itself, so a proof's time holds the solving.
package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/consensys/gnark-crypto/ecc"
	"github.com/consensys/gnark/backend/groth16"
	"github.com/consensys/gnark/frontend"
	"github.com/consensys/gnark/frontend/cs/r1cs"
	"github.com/consensys/gnark/logger"
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

func serve(curve ecc.ID, log, threads int) error {
	size := 1 << log
	steps := size - 2
	system, err := frontend.Compile(curve.ScalarField(), r1cs.NewBuilder, &chain{steps: steps})
	if err != nil {
		return err
	}
	if n := system.GetNbConstraints(); n <= size/2 || n > size {
		return fmt.Errorf("%d constraints do not take a domain of %d", n, size)
	}
	provingKey, verifyingKey, err := groth16.Setup(system)
	if err != nil {
		return err
	}
	witness, err := frontend.NewWitness(&chain{Last: lastValue(curve, steps), First: input}, curve.ScalarField())
	if err != nil {
		return err
	}
	public, err := witness.Public()
	if err != nil {
		return err
	}
	runtime.GOMAXPROCS(threads)
	proof, err := groth16.Prove(system, provingKey, witness)
	if err != nil {
		return err
	}
	if err := groth16.Verify(proof, verifyingKey, public); err != nil {
		return err
	}

	fmt.Println("ready")
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		begin := time.Now()
		_, err := groth16.Prove(system, provingKey, witness)
		seconds := time.Since(begin).Seconds()
		if err != nil {
			return err
		}
		// Between turns, so that the collector works neither in our time nor in the other side's.
		runtime.GC()
		fmt.Println(seconds)
	}
	return nil
}

func run(args []string) error {
	if len(args) == 0 || args[0] != "groth16" {
		return errors.New("usage: gnark-peer groth16 --curve bn254|bls12-381|bls12-377 --log N --threads N")
	}
	flags := flag.NewFlagSet("groth16", flag.ContinueOnError)
	name := flags.String("curve", "bn254", "bn254, bls12-381 or bls12-377")
	log := flags.Int("log", 16, "logarithm of the domain's size")
	threads := flags.Int("threads", 1, "threads of a proof")
	if err := flags.Parse(args[1:]); err != nil {
		return err
	}
	if *log < 2 || *log > 28 || *threads < 1 {
		return errors.New("--log takes 2 to 28, --threads at least 1")
	}
	curve, err := ecc.IDFromString(strings.ReplaceAll(*name, "-", "_"))
	if err != nil {
		return err
	}
	return serve(curve, *log, *threads)
}

func main() {
	logger.Disable()
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "gnark-peer:", err)
		os.Exit(1)
	}
}
