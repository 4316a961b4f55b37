//! Keccak-f\[1600\] of FIPS 202, one round per cycle: the iterative hash engine of a tree unit.
//!
//! The round is a kernel of `moma` on words of 64 bits, which implements θ, ρ, π, χ and ι as in the standard. The round
//! counter and the selection of round constants are written in this module.

use super::ports;
use crate::block::signals;
use crate::error::RtlError;
use crate::lockstep::{Bench, Expected, Inputs, Oracle, Stalls};
use crate::{Block, Signal};
use pairwright_hash::{Compress, Sha3};
use pairwright_moma::ir::{Arg, Kernel, Op, Param};
use pairwright_moma::print::systemverilog::module;
use rand_chacha::ChaCha20Rng;
use rand_core::Rng;
use std::fmt::Write as _;

/// Rounds of a permutation, one per cycle.
pub const ROUNDS: u32 = 24;
/// Lanes of the state; lane (x, y) has index x + 5 y.
const LANES: usize = 25;
/// Bits of the state.
const STATE: u32 = 1600;

/// The state of the permutation, as 25 lanes of 64 bits.
type State = [u64; LANES];

/// The constants of ι, from the shift register of FIPS 202, section 3.2.5.
fn round_constants() -> [u64; ROUNDS as usize] {
    let mut register = 1u8;
    core::array::from_fn(|_| {
        (0..7).fold(0, |constant, j| {
            let bit = register & 1;
            register = (register << 1) ^ if register >> 7 == 1 { 0x71 } else { 0 };
            constant | u64::from(bit) << ((1u32 << j) - 1)
        })
    })
}

/// The rotation of each lane by ρ, and the lane that π moves it to: FIPS 202, sections 3.2.2 and 3.2.3.
fn moves() -> [(usize, u32, usize); LANES] {
    let mut all = [(0, 0, 0); LANES];
    let (mut x, mut y) = (1, 0);
    for t in 0..24u32 {
        let (from, to) = (x + 5 * y, y + 5 * ((2 * x + 3 * y) % 5));
        all[t as usize + 1] = (from, (t + 1) * (t + 2) / 2 % 64, to);
        (x, y) = (y, (2 * x + 3 * y) % 5);
    }
    all
}

/// The kernel `s, rc -> r` of one round.
fn round() -> Kernel {
    let mut k = Kernel::new("keccak_round");
    let lanes: Vec<Arg> = (0..LANES).map(|_| k.var(64).into()).collect();
    let state =
        |name: &str, parts| Param { name: name.to_owned(), bits: STATE, parts, stride: 64, word: false };
    k.inputs.push(state("s", lanes.clone()));
    let rc = k.input("rc", 64);
    let mut two =
        |op, a: &Arg, b: &Arg| -> Arg { k.push(op, 64, vec![a.clone(), b.clone()], &[64])[0].into() };
    let parity: Vec<Arg> = (0..5)
        .map(|x| (1..5).fold(lanes[x].clone(), |sum, y| two(Op::Xor, &sum, &lanes[x + 5 * y])))
        .collect();
    let mix: Vec<Arg> = (0..5)
        .map(|x| {
            let turned = two(Op::Funnel { k: 63 }, &parity[(x + 1) % 5], &parity[(x + 1) % 5]);
            two(Op::Xor, &parity[(x + 4) % 5], &turned)
        })
        .collect();
    let mut moved = vec![Arg::zero(); LANES];
    for (from, turn, to) in moves() {
        let lane = two(Op::Xor, &lanes[from], &mix[from % 5]);
        moved[to] = if turn == 0 { lane } else { two(Op::Funnel { k: 64 - turn }, &lane, &lane) };
    }
    let ones = Arg::small(u64::MAX);
    let mut out: Vec<Arg> = (0..LANES)
        .map(|at| {
            let (x, row) = (at % 5, at - at % 5);
            let not = two(Op::Xor, &moved[row + (x + 1) % 5], &ones);
            let and = two(Op::And, &not, &moved[row + (x + 2) % 5]);
            two(Op::Xor, &moved[at], &and)
        })
        .collect();
    out[0] = two(Op::Xor, &out[0], &rc);
    k.outputs.push(state("r", out));
    k
}

/// Prints the block. A state is accepted when `in_ready` is high, and leaves 24 cycles later.
///
/// # Errors
/// Those of the kernel.
pub fn print(name: &str) -> Result<Block, RtlError> {
    let logic = format!("{name}_round");
    let inputs = signals([("rst", 1), ("en", 1), ("in_valid", 1), ("s", STATE)]);
    let outputs = signals([("in_ready", 1), ("out_valid", 1), ("r", STATE)]);
    let mut constants = String::new();
    for (round, constant) in round_constants().iter().enumerate() {
        let _ = writeln!(constants, "            5'd{round}: rc = 64'h{constant:x};");
    }
    let text = format!(
        "{}
module {name} (
{}
);
    reg [4:0] round;
    reg [1599:0] state;
    wire [0:0] ready = round == 5'd0 || round == 5'd{ROUNDS};
    wire [0:0] take = ready & in_valid;
    wire [4:0] now = ready ? 5'd0 : round;
    reg [63:0] rc;
    always @* begin
        case (now)
{constants}            default: rc = 64'd0;
        endcase
    end
    wire [1599:0] next;
    {logic} round_0 (.s(ready ? s : state), .rc(rc), .r(next));
    always @(posedge clk) begin
        if (rst) round <= 5'd0;
        else if (en) round <= take ? 5'd1 : ready ? 5'd0 : round + 5'd1;
    end
    always @(posedge clk) if (en) state <= next;
    assign in_ready = ready;
    assign out_valid = round == 5'd{ROUNDS};
    assign r = state;
endmodule
",
        module(&round(), &logic)?,
        ports(&inputs, &outputs),
    );
    Ok(Block {
        name: name.to_owned(),
        title: "Keccak-f[1600], a round in each cycle.".to_owned(),
        inputs,
        outputs,
        registers: vec![Signal::new("round", 5), Signal::new("state", STATE)],
        latency: ROUNDS,
        interval: ROUNDS,
        text,
        parts: Vec::new(),
        kernels: Vec::new(),
    })
}

/// The registers of a permutation.
pub(super) struct Rounds {
    /// Completed rounds; 0 with nothing in flight.
    round: u32,
    state: State,
}

impl Rounds {
    /// A permutation with nothing in flight.
    pub(super) fn new() -> Self {
        Self { round: 0, state: [0; LANES] }
    }

    /// Whether a state can enter in this cycle.
    pub(super) fn is_ready(&self) -> bool {
        self.round == 0 || self.round == ROUNDS
    }

    /// The clock edge: `input` enters if the permutation is ready.
    pub(super) fn tick(&mut self, input: Option<State>) {
        if self.is_ready() {
            self.round = u32::from(input.is_some());
            self.state = step(&input.unwrap_or(self.state), round_constants()[0]);
        } else {
            self.state = step(&self.state, round_constants()[self.round as usize]);
            self.round += 1;
        }
    }

    /// The digest, once all rounds are done.
    pub(super) fn digest(&self) -> Option<[u64; 4]> {
        (self.round == ROUNDS).then(|| core::array::from_fn(|k| self.state[k]))
    }

    /// Writes the expected values of both registers, from index `at` on.
    pub(super) fn expect(&self, at: usize, out: &mut Expected) {
        out.value(at, &[u64::from(self.round)]);
        match self.round {
            0 => out.unconstrained(at + 1),
            _ => out.value(at + 1, &self.state),
        }
    }
}

/// The model: the permutation, one round per cycle.
pub struct Permutation {
    core: Rounds,
    /// The message of 64 bytes whose digest is due, if the input was a padded message.
    message: Option<[u8; 64]>,
    next: State,
    stalls: Stalls,
    oracle: Oracle,
}

impl Permutation {
    /// The model with nothing in flight.
    pub fn new() -> Self {
        let (stalls, oracle) = (Stalls::default(), Oracle::default());
        Self { core: Rounds::new(), message: None, next: [0; LANES], stalls, oracle }
    }
}

impl Default for Permutation {
    fn default() -> Self {
        Self::new()
    }
}

/// One round as in FIPS 202, for the model.
fn step(a: &State, constant: u64) -> State {
    let c: [u64; 5] = core::array::from_fn(|x| (0..5).fold(0, |sum, y| sum ^ a[x + 5 * y]));
    let d: [u64; 5] = core::array::from_fn(|x| c[(x + 4) % 5] ^ c[(x + 1) % 5].rotate_left(1));
    let mut b = [0; LANES];
    for (from, turn, to) in moves() {
        b[to] = (a[from] ^ d[from % 5]).rotate_left(turn);
    }
    let chi = |x: usize, row: usize| b[row + x] ^ (!b[row + (x + 1) % 5] & b[row + (x + 2) % 5]);
    let mut out = core::array::from_fn(|at| chi(at % 5, at - at % 5));
    out[0] ^= constant;
    out
}

/// The state of a message of 64 bytes, padded as SHA3-256 pads it.
fn padded(message: &[u8; 64]) -> State {
    let mut bytes = [0u8; 200];
    bytes[..64].copy_from_slice(message);
    bytes[64] = 0x06;
    bytes[135] = 0x80;
    core::array::from_fn(|lane| (0..8).rev().fold(0, |word, k| word << 8 | u64::from(bytes[8 * lane + k])))
}

/// The padded state of two digests as words.
pub(super) fn padded_words(a: &[u64; 4], b: &[u64; 4]) -> State {
    let mut state = [0; LANES];
    state[..4].copy_from_slice(a);
    state[4..8].copy_from_slice(b);
    (state[8], state[16]) = (0x06, 0x80 << 56);
    state
}

/// The message of which a state is the padded form, if there is one.
fn message(state: &State) -> Option<[u8; 64]> {
    let bytes = core::array::from_fn(|k| (state[k / 8] >> (8 * (k % 8))) as u8);
    (padded(&bytes) == *state).then_some(bytes)
}

impl Bench for Permutation {
    fn stimulus(&mut self, rng: &mut ChaCha20Rng, input: &mut Inputs) {
        self.stalls.stimulus(rng, input);
        match rng.next_u32() % 8 {
            0 => self.next = [0; LANES],
            1 => self.next = [u64::MAX; LANES],
            2 => self.next = core::array::from_fn(|_| rng.next_u64()),
            _ => {
                let mut bytes = [0; 64];
                rng.fill_bytes(&mut bytes);
                self.next = padded(&bytes);
            }
        }
        input.set(3, &self.next);
    }

    /// Messages of two digests, as in a tree.
    fn stream(&mut self, rng: &mut ChaCha20Rng, input: &mut Inputs) {
        input.flow();
        let mut bytes = [0; 64];
        rng.fill_bytes(&mut bytes);
        input.set(3, &padded(&bytes));
    }

    fn outputs(&self, out: &mut Expected) {
        out.flag(0, self.core.is_ready());
        out.flag(1, self.core.round == ROUNDS);
        match self.core.round {
            0 => out.unconstrained(2),
            _ => out.value(2, &self.core.state),
        }
    }

    fn edge(&mut self, input: &Inputs) {
        let [rst, en, valid] = input.flags();
        if rst {
            self.core.round = 0;
            return;
        }
        if !en {
            return;
        }
        if let (Some(digest), Some(message)) = (self.core.digest(), self.message) {
            let half = |from: usize| core::array::from_fn(|k| message[from + k]);
            let want = Sha3.compress(&half(0), &half(32));
            let mut words = want.chunks_exact(8).zip(&digest);
            self.oracle.judge(Some(words.all(|(bytes, lane)| *bytes == lane.to_le_bytes())));
        }
        let state: State = core::array::from_fn(|k| input.get(3)[k]);
        if self.core.is_ready() {
            self.message = message(&state);
        }
        self.core.tick(valid.then_some(state));
    }

    fn registers(&self, out: &mut Expected) {
        self.core.expect(0, out);
    }

    fn oracle(&self) -> Oracle {
        self.oracle
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigUint;
    use pairwright_moma::interp;

    #[test]
    fn the_model_hashes_and_the_kernel_is_the_models_round() {
        let bytes = core::array::from_fn(|k| k as u8);
        let mut state = padded(&bytes);
        assert_eq!(message(&state), Some(bytes));
        let number = |state: &State| state.iter().rev().fold(BigUint::ZERO, |n, lane| (n << 64u32) + *lane);
        for constant in round_constants() {
            let next = step(&state, constant);
            let out = interp::run(&round(), &[number(&state), BigUint::from(constant)]).unwrap();
            assert_eq!(out, [number(&next)]);
            state = next;
        }
        let half = |from: usize| core::array::from_fn(|k| bytes[from + k]);
        let digest: Vec<u8> = state[..4].iter().flat_map(|lane| lane.to_le_bytes()).collect();
        assert_eq!(digest, Sha3.compress(&half(0), &half(32)));
    }

    #[test]
    fn constants_and_rotations_are_those_of_fips_202() {
        let constants = round_constants();
        assert_eq!((constants[0], constants[1], constants[23]), (1, 0x8082, 0x8000_0000_8000_8008));
        // FIPS 202, table 2: lane (2, 1) is rotated by 6 and lane (4, 4) by 14.
        let turn = |lane: usize| moves().iter().find(|(from, ..)| *from == lane).map(|(_, turn, _)| *turn);
        assert_eq!((turn(7), turn(24), turn(0)), (Some(6), Some(14), Some(0)));
    }
}
