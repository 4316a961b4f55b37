package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

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

var errDiffers = errors.New("the result differs from the one in the file")

// operands is a file of them, as bench/src/operands.rs writes it: their number, then values as they lie in memory, and at
// the end the result that the other side has.
type operands struct {
	in    io.Reader
	count int
}

// read takes the next values from a file.
func read[T any](from operands, count int) ([]T, error) {
	values := make([]T, count)
	return values, binary.Read(from.in, binary.LittleEndian, values)
}

// msm is a sum of multiples of points. sum is MultiExp of a group, which returns its receiver.
func msm[P comparable, S any](from operands, sum func([]P, []S, ecc.MultiExpConfig) (*P, error)) (*work, error) {
	points, err := read[P](from, from.count)
	if err != nil {
		return nil, err
	}
	scalars, err := read[S](from, from.count)
	if err != nil {
		return nil, err
	}
	expected, err := read[P](from, 1)
	if err != nil {
		return nil, err
	}
	found, err := sum(points, scalars, ecc.MultiExpConfig{})
	if err != nil {
		return nil, err
	}
	if *found != expected[0] {
		return nil, errDiffers
	}
	return &work{run: func(threads int) error {
		_, err := sum(points, scalars, ecc.MultiExpConfig{NbTasks: threads})
		return err
	}}, nil
}

// transform is a transform of values in place. The file holds the coset's shift after the values.
func transform[S comparable](from operands, with func(n uint64, shift S) func(values []S, threads int)) (*work, error) {
	original, err := read[S](from, from.count)
	if err != nil {
		return nil, err
	}
	shift, err := read[S](from, 1)
	if err != nil {
		return nil, err
	}
	expected, err := read[S](from, from.count)
	if err != nil {
		return nil, err
	}
	run := with(uint64(from.count), shift[0])
	values := make([]S, from.count)
	copy(values, original)
	run(values, 1)
	for i := range values {
		if values[i] != expected[i] {
			return nil, errDiffers
		}
	}
	return &work{
		prepare: func() { copy(values, original) },
		run:     func(threads int) error { run(values, threads); return nil },
	}, nil
}

// pairings is a product of pairings: the Miller loops divided among threads, which gnark-crypto leaves to its caller,
// and one final exponentiation.
func pairings[P, Q any, T comparable](
	from operands, loop func([]P, []Q) (T, error), finish func(*T, ...*T) T,
) (*work, error) {
	first, err := read[P](from, from.count)
	if err != nil {
		return nil, err
	}
	second, err := read[Q](from, from.count)
	if err != nil {
		return nil, err
	}
	expected, err := read[T](from, 1)
	if err != nil {
		return nil, err
	}
	product := func(threads int) (T, error) {
		loops := make([]*T, min(threads, from.count))
		err := divided(from.count, threads, func(i, start, end int) error {
			value, err := loop(first[start:end], second[start:end])
			loops[i] = &value
			return err
		})
		if err != nil {
			var none T
			return none, err
		}
		return finish(loops[0], loops[1:]...), nil
	}
	for _, threads := range []int{1, 2} {
		if found, err := product(threads); err != nil {
			return nil, err
		} else if found != expected[0] {
			return nil, errDiffers
		}
	}
	return &work{run: func(threads int) error {
		_, err := product(threads)
		return err
	}}, nil
}

// operator is one of gnark-crypto's, on operands from a file.
func operator(curve ecc.ID, name string, in io.Reader) (*work, error) {
	var count uint64
	if err := binary.Read(in, binary.LittleEndian, &count); err != nil {
		return nil, err
	}
	from := operands{in, int(count)}
	switch curve.String() + " " + name {
	case "bn254 msm-g1":
		return msm(from, new(bn.G1Affine).MultiExp)
	case "bn254 msm-g2":
		return msm(from, new(bn.G2Affine).MultiExp)
	case "bn254 pairing":
		return pairings(from, bn.MillerLoop, bn.FinalExponentiation)
	case "bn254 ntt":
		return transform(from, func(n uint64, _ bnfr.Element) func([]bnfr.Element, int) {
			domain := bnfft.NewDomain(n)
			return func(values []bnfr.Element, threads int) {
				domain.FFT(values, bnfft.DIF, bnfft.WithNbTasks(threads))
				bnfft.BitReverse(values)
			}
		})
	case "bn254 extend":
		return transform(from, func(n uint64, shift bnfr.Element) func([]bnfr.Element, int) {
			domain := bnfft.NewDomain(n, bnfft.WithShift(shift))
			return func(values []bnfr.Element, threads int) {
				domain.FFTInverse(values, bnfft.DIF, bnfft.WithNbTasks(threads))
				domain.FFT(values, bnfft.DIT, bnfft.OnCoset(), bnfft.WithNbTasks(threads))
			}
		})
	case "bls12_381 msm-g1":
		return msm(from, new(bls381.G1Affine).MultiExp)
	case "bls12_381 msm-g2":
		return msm(from, new(bls381.G2Affine).MultiExp)
	case "bls12_381 pairing":
		return pairings(from, bls381.MillerLoop, bls381.FinalExponentiation)
	case "bls12_381 ntt":
		return transform(from, func(n uint64, _ bls381fr.Element) func([]bls381fr.Element, int) {
			domain := bls381fft.NewDomain(n)
			return func(values []bls381fr.Element, threads int) {
				domain.FFT(values, bls381fft.DIF, bls381fft.WithNbTasks(threads))
				bls381fft.BitReverse(values)
			}
		})
	case "bls12_381 extend":
		return transform(from, func(n uint64, shift bls381fr.Element) func([]bls381fr.Element, int) {
			domain := bls381fft.NewDomain(n, bls381fft.WithShift(shift))
			return func(values []bls381fr.Element, threads int) {
				domain.FFTInverse(values, bls381fft.DIF, bls381fft.WithNbTasks(threads))
				domain.FFT(values, bls381fft.DIT, bls381fft.OnCoset(), bls381fft.WithNbTasks(threads))
			}
		})
	case "bls12_377 msm-g1":
		return msm(from, new(bls377.G1Affine).MultiExp)
	case "bls12_377 msm-g2":
		return msm(from, new(bls377.G2Affine).MultiExp)
	case "bls12_377 pairing":
		return pairings(from, bls377.MillerLoop, bls377.FinalExponentiation)
	case "bls12_377 ntt":
		return transform(from, func(n uint64, _ bls377fr.Element) func([]bls377fr.Element, int) {
			domain := bls377fft.NewDomain(n)
			return func(values []bls377fr.Element, threads int) {
				domain.FFT(values, bls377fft.DIF, bls377fft.WithNbTasks(threads))
				bls377fft.BitReverse(values)
			}
		})
	case "bls12_377 extend":
		return transform(from, func(n uint64, shift bls377fr.Element) func([]bls377fr.Element, int) {
			domain := bls377fft.NewDomain(n, bls377fft.WithShift(shift))
			return func(values []bls377fr.Element, threads int) {
				domain.FFTInverse(values, bls377fft.DIF, bls377fft.WithNbTasks(threads))
				domain.FFT(values, bls377fft.DIT, bls377fft.OnCoset(), bls377fft.WithNbTasks(threads))
			}
		})
	}
	return nil, fmt.Errorf("no operator %q on %s", name, curve)
}
