// A payment among 2^12 notes by one of 2^8 registered payers: as much as fits a domain of 2^13.
pragma circom 2.0.0;

include "payment.circom";

component main {public [root, registry, fee, digest]} = Payment(12, 8);
