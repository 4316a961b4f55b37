// 250 steps: with the output's copy this fills a domain of 2^8.
pragma circom 2.0.0;

include "chain.circom";

component main = Chain(250);
