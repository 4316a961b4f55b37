//! Arguments of `pairwright payment`: regulated payments.

use super::{InputPath, KeyPolicy, OnMachines, OutputPath};
use clap::{Args, Subcommand, ValueHint};
use std::path::PathBuf;

pub(super) const EXAMPLES: &str = "\
Examples:
  pairwright payment circuit --r1cs payment.r1cs
  pairwright setup payment.r1cs --unsafe-local -o payment.zkey
  pairwright vkey payment.zkey -o payment-vk.json
  pairwright ibe setup --key authority.json --public authority-public.json
  pairwright ibe extract authority.json --identity regulator/2026-11 -o regulator.json
  pairwright payment account -o alice.json --public alice-address.json
  pairwright payment account -o bob.json --public bob-address.json
  pairwright payment register registry.json --name Alice --address alice-address.json --payers payers.json
  pairwright payment mint ledger.json --to alice-address.json --value 100 -o alice-note.json
  pairwright payment pay payment.zkey --account alice.json --name Alice --note alice-note.json --to bob-address.json --value 30 --fee 1 --ledger ledger.json --payers payers.json --authority authority-public.json --period regulator/2026-11 -o payment.json --to-note bob-note.json --change-note alice-change.json
  pairwright payment verify payment-vk.json payment.json --record --ledger ledger.json --payers payers.json --authority authority-public.json --period regulator/2026-11
  pairwright payment open payment-vk.json payment.json --key regulator.json --registry registry.json --ledger ledger.json --payers payers.json --authority authority-public.json --period regulator/2026-11

All of it, and everything that must be refused: pairwright payment demo
Exit codes: 0 ok, 1 payment rejected, 2 bad input, 3 internal error. With --json, `reason` names why.";

#[derive(Debug, Subcommand)]
pub(crate) enum Payment {
    /// Write the circuit of a payment: constraints, and the calculator of its witnesses.
    Circuit(PaymentCircuit),
    /// Draw a spending key, and write the address that notes are paid to.
    Account(PaymentAccount),
    /// Enter a payer into the regulator's registry, and publish the registry's leaves.
    Register(PaymentRegister),
    /// Put a new note into a ledger, as an issuer does.
    Mint(PaymentMint),
    /// Spend a note: pay some of it to an address and the rest back, and encrypt the payer's identity to the regulator.
    Pay(PaymentPay),
    /// Verify a payment against a ledger, without learning who paid.
    Verify(PaymentVerify),
    /// Verify a payment and learn who paid, with the regulator's key.
    Open(PaymentOpen),
    /// Run payer, verifier and regulator as processes, tamper with payments, and print the cost of each step.
    Demo(PaymentDemo),
}

/// The documents and the identity that payer, verifier and regulator agree on.
#[derive(Debug, Args)]
pub(crate) struct Terms {
    /// Ledger (JSON): all notes, and the nullifiers of those that are spent.
    #[arg(long, value_name = "FILE")]
    pub ledger: InputPath,
    /// Leaves of the registry of payers (JSON), as `payment register` publishes them.
    #[arg(long, value_name = "FILE")]
    pub payers: InputPath,
    /// Public part of the authority's master key (JSON), as `ibe setup` writes it.
    #[arg(long, value_name = "FILE")]
    pub authority: InputPath,
    /// The identity whose key opens the payments, for instance the regulator's for one month.
    #[arg(long, value_name = "TEXT")]
    pub period: String,
}

#[derive(Debug, Args)]
#[command(group(clap::ArgGroup::new("what").required(true).multiple(true).args(["r1cs", "wasm"])))]
pub(crate) struct PaymentCircuit {
    /// File to write the constraints to (.r1cs), for `pairwright setup`.
    #[arg(long, value_name = "FILE")]
    pub r1cs: Option<OutputPath>,
    /// File to write the calculator of witnesses to (.wasm).
    #[arg(long, value_name = "FILE")]
    pub wasm: Option<OutputPath>,
}

#[derive(Debug, Args)]
pub(crate) struct PaymentAccount {
    /// File to write the spending key to, which only its owner can read.
    #[arg(short, long, value_name = "FILE")]
    pub output: OutputPath,
    /// File to write the address to.
    #[arg(long, value_name = "FILE")]
    pub public: OutputPath,
}

#[derive(Debug, Args)]
pub(crate) struct PaymentRegister {
    /// The regulator's registry (JSON), which only its owner can read; it is made if it does not exist.
    pub registry: OutputPath,
    /// The name of the payer.
    #[arg(long, value_name = "TEXT")]
    pub name: String,
    /// Address of the payer (JSON).
    #[arg(long, value_name = "FILE")]
    pub address: InputPath,
    /// File to write the leaves of the registry to, which contain no names.
    #[arg(long, value_name = "FILE")]
    pub payers: OutputPath,
}

#[derive(Debug, Args)]
pub(crate) struct PaymentMint {
    /// Ledger (JSON); it is made if it does not exist.
    pub ledger: OutputPath,
    /// Address of the owner (JSON).
    #[arg(long, value_name = "FILE")]
    pub to: InputPath,
    /// Value of the note.
    #[arg(long, value_name = "N")]
    pub value: u64,
    /// File to write the note to, which only its owner can read.
    #[arg(short, long, value_name = "FILE")]
    pub output: OutputPath,
}

#[derive(Debug, Args)]
pub(crate) struct PaymentPay {
    /// Proving key of the circuit (.zkey).
    pub zkey: InputPath,
    /// Spending key of the payer (JSON).
    #[arg(long, value_name = "FILE")]
    pub account: InputPath,
    /// The name that the payer is registered under.
    #[arg(long, value_name = "TEXT")]
    pub name: String,
    /// Note to spend (JSON).
    #[arg(long, value_name = "FILE")]
    pub note: InputPath,
    /// Address to pay to (JSON).
    #[arg(long, value_name = "FILE")]
    pub to: InputPath,
    /// Value to pay.
    #[arg(long, value_name = "N")]
    pub value: u64,
    /// Fee, which is public.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub fee: u64,
    #[command(flatten)]
    pub terms: Terms,
    /// File to write the payment to.
    #[arg(short, long, value_name = "FILE")]
    pub output: OutputPath,
    /// File to write the receiver's note to, which only its owner can read.
    #[arg(long, value_name = "FILE")]
    pub to_note: OutputPath,
    /// File to write the note for the remaining value to, which only its owner can read.
    #[arg(long, value_name = "FILE")]
    pub change_note: OutputPath,
    #[command(flatten)]
    pub on: OnMachines,
    #[command(flatten)]
    pub keys: KeyPolicy,
}

#[derive(Debug, Args)]
pub(crate) struct PaymentVerify {
    /// Verification key of the circuit (JSON).
    pub vkey: InputPath,
    /// The payment (JSON), as `payment pay` writes it.
    pub payment: InputPath,
    #[command(flatten)]
    pub terms: Terms,
    /// Enter a valid payment into the ledger: its nullifier, and the notes that it creates.
    #[arg(long)]
    pub record: bool,
    #[command(flatten)]
    pub on: OnMachines,
    #[command(flatten)]
    pub keys: KeyPolicy,
}

#[derive(Debug, Args)]
pub(crate) struct PaymentOpen {
    /// Verification key of the circuit (JSON).
    pub vkey: InputPath,
    /// The payment (JSON), as `payment pay` writes it.
    pub payment: InputPath,
    /// Key of the regulator's identity (JSON), as `ibe extract` writes it.
    #[arg(long, value_name = "FILE")]
    pub key: InputPath,
    /// The regulator's registry (JSON).
    #[arg(long, value_name = "FILE")]
    pub registry: InputPath,
    #[command(flatten)]
    pub terms: Terms,
    #[command(flatten)]
    pub on: OnMachines,
    #[command(flatten)]
    pub keys: KeyPolicy,
}

#[derive(Debug, Args)]
pub(crate) struct PaymentDemo {
    /// Devices to run payer, verifier and regulator on, one after the other; the first makes the payment that is tampered
    /// with.
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', default_value = "cpu,chip")]
    pub device: Vec<String>,
    /// Keep every file in this directory, which has to be new or empty.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub keep: Option<PathBuf>,
}
