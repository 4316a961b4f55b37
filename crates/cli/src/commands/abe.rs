//! Runs `pairwright abe` (attribute-based encryption): keys of systems, keys of attributes, files encrypted under policies.

use crate::args::{Abe, AbeDecrypt, AbeEncrypt, AbeInspect, AbeKeygen, AbeSetup, Cli};
use crate::failure::{AbeFailure, Failure};
use crate::report::{RequestedReport, print_done_with_report};
use crate::{files, output, randomness};
use pairwright::Boards;
use pairwright::curve::bls12_381::Bls12_381;
use pairwright::device::Session;
use pairwright::formats::FileBytes;
use pairwright::protocols::schemes::abe::{
    AbeError, AttributeKey, Attributes, Ciphertext, MasterKey, Policy, PublicKey, setup,
};
use serde::Serialize;
use std::path::Path;
use std::time::Instant;

/// Runs a subcommand: makes keys, encrypts, decrypts, or inspects a file.
pub(crate) fn run(cli: &Cli, what: &Abe) -> Result<(), Failure> {
    match what {
        Abe::Setup(args) => make_system(cli, args),
        Abe::Keygen(args) => make_key(cli, args),
        Abe::Encrypt(args) => encrypt(cli, args),
        Abe::Decrypt(args) => decrypt(cli, args),
        Abe::Inspect(args) => inspect(cli, args),
    }
}

/// The command's result for the keys of a system.
#[derive(Serialize)]
struct System {
    /// Bytes of the public key.
    public_bytes: usize,
    /// Bytes of the master key.
    key_bytes: usize,
    seconds: f64,
}

fn make_system(cli: &Cli, args: &AbeSetup) -> Result<(), Failure> {
    files::expect_new(&args.key, "a new master key")?;
    let start = Instant::now();
    let board = Bls12_381::host();
    let made = setup(&mut Session::new(&board), &mut randomness::system()?);
    let (public, master) = made.map_err(AbeFailure::of(&args.key))?;
    let (public, master) = (public.to_bytes(), master.to_bytes());
    files::write_secret(&args.key, |out| Ok(out.write_all(&master)?))?;
    files::write(&args.public, |out| Ok(out.write_all(&public)?))?;
    let seconds = start.elapsed().as_secs_f64();
    let system = System { public_bytes: public.len(), key_bytes: master.len(), seconds };
    output::print_done(cli, &system, |_| {
        let (key, public) = (args.key.display(), args.public.display());
        format!("{key}: master key, for nobody else; {public}: its public key")
    })
}

/// The attributes that the options name.
fn attributes(texts: &[String]) -> Result<Attributes, Failure> {
    let mut attributes = Attributes::new();
    for text in texts {
        attributes.insert_text(text).map_err(|why| AbeFailure::option("--attribute")(why.into()))?;
    }
    Ok(attributes)
}

/// An attribute without its value, of which a key holds only a hash.
#[derive(Serialize)]
struct Attribute {
    name: String,
    /// Whether the key satisfies the attribute with every value.
    every_value: bool,
}

fn list(attributes: &Attributes) -> Vec<Attribute> {
    attributes.names().map(|(name, every_value)| Attribute { name: name.to_owned(), every_value }).collect()
}

fn names(attributes: &[Attribute]) -> String {
    let name = |a: &Attribute| format!("{}{}", a.name, if a.every_value { " (every value)" } else { "" });
    attributes.iter().map(name).collect::<Vec<_>>().join(", ")
}

/// The command's result for a key of attributes.
#[derive(Serialize)]
struct Key {
    attributes: Vec<Attribute>,
    bytes: usize,
    seconds: f64,
}

fn make_key(cli: &Cli, args: &AbeKeygen) -> Result<(), Failure> {
    let start = Instant::now();
    let attributes = attributes(&args.attribute)?;
    let master =
        MasterKey::from_bytes(&FileBytes::open(&args.master)?).map_err(AbeFailure::of(&args.master))?;
    let board = Bls12_381::host();
    let key = master.derive(&mut Session::new(&board), &attributes, &mut randomness::system()?);
    let key = key.map_err(AbeFailure::option("--attribute"))?.to_bytes();
    files::write_secret(&args.output, |out| Ok(out.write_all(&key)?))?;
    let seconds = start.elapsed().as_secs_f64();
    let key = Key { attributes: list(&attributes), bytes: key.len(), seconds };
    output::print_done(cli, &key, |k| {
        format!("{}: key for {}, for its holder alone", args.output.display(), names(&k.attributes))
    })
}

/// The command's result for a file that was encrypted or decrypted.
#[derive(Serialize)]
struct Done {
    policy: String,
    /// Bytes of the message.
    message_bytes: usize,
    /// Bytes of the ciphertext.
    bytes: usize,
    seconds: f64,
}

fn encrypt(cli: &Cli, args: &AbeEncrypt) -> Result<(), Failure> {
    let start = Instant::now();
    let policy: Policy = match (&args.policy, &args.policy_file) {
        (Some(text), _) => {
            text.parse().map_err(|why| AbeFailure::option("--policy")(AbeError::Policy(why)))?
        }
        (None, Some(path)) => {
            files::read_text(path)?.parse().map_err(|why| AbeFailure::of(path)(AbeError::Policy(why)))?
        }
        // The parser requires one of the two.
        (None, None) => return Err(Failure::Internal("an encryption without its policy".into())),
    };
    let public =
        PublicKey::from_bytes(&FileBytes::open(&args.public)?).map_err(AbeFailure::of(&args.public))?;
    let message = FileBytes::open(&args.file)?;
    let board = args.on.machines.board::<Bls12_381>(cli)?;
    let mut on = Session::new(&board);
    let ciphertext = public.encrypt(&mut on, &policy, &message, &mut randomness::system()?);
    let ciphertext = ciphertext.map_err(AbeFailure::of(&args.file))?.to_bytes();
    files::write(&args.output, |out| Ok(out.write_all(&ciphertext)?))?;
    let done = Done {
        policy: policy.to_string(),
        message_bytes: message.len(),
        bytes: ciphertext.len(),
        seconds: start.elapsed().as_secs_f64(),
    };
    print_result(cli, &args.output, &done, args.on.requested_report(&on.finish()), "encrypted under")
}

fn decrypt(cli: &Cli, args: &AbeDecrypt) -> Result<(), Failure> {
    let start = Instant::now();
    let key = AttributeKey::from_bytes(&FileBytes::open(&args.key)?).map_err(AbeFailure::of(&args.key))?;
    let bytes = FileBytes::open(&args.file)?;
    let ciphertext = Ciphertext::from_bytes(&bytes).map_err(AbeFailure::of(&args.file))?;
    let board = args.on.machines.board::<Bls12_381>(cli)?;
    let mut on = Session::new(&board);
    let message = key.decrypt(&mut on, &ciphertext).map_err(AbeFailure::of(&args.file))?;
    files::write_secret(&args.output, |out| Ok(out.write_all(&message)?))?;
    let done = Done {
        policy: ciphertext.policy().to_string(),
        message_bytes: message.len(),
        bytes: bytes.len(),
        seconds: start.elapsed().as_secs_f64(),
    };
    print_result(cli, &args.output, &done, args.on.requested_report(&on.finish()), "decrypted, under")
}

fn print_result(
    cli: &Cli,
    output: &Path,
    done: &Done,
    requested: RequestedReport<'_>,
    how: &str,
) -> Result<(), Failure> {
    print_done_with_report(cli, done, requested, |done| {
        let (to, bytes) = (output.display(), output::bytes(done.message_bytes as u64));
        format!("{to}: {bytes} {how} `{}`, in {}", done.policy, output::seconds(done.seconds))
    })
}

/// The description of a file.
#[derive(Serialize)]
struct About {
    /// `ciphertext`, `public key`, `master key` or `attribute key`.
    kind: &'static str,
    bytes: usize,
    /// The policy of a ciphertext.
    #[serde(skip_serializing_if = "Option::is_none")]
    policy: Option<String>,
    /// The literals of the policy, in its order.
    #[serde(skip_serializing_if = "Option::is_none")]
    literals: Option<Vec<Literal>>,
    /// The layout of a ciphertext.
    #[serde(skip_serializing_if = "Option::is_none")]
    layout: Option<&'static str>,
    /// Bytes of the message.
    #[serde(skip_serializing_if = "Option::is_none")]
    message_bytes: Option<usize>,
    /// The attributes of a key.
    #[serde(skip_serializing_if = "Option::is_none")]
    attributes: Option<Vec<Attribute>>,
}

/// A literal of a policy.
#[derive(Serialize)]
struct Literal {
    name: String,
    value: String,
    /// Whether the attribute has to have another value.
    negated: bool,
}

impl About {
    fn new(kind: &'static str, bytes: usize) -> Self {
        Self {
            kind,
            bytes,
            policy: None,
            literals: None,
            layout: None,
            message_bytes: None,
            attributes: None,
        }
    }
}

fn inspect(cli: &Cli, args: &AbeInspect) -> Result<(), Failure> {
    let file = FileBytes::open(&args.file)?;
    let bytes: &[u8] = &file;
    let wrong = AbeFailure::of(&args.file);
    let asked = attributes(&args.attribute)?;
    let of_keys = |kind| {
        let path = args.file.to_path_buf();
        if asked.is_empty() { Ok(()) } else { Err(AbeFailure::NoPolicy { path, kind }) }
    };
    let mut about = About::new("ciphertext", bytes.len());
    if MasterKey::is_likely(bytes) {
        about.kind = "master key";
        of_keys(about.kind)?;
        MasterKey::from_bytes(bytes).map_err(wrong)?;
    } else if PublicKey::is_likely(bytes) {
        about.kind = "public key";
        of_keys(about.kind)?;
        PublicKey::from_bytes(bytes).map_err(wrong)?;
    } else if bytes.starts_with(b"v") || bytes.starts_with(&[32, 0]) {
        let ciphertext = Ciphertext::from_bytes(bytes).map_err(wrong)?;
        if !asked.is_empty() {
            ciphertext.could_be_decrypted_with(&asked).map_err(AbeFailure::of(&args.file))?;
        }
        let literals = ciphertext.policy().literals().map(|(name, value, positive)| Literal {
            name: name.to_owned(),
            value: value.to_owned(),
            negated: !positive,
        });
        about.literals = Some(literals.collect());
        about.policy = Some(ciphertext.policy().to_string());
        about.layout = Some(ciphertext.layout().name());
        about.message_bytes = Some(ciphertext.message_len());
    } else {
        about.kind = "attribute key";
        of_keys(about.kind)?;
        let key = AttributeKey::from_bytes(bytes).map_err(wrong)?;
        about.attributes = Some(list(&key.attributes()));
    }
    output::print(cli, &about, |a| {
        let mut lines =
            vec![format!("{}: {}, {}", args.file.display(), a.kind, output::bytes(a.bytes as u64))];
        lines.extend(a.policy.iter().map(|policy| format!("policy: {policy}")));
        lines.extend(a.message_bytes.map(|n| format!("message: {}", output::bytes(n as u64))));
        lines.extend(a.layout.map(|layout| format!("layout: CIRCL {layout}")));
        lines.extend(a.attributes.iter().map(|attributes| format!("attributes: {}", names(attributes))));
        if !asked.is_empty() {
            lines.push("the attributes satisfy the policy".to_owned());
        }
        lines.join("\n")
    })
}
