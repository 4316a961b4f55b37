//! Runs `pairwright tlock`: files that can be read once a beacon has published a round, in the format of drand's `tlock`.

use super::sealed::{self, Sealed};
use crate::args::{Cli, Tlock, TlockDecrypt, TlockEncrypt, now};
use crate::failure::{Failure, SealedError};
use crate::report::print_done_with_report;
use crate::{files, output, randomness};
use pairwright::Boards;
use pairwright::device::Session;
use pairwright::formats::{ChainInfo, DrandBeacon, DrandScheme, FileName, Stanza, file_key};
use pairwright::protocols::schemes::bls::{PublicKey, Signature, VerifyError, verify_point};
use pairwright::protocols::schemes::ibe::{DecryptionKey, Ibe, IbeError, Suite};
use pairwright::protocols::schemes::{Bn254MinSig, MinPk, MinSig};
use serde::Serialize;
use std::path::Path;
use std::time::{Duration, Instant, UNIX_EPOCH};

/// The type of a stanza.
const KIND: &str = "tlock";

/// The command's result for an encrypted or a decrypted file.
#[derive(Serialize)]
struct Done {
    scheme: &'static str,
    chain_hash: String,
    round: u64,
    /// The time at which the round is due, in UTC.
    time: String,
    /// Number of bytes of the plaintext.
    bytes: u64,
    seconds: f64,
}

/// Calls a function that is generic over the groups, with the IBE scheme that hashes rounds as the chain's scheme does.
macro_rules! on_scheme {
    ($scheme:expr, $function:ident($($argument:expr),*)) => {
        match $scheme {
            DrandScheme::PedersenUnchained => $function::<MinPk>(Ibe::default(), $($argument),*),
            DrandScheme::UnchainedOnG1 => $function::<MinSig>(Ibe::fastnet(), $($argument),*),
            DrandScheme::UnchainedG1Rfc9380 => $function::<MinSig>(Ibe::default(), $($argument),*),
            DrandScheme::Bn254UnchainedOnG1 => $function::<Bn254MinSig>(Ibe::default(), $($argument),*),
        }
    };
}

/// Encrypts or decrypts a file.
pub(crate) fn run(cli: &Cli, what: &Tlock) -> Result<(), Failure> {
    match what {
        Tlock::Encrypt(args) => {
            let chain = chain(&args.chain)?;
            on_scheme!(chain.scheme, encrypt(cli, args, &chain))
        }
        Tlock::Decrypt(args) => {
            let chain = chain(&args.chain)?;
            on_scheme!(chain.scheme, decrypt(cli, args, &chain))
        }
    }
}

fn chain(path: &Path) -> Result<ChainInfo, Failure> {
    ChainInfo::from_json(&path.into(), &files::read_text(path)?).map_err(Failure::bad)
}

fn public_key<V: Suite>(path: &Path, chain: &ChainInfo) -> Result<PublicKey<V>, Failure> {
    let wrong = |why| SealedError::Point { path: path.to_owned(), member: "public_key", why };
    Ok(PublicKey::from_bytes(&chain.public_key).map_err(wrong)?)
}

fn encrypt<V: Suite<Engine: Boards>>(
    ibe: Ibe<V>,
    cli: &Cli,
    args: &TlockEncrypt,
    chain: &ChainInfo,
) -> Result<(), Failure> {
    let start = Instant::now();
    let clock = now().duration_since(UNIX_EPOCH).map_err(|_| SealedError::Clock)?;
    let round = match (args.round, args.time, args.duration) {
        (Some(round), ..) => round,
        (None, Some(time), _) => chain.round_at(time),
        (None, None, length) => {
            let until = clock.saturating_add(length.unwrap_or_default());
            chain.round_at(until.as_secs().saturating_add(u64::from(until.subsec_nanos() > 0)))
        }
    };
    let due = chain.time_of(round).ok_or(SealedError::NoRound(round))?;
    if due <= clock.as_secs() {
        let when = time(due);
        cli.warnings
            .add(format!("round {round} was due at {when}: whoever has its beacon can read the file now"));
    }
    let master = public_key::<V>(&args.chain, chain)?;
    let mut rng = randomness::system()?;
    let key = file_key(&mut rng);
    let board = args.on.machines.board::<V::Engine>(cli)?;
    let mut on = Session::new(&board);
    let sealed = ibe.encrypt(&mut on, &master, &Ibe::<V>::round(round), &*key, &mut rng);
    let sealed = sealed.map_err(|why| match why {
        IbeError::Device(why) => why.into(),
        other => Failure::Internal(other.into()),
    })?;
    let arguments = vec![round.to_string(), chain.hash_text()];
    let stanza = Stanza { kind: KIND.to_owned(), arguments, body: sealed.to_bytes() };
    let bytes = sealed::seal([&args.file, &args.output], args.form, (&key, &[stanza]), &mut rng)?;
    let done = done(chain, round, bytes, start);
    print_done_with_report(cli, &done, args.on.requested_report(&on.finish()), |d| {
        let (to, bytes, after) = (args.output.display(), output::bytes(d.bytes), output::seconds(d.seconds));
        format!("{to}: {bytes}, encrypted to round {}, which is due at {}, in {after}", d.round, d.time)
    })
}

fn decrypt<V: Suite<Engine: Boards>>(
    ibe: Ibe<V>,
    cli: &Cli,
    args: &TlockDecrypt,
    chain: &ChainInfo,
) -> Result<(), Failure> {
    let start = Instant::now();
    let master = public_key::<V>(&args.chain, chain)?;
    let beacon = DrandBeacon::from_text(&FileName::from(&*args.beacon), &files::read_text(&args.beacon)?);
    let beacon = beacon.map_err(Failure::bad)?;
    let wrong = |why| SealedError::Point { path: args.beacon.to_path_buf(), member: "signature", why };
    let signature = Signature::<V>::from_bytes(&beacon.signature).map_err(wrong)?;

    let sealed = Sealed::open(&args.file)?;
    let stanzas = of_chain(&sealed, chain)?;
    let mut rounds: Vec<u64> = stanzas.iter().map(|(_, round)| *round).collect();
    rounds.sort_unstable();
    rounds.dedup();
    if let Some(found) = beacon.round {
        if !rounds.contains(&found) {
            let early = rounds.first().is_some_and(|first| found < *first);
            let (file, rounds) = (sealed.name.clone(), named(chain, &rounds));
            return Err(SealedError::OtherRound { file, rounds, found, early }.into());
        }
        rounds.retain(|round| *round == found);
    }
    let board = args.on.machines.board::<V::Engine>(cli)?;
    let mut on = Session::new(&board);
    let round = signed(&ibe, &mut on, &master, &rounds, &signature)?;
    let round = round.ok_or_else(|| SealedError::Signature {
        path: args.beacon.to_path_buf(),
        rounds: named(chain, &rounds),
    })?;
    let secret = DecryptionKey::from(signature);
    let mut key = Err(sealed.without("this round"));
    for (index, _) in stanzas.iter().filter(|(_, of)| *of == round) {
        let Some(stanza) = sealed.file.stanzas().get(*index) else { continue };
        let found = sealed.key(&mut on, &secret, *index, stanza);
        let opened = found.is_ok();
        key = found;
        if opened {
            break;
        }
    }
    let bytes = sealed.unseal(&key?, &args.output)?;
    let done = done(chain, round, bytes, start);
    print_done_with_report(cli, &done, args.on.requested_report(&on.finish()), |d| {
        let (to, bytes, after) = (args.output.display(), output::bytes(d.bytes), output::seconds(d.seconds));
        format!("{to}: {bytes}, decrypted with the beacon of round {}, in {after}", d.round)
    })
}

/// The first of the rounds of which this is a valid signature under the chain's key.
fn signed<V: Suite<Engine: Boards>>(
    ibe: &Ibe<V>,
    on: &mut Session<'_, V::Engine>,
    master: &PublicKey<V>,
    rounds: &[u64],
    signature: &Signature<V>,
) -> Result<Option<u64>, Failure> {
    for round in rounds {
        let point = ibe.identity_point(&Ibe::<V>::round(*round));
        match verify_point(on, master, &point, signature) {
            Ok(()) => return Ok(Some(*round)),
            Err(VerifyError::Device(why)) => return Err(why.into()),
            Err(_) => {}
        }
    }
    Ok(None)
}

/// The stanzas for this chain: their indices in the header, and their rounds.
fn of_chain(sealed: &Sealed, chain: &ChainInfo) -> Result<Vec<(usize, u64)>, Failure> {
    let wanted = chain.hash_text();
    let (mut ours, mut other) = (Vec::new(), None);
    for (index, stanza) in sealed.file.stanzas().iter().enumerate() {
        // Stanzas of other types are skipped, as are those with another number of arguments, as in tlock.
        let [round, hash] = stanza.arguments.as_slice() else { continue };
        if stanza.kind != KIND {
            continue;
        }
        if *hash != wanted {
            other = Some(hash.clone());
            continue;
        }
        // Only digits are allowed: `parse` would accept a sign too.
        let number = Some(round).filter(|round| round.bytes().all(|byte| byte.is_ascii_digit()));
        let number = number.and_then(|round| round.parse::<u64>().ok()).filter(|round| *round > 0);
        let file = || sealed.name.clone();
        let number = number.ok_or_else(|| SealedError::RoundWord { file: file(), found: round.clone() })?;
        ours.push((index, number));
    }
    match other {
        _ if !ours.is_empty() => Ok(ours),
        Some(found) => Err(SealedError::OtherChain { file: sealed.name.clone(), found, wanted }.into()),
        None => Err(sealed.without("rounds of a beacon (tlock)")),
    }
}

/// Rounds with the times at which they are due, for messages.
fn named(chain: &ChainInfo, rounds: &[u64]) -> String {
    const MOST_NAMED: usize = 4;
    let of = |round: &u64| match chain.time_of(*round) {
        Some(due) => format!("round {round} (due at {})", time(due)),
        None => format!("round {round}"),
    };
    let mut text = rounds.iter().take(MOST_NAMED).map(of).collect::<Vec<_>>().join(", or ");
    if rounds.len() > MOST_NAMED {
        text.push_str(", or others");
    }
    text
}

/// A time in UTC as text; after the year 9999 the number of seconds since 1970.
fn time(seconds: u64) -> String {
    /// The last second of the year 9999.
    const LAST: u64 = 253_402_300_799;
    if seconds > LAST {
        return format!("{seconds} seconds after 1970");
    }
    humantime::format_rfc3339_seconds(UNIX_EPOCH + Duration::from_secs(seconds)).to_string()
}

fn done(chain: &ChainInfo, round: u64, bytes: u64, start: Instant) -> Done {
    Done {
        scheme: chain.scheme.name(),
        chain_hash: chain.hash_text(),
        round,
        time: chain.time_of(round).map_or_else(String::new, time),
        bytes,
        seconds: start.elapsed().as_secs_f64(),
    }
}
