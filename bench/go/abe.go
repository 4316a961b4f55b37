package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/cloudflare/circl/abe/cpabe/tkn20"
	"github.com/consensys/gnark-crypto/ecc"
)

// attributes makes work of CIRCL's attribute-based encryption from the files of a folder: the public key, a policy and a
// message; to decrypt, a key and a ciphertext. CIRCL computes on one thread. Ciphertexts are read in the measured time, as its
// function takes their bytes.
func attributes(curve ecc.ID, what, folder string) (*work, error) {
	if curve != ecc.BLS12_381 {
		return nil, errors.New("CIRCL has attribute-based encryption on bls12-381 alone")
	}
	read := func(name string) ([]byte, error) { return os.ReadFile(filepath.Join(folder, name)) }
	message, err := read("message")
	if err != nil {
		return nil, err
	}
	bytesOfKey, err := read("key")
	if err != nil {
		return nil, err
	}
	var key tkn20.AttributeKey
	if err := key.UnmarshalBinary(bytesOfKey); err != nil {
		return nil, err
	}
	opens := func(ciphertext []byte) error {
		found, err := key.Decrypt(ciphertext)
		if err == nil && !bytes.Equal(found, message) {
			err = errors.New("another message")
		}
		return err
	}
	if what == "abe-decrypt" {
		ciphertext, err := read("ciphertext")
		if err != nil {
			return nil, err
		}
		return &work{run: func(int) error { return opens(ciphertext) }}, opens(ciphertext)
	}
	bytesOfPublic, err := read("public")
	if err != nil {
		return nil, err
	}
	var public tkn20.PublicKey
	if err := public.UnmarshalBinary(bytesOfPublic); err != nil {
		return nil, err
	}
	text, err := read("policy")
	if err != nil {
		return nil, err
	}
	var policy tkn20.Policy
	if err := policy.FromString(string(text)); err != nil {
		return nil, fmt.Errorf("policy: %w", err)
	}
	encrypt := func() ([]byte, error) { return public.Encrypt(nil, policy, message) }
	ciphertext, err := encrypt()
	if err != nil {
		return nil, err
	}
	run := func(int) error {
		_, err := encrypt()
		return err
	}
	return &work{run: run}, opens(ciphertext)
}
