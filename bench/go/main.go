// gnark-peer measures gnark and gnark-crypto in turns with whoever holds its standard input:
//
//	gnark-peer CURVE prove LOG             a Groth16 proof of a circuit of 2^LOG constraints
//	gnark-peer CURVE verify COUNT          verification of so many Groth16 proofs
//	gnark-peer CURVE plonk-prove|plonk-setup LOG  a Plonk proof, or key, of a circuit of 2^LOG gates
//	gnark-peer CURVE plonk-verify COUNT    verification of so many Plonk proofs
//	gnark-peer CURVE msm-g1|msm-g2 FILE    multi-scalar multiplication
//	gnark-peer CURVE ntt|extend FILE       a transform, or one to a coset by way of the coefficients
//	gnark-peer CURVE pairing FILE          a product of pairings
//	gnark-peer CURVE abe-encrypt|abe-decrypt FOLDER  attribute-based encryption, by CIRCL
//
// CURVE is bn254, bls12-381 or bls12-377. It loads or makes what it works on, sees to it that the results are right,
// prints "ready", and then answers each line, a number of threads and a number of runs, with the seconds of these runs.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/consensys/gnark-crypto/ecc"
	"github.com/consensys/gnark/logger"
)

// work is what is timed, on a number of threads, and what comes before each run and is not.
type work struct {
	prepare func()
	run     func(threads int) error
}

// of makes the work that the arguments ask for.
func of(args []string) (*work, error) {
	if len(args) != 3 {
		return nil, errors.New("usage: gnark-peer CURVE prove|verify|plonk-prove|plonk-setup|plonk-verify|msm-g1|msm-g2|ntt|extend|pairing|abe-encrypt|abe-decrypt LOG|COUNT|FILE|FOLDER")
	}
	curve, err := ecc.IDFromString(strings.ReplaceAll(args[0], "-", "_"))
	if err != nil {
		return nil, err
	}
	protocols := map[string]func(ecc.ID, int) (*work, error){
		"prove":        prove,
		"verify":       verify,
		"plonk-prove":  provePlonk,
		"plonk-setup":  setupPlonk,
		"plonk-verify": verifyPlonk,
	}
	if of, ok := protocols[args[1]]; ok {
		n, err := strconv.Atoi(args[2])
		if err != nil || n < 1 {
			return nil, fmt.Errorf("%q is no positive number", args[2])
		}
		return of(curve, n)
	}
	if strings.HasPrefix(args[1], "abe-") {
		return attributes(curve, args[1], args[2])
	}
	file, err := os.Open(args[2])
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return operator(curve, args[1], bufio.NewReaderSize(file, 1<<20))
}

func serve(w *work) error {
	fmt.Println("ready")
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		var threads, runs int
		if _, err := fmt.Sscan(lines.Text(), &threads, &runs); err != nil || threads < 1 || runs < 1 {
			return fmt.Errorf("%q is not a number of threads and a number of runs", lines.Text())
		}
		runtime.GOMAXPROCS(threads)
		var total time.Duration
		for range runs {
			if w.prepare != nil {
				w.prepare()
			}
			begin := time.Now()
			err := w.run(threads)
			total += time.Since(begin)
			if err != nil {
				return err
			}
		}
		// Between turns, so that the collector works neither in our time nor in the other side's.
		runtime.GC()
		fmt.Println(total.Seconds())
	}
	return nil
}

func main() {
	logger.Disable()
	w, err := of(os.Args[1:])
	if err == nil {
		runtime.GC()
		err = serve(w)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "gnark-peer:", err)
		os.Exit(1)
	}
}
