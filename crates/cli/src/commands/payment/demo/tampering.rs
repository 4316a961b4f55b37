//! Attempts to tamper with payments, each with the error by which it has to be refused.

use super::super::pay::{Honesty, make};
use super::roles::{Roles, TERMS};
use super::{MINTED, PAID, pay_line, payment_name};
use crate::args::Command;
use crate::args::payment::Payment;
use crate::failure::Failure;
use crate::usage;
use serde::Serialize;
use serde_json::Value;
use std::ffi::OsString;
use std::fs;

/// An attempt to tamper, and how it was refused.
#[derive(Serialize)]
pub(super) struct Attempt {
    pub(super) what: &'static str,
    /// The role that refused: `payer` (the payer's own program), `verifier` or `regulator`.
    pub(super) by: &'static str,
    /// The short name of the cause.
    pub(super) reason: &'static str,
    /// The error message.
    pub(super) said: String,
}

/// An attempt that is to be made: the role that has to refuse it, the expected reason, and the command line.
struct Trial {
    what: &'static str,
    by: &'static str,
    reason: &'static str,
    line: String,
}

/// Makes all attempts with payments of a note that is not spent, and checks that each is refused for the expected reason.
///
/// # Errors
/// When an attempt is accepted, or refused for another reason.
pub(super) fn run(roles: &Roles<'_>, note: usize) -> Result<Vec<Attempt>, Failure> {
    roles.ok(&pay_line(note, "spare"))?;
    let mut trials = forged(roles, note)?;
    trials.extend(changed(roles, &read(roles, "spare.json")?)?);
    trials.push(Trial {
        what: "the same payment a second time",
        by: "verifier",
        reason: "spent",
        line: verify(&payment_name(0)),
    });
    trials.extend(dishonest(roles, note)?);
    roles.ok("ibe extract @authority.json --identity regulator/2026-12 -o @regulator-next.json")?;
    trials.push(Trial {
        what: "opened with the regulator's key of another month",
        by: "regulator",
        reason: "key-period",
        line: open("spare", "regulator-next"),
    });
    let attempts = trials.into_iter().map(|trial| trial.attempt(roles)).collect::<Result<Vec<_>, _>>()?;
    // After all attempts, the unchanged payment is still accepted.
    roles.ok(&verify("spare"))?;
    Ok(attempts)
}

impl Trial {
    fn attempt(self, roles: &Roles<'_>) -> Result<Attempt, Failure> {
        let Self { what, by, reason, line } = self;
        let wrong =
            |found: String| Failure::Internal(format!("{what}: {found}, and {reason} was due").into());
        match roles.ask(&line)? {
            Ok(_) => Err(wrong("accepted".to_owned())),
            Err(refused) if refused.reason == reason => {
                Ok(Attempt { what, by, reason, said: short(roles, &refused.said) })
            }
            Err(refused) => Err(wrong(format!("refused for `{}`: {}", refused.reason, refused.said))),
        }
    }
}

/// An error message without the folder's name.
fn short(roles: &Roles<'_>, said: &str) -> String {
    let folder = roles.path("");
    said.trim_start_matches("rejected: ").replace(&*folder.to_string_lossy(), "")
}

fn verify(name: &str) -> String {
    format!("payment verify @payment-vk.json @{name}.json {TERMS}")
}

fn open(name: &str, key: &str) -> String {
    format!("payment open @payment-vk.json @{name}.json --key @{key}.json --registry @registry.json {TERMS}")
}

fn read(roles: &Roles<'_>, name: &str) -> Result<Value, Failure> {
    let path = roles.path(name);
    let text = fs::read(&path).map_err(|why| Failure::File { path, why })?;
    serde_json::from_slice(&text).map_err(|why| Failure::Internal(why.into()))
}

fn save(roles: &Roles<'_>, name: &str, bytes: &[u8]) -> Result<(), Failure> {
    let path = roles.path(&format!("{name}.json"));
    fs::write(&path, bytes).map_err(|why| Failure::File { path, why })
}

/// Attempts of a payer who replaces agreed files by his own, some of which his own program already refuses.
fn forged(roles: &Roles<'_>, note: usize) -> Result<Vec<Trial>, Failure> {
    for line in [
        "setup @payment.r1cs --unsafe-local -o @own.zkey",
        "ibe setup --key @own-authority.json --public @own-authority-public.json",
        "payment account -o @mallory.json --public @mallory-address.json",
        "payment register @own-registry.json --name Mallory --address @mallory-address.json --payers @own-payers.json",
    ] {
        roles.ok(line)?;
    }
    for (ledger, owner, name) in [("own-ledger", "alice", "own-note"), ("ledger", "mallory", "mallory-note")]
    {
        roles.ok(&format!(
            "payment mint @{ledger}.json --to @{owner}-address.json --value {MINTED} -o @{name}.json"
        ))?;
    }
    let honest = |name: &str| pay_line(note, name);
    let mallory = |name: &str| {
        honest(name)
            .replace("@alice.json --name Alice", "@mallory.json --name Mallory")
            .replace(&format!("@alice-note-{note}.json"), "@mallory-note.json")
    };
    let of_own = |name: &str, from: &str, to: &str| honest(name).replace(from, to);
    let mut trials = Vec::new();
    for (what, reason, line) in [
        (
            "a key of a setup whose secrets the payer knows",
            "verification-key",
            of_own("forged-key", "@payment.zkey", "@own.zkey"),
        ),
        (
            "encrypted under an authority of the payer's",
            "authority",
            of_own("forged-authority", "@authority-public.json", "@own-authority-public.json"),
        ),
        (
            "encrypted to a friend instead of the regulator",
            "period",
            of_own("forged-period", "regulator/2026-11", "friend"),
        ),
        (
            "a note of a ledger that the payer keeps",
            "root",
            of_own("forged-root", "@ledger.json", "@own-ledger.json")
                .replace(&format!("@alice-note-{note}.json"), "@own-note.json"),
        ),
        (
            "a payer who has registered herself",
            "registry",
            mallory("forged-registry").replace("@payers.json", "@own-payers.json"),
        ),
    ] {
        roles.ok(&line)?;
        let name = line.split_whitespace().find_map(|word| word.strip_prefix("@forged-")).unwrap_or_default();
        let name = format!("forged-{}", name.trim_end_matches(".json"));
        trials.push(Trial { what, by: "verifier", reason, line: verify(&name) });
    }
    for (what, reason, line) in [
        ("a payer who is not registered", "unregistered", mallory("none")),
        (
            "more than the note holds",
            "value",
            honest("none").replace(&format!("--value {PAID}"), &format!("--value {MINTED}")),
        ),
    ] {
        trials.push(Trial { what, by: "payer", reason, line });
    }
    Ok(trials)
}

/// Attempts with a valid payment of which one part is changed.
fn changed(roles: &Roles<'_>, good: &Value) -> Result<Vec<Trial>, Failure> {
    let mut trials = Vec::new();
    let mut change = |what, reason, name: &str, bytes: Vec<u8>| -> Result<(), Failure> {
        save(roles, name, &bytes)?;
        trials.push(Trial { what, by: "verifier", reason, line: verify(name) });
        Ok(())
    };
    let with = |member: &str, value: Value| {
        let mut document = good.clone();
        document[member] = value;
        document.to_string().into_bytes()
    };
    // Another number as the nullifier would let the note be spent again.
    change("another nullifier", "proof", "other-nullifier", with("nullifier", good["key_hash"].clone()))?;
    let mut proof = good["proof"].clone();
    proof["pi_a"][0] = "1".into();
    change("a point of the proof moved off its curve", "proof-point", "moved-point", with("proof", proof))?;
    let other = read(roles, &format!("{}.json", payment_name(0)))?;
    let encrypted = other["encrypted_key"].clone();
    change("the encrypted key of another payment", "digest", "swapped", with("encrypted_key", encrypted))?;
    let encrypted = good["encrypted_key"].as_str().unwrap_or_default();
    let cut = encrypted.get(2..).unwrap_or_default();
    change("the encrypted key cut short", "encrypted-key", "cut-key", with("encrypted_key", cut.into()))?;
    let text = good.to_string().into_bytes();
    change("the file cut short", "document", "cut", text[..text.len() / 2].to_vec())?;
    Ok(trials)
}

/// Attempts of a payer who does not encrypt the key that the proof commits to: the verifier cannot detect this, the regulator does.
fn dishonest(roles: &Roles<'_>, note: usize) -> Result<Vec<Trial>, Failure> {
    let mut trials = Vec::new();
    for (payer, name, what, reason) in [
        (Honesty::OtherKey, "other-key", "another key encrypted than the proof is about", "other-key"),
        (Honesty::Nothing, "no-key", "something encrypted that no key opens", "unopened"),
    ] {
        let words = roles.words(&pay_line(note, name));
        let words: Vec<OsString> = std::iter::once("pairwright".into()).chain(words).collect();
        let parsed = usage::parse(&words)?;
        let Command::Payment { what: Payment::Pay(args) } = &parsed.command else {
            return Err(Failure::Internal("the words of a payment are read as something else".into()));
        };
        make(&parsed, args, payer)?.write_payment(&args.output)?;
        roles.ok(&verify(name))?;
        trials.push(Trial { what, by: "regulator", reason, line: open(name, "regulator") });
    }
    Ok(trials)
}
