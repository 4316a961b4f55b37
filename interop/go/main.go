// Attribute-based encryption by CIRCL's tkn20, on files:
//
//	circl-peer setup PUBLIC MASTER
//	circl-peer keygen MASTER KEY NAME=VALUE...
//	circl-peer encrypt PUBLIC POLICY MESSAGE CIPHERTEXT
//	circl-peer decrypt KEY CIPHERTEXT MESSAGE
//
// It exits with 1 where a ciphertext is not opened, and with 2 for everything else that goes wrong.
package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/cloudflare/circl/abe/cpabe/tkn20"
)

var errNotOpened = errors.New("not opened")

type decoded interface{ UnmarshalBinary([]byte) error }
type encoded interface{ MarshalBinary() ([]byte, error) }

func read(path string, into decoded) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return into.UnmarshalBinary(data)
}

func write(path string, value encoded) error {
	data, err := value.MarshalBinary()
	if err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o600)
}

func run(args []string) error {
	switch {
	case len(args) == 3 && args[0] == "setup":
		public, master, err := tkn20.Setup(nil)
		if err != nil {
			return err
		}
		return errors.Join(write(args[1], &public), write(args[2], &master))
	case len(args) >= 4 && args[0] == "keygen":
		var master tkn20.SystemSecretKey
		if err := read(args[1], &master); err != nil {
			return err
		}
		held := map[string]string{}
		for _, word := range args[3:] {
			name, value, _ := strings.Cut(word, "=")
			held[name] = value
		}
		var attributes tkn20.Attributes
		attributes.FromMap(held)
		key, err := master.KeyGen(nil, attributes)
		if err != nil {
			return err
		}
		return write(args[2], &key)
	case len(args) == 5 && args[0] == "encrypt":
		var public tkn20.PublicKey
		var policy tkn20.Policy
		message, err := os.ReadFile(args[3])
		if err := errors.Join(err, read(args[1], &public), policy.FromString(args[2])); err != nil {
			return err
		}
		ciphertext, err := public.Encrypt(nil, policy, message)
		if err != nil {
			return err
		}
		return os.WriteFile(args[4], ciphertext, 0o600)
	case len(args) == 4 && args[0] == "decrypt":
		var key tkn20.AttributeKey
		ciphertext, err := os.ReadFile(args[2])
		if err := errors.Join(err, read(args[1], &key)); err != nil {
			return err
		}
		message, err := key.Decrypt(ciphertext)
		if err != nil {
			return errors.Join(errNotOpened, err)
		}
		return os.WriteFile(args[3], message, 0o600)
	}
	return errors.New("usage: circl-peer setup|keygen|encrypt|decrypt FILES")
}

func main() {
	err := run(os.Args[1:])
	if err == nil {
		return
	}
	fmt.Fprintln(os.Stderr, err)
	if errors.Is(err, errNotOpened) {
		os.Exit(1)
	}
	os.Exit(2)
}
