// 36 transfers among 2^20 accounts.
pragma circom 2.0.0;

include "rollup.circom";

component main {public [root]} = Rollup(36, 20);
