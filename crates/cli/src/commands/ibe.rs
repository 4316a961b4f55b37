//! Runs `pairwright ibe`: master keys, keys of identities, files that are encrypted to identities.

use super::ibe_documents::{IdentityKey, MasterKey, PublicPart, fingerprint};
use super::sealed::{self, Sealed};
use crate::args::{Cli, Ibe, IbeDecrypt, IbeEncrypt, IbeExtract, IbeSetup, KeyGroupsName};
use crate::failure::{Failure, SealedError};
use crate::files;
use crate::report::print_done_with_report;
use crate::{output, randomness};
use pairwright::curve::HashToCurve;
use pairwright::curve::bls12_381::Bls12_381;
use pairwright::device::Session;
use pairwright::formats::{Stanza, file_key, from_hex, to_hex};
use pairwright::protocols::schemes::bls::{PublicKey, SecretKey, Signature, VerifyError, verify_point};
use pairwright::protocols::schemes::ibe::{DecryptionKey, Ibe as Scheme, IbeError};
use pairwright::protocols::schemes::{KeyGroups, MinPk, MinSig, Variant};
use serde::Serialize;
use std::path::Path;
use std::time::Instant;

/// The type of a stanza, whose arguments are its version, the variant and the master key's fingerprint.
const KIND: &str = "pairwright-ibe";
/// The version of a stanza.
const VERSION: &str = "1";

impl KeyGroupsName {
    /// The name of the variant in documents and stanzas.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::MinSig => "bls12381-min-sig",
            Self::MinPk => "bls12381-min-pk",
        }
    }
}

/// Calls a function that is generic over the groups with the groups of a variant.
macro_rules! on_variant {
    ($variant:expr, $function:ident($($argument:expr),*)) => {
        match $variant {
            KeyGroupsName::MinSig => $function::<MinSig>($($argument),*),
            KeyGroupsName::MinPk => $function::<MinPk>($($argument),*),
        }
    };
}
pub(super) use on_variant;

/// The scheme with a domain separation tag of its own for identities, so that no signature of another application is an identity's key.
pub(super) fn scheme<V: Variant>() -> Scheme<V> {
    Scheme::with_tag(format!("PAIRWRIGHT-IBE-V01-with-{}", V::Signatures::SUITE_RO).as_bytes())
}

/// The command's result for keys that were made.
#[derive(Serialize)]
struct Made {
    variant: &'static str,
    /// The fingerprint by which documents and files name the master key.
    master: String,
    /// The identity in hexadecimal, in the result for an identity's key.
    #[serde(skip_serializing_if = "Option::is_none")]
    identity: Option<String>,
}

/// The command's result for an encrypted or a decrypted file.
#[derive(Serialize)]
struct Done {
    variant: &'static str,
    master: String,
    /// Number of identities that can read the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    identities: Option<usize>,
    bytes: u64,
    seconds: f64,
}

/// Runs a subcommand: makes keys, encrypts or decrypts.
pub(crate) fn run(cli: &Cli, what: &Ibe) -> Result<(), Failure> {
    match what {
        Ibe::Setup(args) => on_variant!(args.variant, setup(cli, args)),
        Ibe::Extract(args) => {
            let master = MasterKey::read(&args.master)?;
            on_variant!(master.variant, extract(cli, args, &master))
        }
        Ibe::Encrypt(args) => {
            let public = PublicPart::read(&args.public)?;
            on_variant!(public.variant, encrypt(cli, args, &public))
        }
        Ibe::Decrypt(args) => {
            let key = IdentityKey::read(&args.key)?;
            on_variant!(key.variant, decrypt(cli, args, &key))
        }
    }
}

fn setup<V: Variant>(cli: &Cli, args: &IbeSetup) -> Result<(), Failure> {
    files::expect_new(&args.key, "a new master key")?;
    let secret = SecretKey::random(&mut randomness::system()?);
    let public = secret.public_key::<V>().to_bytes();
    let master = MasterKey { variant: args.variant, secret: secret.to_bytes() };
    master.write(&args.key)?;
    let made = Made { variant: args.variant.name(), master: fingerprint(&public), identity: None };
    PublicPart { variant: args.variant, public_key: public }.write(&args.public)?;
    output::print_done(cli, &made, |m| {
        let (key, public) = (args.key.display(), args.public.display());
        format!("{key}: master key {}, for nobody else; {public}: its public part", m.master)
    })
}

/// The identity that the options give, as text or in hexadecimal.
fn identity(text: Option<&str>, digits: Option<&str>) -> Result<Vec<u8>, Failure> {
    let (option, bytes) = match digits {
        Some(digits) => ("--identity-hex", from_hex(digits)),
        None => ("--identity", text.map(|text| text.as_bytes().to_vec())),
    };
    let bytes = bytes.filter(|bytes| !bytes.is_empty());
    Ok(bytes.ok_or(SealedError::Identity(option))?)
}

pub(super) fn point<V: KeyGroups>(path: &Path, bytes: &[u8]) -> Result<PublicKey<V>, Failure> {
    let wrong = |why| SealedError::Point { path: path.to_owned(), member: "public_key", why };
    Ok(PublicKey::from_bytes(bytes).map_err(wrong)?)
}

fn extract<V: Variant>(cli: &Cli, args: &IbeExtract, master: &MasterKey) -> Result<(), Failure> {
    let identity = identity(args.identity.as_deref(), args.identity_hex.as_deref())?;
    let wrong = |why| SealedError::Point { path: args.master.to_path_buf(), member: "secret", why };
    let secret = SecretKey::from_bytes(&*master.secret).map_err(wrong)?;
    let public_key = secret.public_key::<V>().to_bytes();
    let key = scheme::<V>().extract(&secret, &identity);
    let key = zeroize::Zeroizing::new(key.signature().to_bytes());
    let made = Made {
        variant: master.variant.name(),
        master: fingerprint(&public_key),
        identity: Some(to_hex(&identity)),
    };
    IdentityKey { variant: master.variant, public_key, identity, key }.write(&args.output)?;
    output::print_done(cli, &made, |m| {
        format!(
            "{}: key of the identity under master key {}, for nobody else",
            args.output.display(),
            m.master
        )
    })
}

fn encrypt<V: Variant>(cli: &Cli, args: &IbeEncrypt, public: &PublicPart) -> Result<(), Failure> {
    let start = Instant::now();
    let master = point::<V>(&args.public, &public.public_key)?;
    let texts = args.identity.iter().map(|text| identity(Some(text), None));
    let digits = args.identity_hex.iter().map(|digits| identity(None, Some(digits)));
    let identities = texts.chain(digits).collect::<Result<Vec<_>, _>>()?;
    let mut rng = randomness::system()?;
    let key = file_key(&mut rng);
    let board = args.on.machines.board::<Bls12_381>(cli)?;
    let mut on = Session::new(&board);
    let of_master = fingerprint(&public.public_key);
    let mut stanzas = Vec::with_capacity(identities.len());
    for identity in &identities {
        let sealed = scheme::<V>().encrypt(&mut on, &master, identity, &*key, &mut rng);
        let sealed = sealed.map_err(|why| match why {
            IbeError::Device(why) => why.into(),
            other => Failure::Internal(other.into()),
        })?;
        let arguments = [VERSION, public.variant.name(), &of_master].map(str::to_owned).to_vec();
        stanzas.push(Stanza { kind: KIND.to_owned(), arguments, body: sealed.to_bytes() });
    }
    let bytes = sealed::seal([&args.file, &args.output], args.form, (&key, &stanzas), &mut rng)?;
    let done = Done {
        variant: public.variant.name(),
        master: of_master,
        identities: Some(stanzas.len()),
        bytes,
        seconds: start.elapsed().as_secs_f64(),
    };
    print_done_with_report(cli, &done, args.on.requested_report(&on.finish()), |d| {
        let (to, bytes, after) = (args.output.display(), output::bytes(d.bytes), output::seconds(d.seconds));
        let n = stanzas.len();
        format!("{to}: {bytes}, encrypted to {n} identit{}, in {after}", if n == 1 { "y" } else { "ies" })
    })
}

fn decrypt<V: Variant>(cli: &Cli, args: &IbeDecrypt, key: &IdentityKey) -> Result<(), Failure> {
    let start = Instant::now();
    let board = args.on.machines.board::<Bls12_381>(cli)?;
    let mut on = Session::new(&board);
    let secret = decryption_key::<V>(&mut on, &args.key, key)?;
    let sealed = Sealed::open(&args.file)?;
    let of_master = fingerprint(&key.public_key);
    let candidates = candidates(&sealed, key.variant.name(), &of_master)?;
    let mut found = None;
    // Files do not name their identities, so that every stanza under this master key is tried.
    for index in candidates {
        let Some(stanza) = sealed.file.stanzas().get(index) else { continue };
        match sealed.key(&mut on, &secret, index, stanza) {
            Ok(key) => found = Some(key),
            Err(Failure::Rejected(_)) => continue,
            Err(other) => return Err(other),
        }
        break;
    }
    let found = found.ok_or_else(|| SealedError::NotForUs(sealed.name.clone()))?;
    let bytes = sealed.unseal(&found, &args.output)?;
    let done = Done {
        variant: key.variant.name(),
        master: of_master,
        identities: None,
        bytes,
        seconds: start.elapsed().as_secs_f64(),
    };
    print_done_with_report(cli, &done, args.on.requested_report(&on.finish()), |d| {
        let (to, bytes, after) = (args.output.display(), output::bytes(d.bytes), output::seconds(d.seconds));
        format!("{to}: {bytes}, decrypted, in {after}")
    })
}

/// Decodes the key of a document, after checking that it belongs to the document's identity under its master key.
pub(super) fn decryption_key<V: Variant>(
    on: &mut Session<'_, Bls12_381>,
    path: &Path,
    key: &IdentityKey,
) -> Result<DecryptionKey<V>, Failure> {
    let master = point::<V>(path, &key.public_key)?;
    let wrong = |why| SealedError::Point { path: path.to_owned(), member: "key", why };
    let signature = Signature::<V>::from_bytes(&key.key).map_err(wrong)?;
    let of_identity = scheme::<V>().identity_point(&key.identity);
    verify_point(on, &master, &of_identity, &signature).map_err(|why| match why {
        VerifyError::Device(why) => why.into(),
        _ => {
            let what = "the key is not that of this identity under this master key".to_owned();
            Failure::from(SealedError::Document { path: path.to_owned(), what })
        }
    })?;
    Ok(DecryptionKey::from(signature))
}

/// The indices of the stanzas that are encrypted under this master key.
fn candidates(sealed: &Sealed, variant: &str, of_master: &str) -> Result<Vec<usize>, Failure> {
    let (mut ours, mut other) = (Vec::new(), None);
    let file = || sealed.name.clone();
    for (index, stanza) in sealed.file.stanzas().iter().enumerate().filter(|(_, s)| s.kind == KIND) {
        match stanza.arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
            [VERSION, found, master] if *found == variant && *master == of_master => ours.push(index),
            [VERSION, _, master] => {
                let (found, wanted) = ((*master).to_owned(), of_master.to_owned());
                other = other.or(Some(SealedError::OtherMaster { file: file(), found, wanted }));
            }
            words => {
                let found = words.first().copied().unwrap_or_default().to_owned();
                other = other.or(Some(SealedError::Version { file: file(), index, found }));
            }
        }
    }
    match other {
        _ if !ours.is_empty() => Ok(ours),
        Some(other) => Err(other.into()),
        None => Err(sealed.without("identities (pairwright-ibe)")),
    }
}
