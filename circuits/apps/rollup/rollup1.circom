// One transfer among 4 accounts.
pragma circom 2.0.0;

include "rollup.circom";

component main {public [root]} = Rollup(1, 2);
