// Command gnark-crypto times the MSM and the NTT of gnark-crypto on this machine: uniform scalars, distinct points of
// the subgroup, natural order in and out. Go and Rust cannot take turns in one process, so compare its figures only
// with those of a run of `cargo x bench msm` or `ntt` just before or after it.
//
//	go run . [-threads 1,2] [-sizes 12,16,20]
package main

import (
	"flag"
	"fmt"
	"runtime"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/consensys/gnark-crypto/ecc"
	bls377 "github.com/consensys/gnark-crypto/ecc/bls12-377"
	bls377fr "github.com/consensys/gnark-crypto/ecc/bls12-377/fr"
	bls377fft "github.com/consensys/gnark-crypto/ecc/bls12-377/fr/fft"
	bls381 "github.com/consensys/gnark-crypto/ecc/bls12-381"
	bls381fr "github.com/consensys/gnark-crypto/ecc/bls12-381/fr"
	bls381fft "github.com/consensys/gnark-crypto/ecc/bls12-381/fr/fft"
	bn "github.com/consensys/gnark-crypto/ecc/bn254"
	bnfr "github.com/consensys/gnark-crypto/ecc/bn254/fr"
	bnfft "github.com/consensys/gnark-crypto/ecc/bn254/fr/fft"
)

// budget is what one row may take, beyond three runs.
const budget = 4 * time.Second

func list(text string) []int {
	var out []int
	for _, part := range strings.Split(text, ",") {
		n, err := strconv.Atoi(part)
		if err != nil {
			panic(err)
		}
		out = append(out, n)
	}
	return out
}

// row prints minimum and median of the runs of work; prepare is not timed.
func row(operator string, logN, threads int, prepare, work func()) {
	runtime.GOMAXPROCS(threads)
	prepare()
	work()
	var times []time.Duration
	for begin := time.Now(); len(times) < 3 || (time.Since(begin) < budget && len(times) < 25); {
		prepare()
		start := time.Now()
		work()
		times = append(times, time.Since(start))
	}
	sort.Slice(times, func(i, j int) bool { return times[i] < times[j] })
	fmt.Printf("| %s | 2^%d | %d | %v | %v |\n", operator, logN, threads,
		times[0].Round(time.Microsecond), times[len(times)/2].Round(time.Microsecond))
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func nothing() {}

func main() {
	threads := flag.String("threads", "1,2", "numbers of threads")
	sizes := flag.String("sizes", "12,16,20", "logarithms of sizes")
	flag.Parse()
	fmt.Println("| gnark-crypto | size | threads | min | median |\n|---|---|---|---|---|")
	for _, logN := range list(*sizes) {
		runtime.GOMAXPROCS(runtime.NumCPU())
		n := 1 << logN
		bnScalars, bls381Scalars, bls377Scalars := make([]bnfr.Element, n), make([]bls381fr.Element, n), make([]bls377fr.Element, n)
		for i := range n {
			bnScalars[i].MustSetRandom()
			bls381Scalars[i].MustSetRandom()
			bls377Scalars[i].MustSetRandom()
		}
		_, _, bnG1, bnG2 := bn.Generators()
		_, _, bls381G1, bls381G2 := bls381.Generators()
		_, _, bls377G1, bls377G2 := bls377.Generators()
		// Points with other logarithms than the scalars: those of the scalars in reverse.
		bnReversed, bls381Reversed, bls377Reversed := make([]bnfr.Element, n), make([]bls381fr.Element, n), make([]bls377fr.Element, n)
		for i := range n {
			bnReversed[i], bls381Reversed[i], bls377Reversed[i] = bnScalars[n-1-i], bls381Scalars[n-1-i], bls377Scalars[n-1-i]
		}
		bnPoints := bn.BatchScalarMultiplicationG1(&bnG1, bnReversed)
		bls381Points := bls381.BatchScalarMultiplicationG1(&bls381G1, bls381Reversed)
		bls377Points := bls377.BatchScalarMultiplicationG1(&bls377G1, bls377Reversed)
		bnPoints2 := bn.BatchScalarMultiplicationG2(&bnG2, bnReversed)
		bls381Points2 := bls381.BatchScalarMultiplicationG2(&bls381G2, bls381Reversed)
		bls377Points2 := bls377.BatchScalarMultiplicationG2(&bls377G2, bls377Reversed)
		bnDomain, bls381Domain, bls377Domain := bnfft.NewDomain(uint64(n)), bls381fft.NewDomain(uint64(n)), bls377fft.NewDomain(uint64(n))
		bnValues, bls381Values, bls377Values := make([]bnfr.Element, n), make([]bls381fr.Element, n), make([]bls377fr.Element, n)

		for _, t := range list(*threads) {
			config := ecc.MultiExpConfig{NbTasks: t}
			row("BN254 G1 msm", logN, t, nothing, func() {
				_, err := new(bn.G1Jac).MultiExp(bnPoints, bnScalars, config)
				check(err)
			})
			row("BLS12-381 G1 msm", logN, t, nothing, func() {
				_, err := new(bls381.G1Jac).MultiExp(bls381Points, bls381Scalars, config)
				check(err)
			})
			row("BLS12-377 G1 msm", logN, t, nothing, func() {
				_, err := new(bls377.G1Jac).MultiExp(bls377Points, bls377Scalars, config)
				check(err)
			})
			if logN <= 18 {
				row("BN254 G2 msm", logN, t, nothing, func() {
					_, err := new(bn.G2Jac).MultiExp(bnPoints2, bnScalars, config)
					check(err)
				})
				row("BLS12-381 G2 msm", logN, t, nothing, func() {
					_, err := new(bls381.G2Jac).MultiExp(bls381Points2, bls381Scalars, config)
					check(err)
				})
				row("BLS12-377 G2 msm", logN, t, nothing, func() {
					_, err := new(bls377.G2Jac).MultiExp(bls377Points2, bls377Scalars, config)
					check(err)
				})
			}
			row("BN254 Fr ntt", logN, t, func() { copy(bnValues, bnScalars) }, func() {
				bnDomain.FFT(bnValues, bnfft.DIF, bnfft.WithNbTasks(t))
				bnfft.BitReverse(bnValues)
			})
			row("BLS12-381 Fr ntt", logN, t, func() { copy(bls381Values, bls381Scalars) }, func() {
				bls381Domain.FFT(bls381Values, bls381fft.DIF, bls381fft.WithNbTasks(t))
				bls381fft.BitReverse(bls381Values)
			})
			row("BLS12-377 Fr ntt", logN, t, func() { copy(bls377Values, bls377Scalars) }, func() {
				bls377Domain.FFT(bls377Values, bls377fft.DIF, bls377fft.WithNbTasks(t))
				bls377fft.BitReverse(bls377Values)
			})
		}
	}
}
