// SHA-256 of eight bytes, given as 64 bits, most significant first: a real circuit of 2^15 rows.
pragma circom 2.0.0;

include "circomlib/circuits/sha256/sha256.circom";

component main {public [in]} = Sha256(64);
