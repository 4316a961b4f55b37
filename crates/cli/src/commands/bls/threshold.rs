//! Threshold signatures: a key shared among signers, the signers' parts, and the signature that enough parts give.

use super::fault::BlsFault;
use super::given::{message, write_public};
use super::on_variant;
use super::password::password_of;
use super::secret::{self, Secret, is_keystore, refuse_overwrite};
use crate::args::Cli;
use crate::args::bls::{Combine, NewSecret, SignPart, Split};
use crate::failure::Failure;
use crate::files::{self, MOST_SECRET, read_bytes};
use crate::output;
use crate::randomness;
use pairwright::Boards;
use pairwright::curve::Affine;
use pairwright::curve::bls12_381::Bls12_381;
use pairwright::curve::encoding::{PointEncoding, ZcashCompressed};
use pairwright::device::Session;
use pairwright::formats::bls::{
    Ciphersuite, PartialDocument, ShareDocument, SignatureDocument, ThresholdDocument, VariantName,
};
use pairwright::formats::keystore::Keystore;
use pairwright::formats::{FileBytes, to_hex};
use pairwright::protocols::schemes::Variant;
use pairwright::protocols::schemes::bls::threshold::{self, PublicPolynomial};
use pairwright::protocols::schemes::bls::{self, BlsError, Scheme, SecretKey, Signature, message_point};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// The largest size in bytes of a share with the dealer's published points.
const MOST_SHARE: u64 = 16 * MOST_SECRET;

/// The command's result for a key that was shared.
#[derive(Serialize)]
struct Shared {
    variant: &'static str,
    public_key: String,
    threshold: u16,
    signers: u16,
    shares: Vec<PathBuf>,
    shared_key: PathBuf,
}

/// Runs `bls threshold split`.
pub(super) fn split(cli: &Cli, args: &Split) -> Result<(), Failure> {
    fn shares<V: Variant>(cli: &Cli, args: &Split, key: &SecretKey) -> Result<(), Failure> {
        let variant = VariantName::of::<V>();
        let (shares, public) =
            threshold::split::<V>(key, args.threshold, args.signers, &mut randomness::system()?)?;
        let coefficients: Vec<Vec<u8>> = public.points().iter().map(ZcashCompressed::to_vec).collect();
        files::make_folder(&args.output)?;
        let shared_key = args.output.join("shared-key.json");
        let path = |index: u16| args.output.join(format!("share-{index}.json"));
        let paths: Vec<PathBuf> = shares.iter().map(|share| path(share.index)).collect();
        paths.iter().chain([&shared_key]).try_for_each(|path| refuse_overwrite(path, false))?;
        let password = args.share_password_file.as_deref().map(password_of).transpose()?;
        for (share, path) in shares.into_iter().zip(&paths) {
            let (index, key) = (share.index, share.key);
            match &password {
                Some(password) => {
                    let (to, path) = (NewSecret { output: path.clone().into(), force: false }, None);
                    let said = Some(format!("share {index} of {}", args.signers));
                    secret::write(cli, &to, &Secret { variant, key, path }, password, &args.kdf, said)?;
                }
                None => {
                    let document = ShareDocument { variant, index, key, coefficients: coefficients.clone() };
                    files::write_secret(path, |out| document.write(out))?;
                }
            }
        }
        let document = ThresholdDocument { variant, signers: args.signers, coefficients };
        files::write(&shared_key, |out| document.write(out))?;
        let done = Shared {
            variant: variant.name(),
            public_key: to_hex(&key.public_key::<V>().to_bytes()),
            threshold: args.threshold,
            signers: args.signers,
            shares: paths,
            shared_key,
        };
        output::print_done(cli, &done, |d| {
            format!(
                "{}: {} shares, {} of which sign together under the public key ({})\n{}",
                args.output.display(),
                d.signers,
                d.threshold,
                d.variant,
                d.public_key
            )
        })
    }
    let Secret { variant, key, .. } = args.secret.open(cli)?;
    on_variant!(variant, shares(cli, args, &key))
}

/// Decodes the points that a dealer published, all of which have to be in the subgroup.
fn published<V: Variant>(path: &Path, coefficients: &[Vec<u8>]) -> Result<PublicPolynomial<V>, Failure> {
    let invalid = |what: String| move |why: BlsError| BlsFault::Invalid { what, why };
    let points = coefficients.iter().enumerate().map(|(index, bytes)| {
        let what = format!("{}: coefficients[{index}]", path.display());
        let point: Result<Affine<V::Keys>, _> = ZcashCompressed::read(bytes);
        point.map_err(|why| invalid(what)(why.into()))
    });
    let points: Vec<_> = points.collect::<Result<_, _>>()?;
    Ok(PublicPolynomial::from_points(&points).map_err(invalid(path.display().to_string()))?)
}

/// The command's result for a signer's part of a signature.
#[derive(Serialize)]
struct Part {
    ciphersuite: String,
    index: u16,
    signature: String,
}

/// Runs `bls threshold sign`.
pub(super) fn sign(cli: &Cli, args: &SignPart) -> Result<(), Failure> {
    /// The part of a signer, after the share has been checked against the points that the dealer published.
    fn part<V: Variant>(
        path: &Path,
        share: &ShareDocument,
        scheme: Scheme,
        message: &[u8],
    ) -> Result<Vec<u8>, Failure> {
        let public = published::<V>(path, &share.coefficients)?;
        let expected = public.share(share.index);
        if expected.is_err() || expected.is_ok_and(|key| key != share.key.public_key()) {
            return Err(BlsFault::OtherShare(path.to_owned()).into());
        }
        // The message is signed under the group's public key, which the scheme may hash with it.
        let point = message_point::<V>(scheme, &public.key()?, message);
        Ok(share.key.sign_point::<V>(&point).to_bytes())
    }
    let message = message(&args.message)?;
    let share = open_share(cli, args)?;
    let (variant, scheme, index) = (share.variant, args.scheme.scheme(), share.index);
    let signature = on_variant!(variant, part(&args.share, &share, scheme, &message))?;
    let suite = Ciphersuite { variant, scheme };
    let done = Part { ciphersuite: suite.name(), index, signature: to_hex(&signature) };
    let document = PartialDocument { suite, index, signature };
    files::write(&args.output, |out| document.write(out))?;
    output::print_done(cli, &done, |d| {
        format!("{}: the part of signer {}, {}", args.output.display(), d.index, d.ciphersuite)
    })
}

/// Reads a share: a document, or a keystore, whose index is found by comparing its public key with the published points.
fn open_share(cli: &Cli, args: &SignPart) -> Result<ShareDocument, Failure> {
    fn index_of<V: Variant>(
        path: &Path,
        key: &SecretKey,
        public: &ThresholdDocument,
    ) -> Result<u16, Failure> {
        let (shares, key) = (published::<V>(path, &public.coefficients)?, key.public_key());
        let index = (1..=public.signers).find(|index| shares.share(*index).is_ok_and(|share| share == key));
        index.ok_or_else(|| BlsFault::OtherShare(path.to_owned()).into())
    }
    let bytes = read_bytes(&args.share, MOST_SHARE, "a share")?;
    let in_keystore = is_keystore(&bytes);
    let file = FileBytes::from_secret(&args.share, bytes);
    let public = args.shared_key.as_deref().map(shared_key).transpose()?;
    if !in_keystore {
        let mut share = ShareDocument::read(&file)?;
        share.coefficients = public.map_or(share.coefficients, |public| public.coefficients);
        return Ok(share);
    }
    let public = public.ok_or_else(|| BlsFault::NoSharedKey(args.share.to_path_buf()))?;
    let keystore = Keystore::read(&file)?;
    let password = args.password.known(cli)?;
    let Secret { variant, key, .. } =
        secret::open(&args.share, &file, &keystore, Some(public.variant), &password)?;
    let index = on_variant!(variant, index_of(&args.share, &key, &public))?;
    Ok(ShareDocument { variant, index, key, coefficients: public.coefficients })
}

/// Reads the shared key that a dealer published.
fn shared_key(path: &Path) -> Result<ThresholdDocument, Failure> {
    let bytes = read_bytes(path, MOST_SHARE, "a shared key")?;
    Ok(ThresholdDocument::read(&FileBytes::from_secret(path, bytes))?)
}

/// The command's result for a signature that is combined from parts.
#[derive(Serialize)]
struct CombinedSignature {
    ciphersuite: String,
    signature: String,
    signers: Vec<u16>,
}

/// Runs `bls threshold combine`.
pub(super) fn combine(cli: &Cli, args: &Combine) -> Result<(), Failure> {
    let key = shared_key(&args.key)?;
    let suite = Ciphersuite { variant: key.variant, scheme: args.scheme.scheme() };
    let mut parts = Vec::with_capacity(args.parts.len());
    for path in &args.parts {
        let bytes = read_bytes(path, MOST_SECRET, "a part of a signature")?;
        let part = PartialDocument::read(&FileBytes::from_secret(path, bytes))?;
        if part.suite != suite {
            let (found, expected) = (part.suite.name(), suite.name());
            return Err(BlsFault::Suite { what: path.display().to_string(), found, expected }.into());
        }
        if part.index > key.signers {
            let (path, index, signers) = (path.to_path_buf(), part.index, key.signers);
            return Err(BlsFault::NoSigner { path, index, signers }.into());
        }
        parts.push((&**path, part));
    }
    let (signature, signers) = on_variant!(suite.variant, together(cli, args, &key, &parts))?;
    let done = CombinedSignature { ciphersuite: suite.name(), signature: to_hex(&signature), signers };
    let document = SignatureDocument { suite, signature };
    let to = args.output.as_deref();
    write_public(to, |out| document.write(out))?;
    output::print_unless_in(cli, to, &done, |d| match to {
        Some(path) => {
            let signers: Vec<_> = d.signers.iter().map(u16::to_string).collect();
            format!(
                "{}: a signature of the signers {}, {}",
                path.display(),
                signers.join(", "),
                d.ciphersuite
            )
        }
        None => d.signature.clone(),
    })
}

/// The signature, after it has been verified under the group's public key, and the signers whose parts it is made of. Invalid
/// parts are left out with a warning, as long as there are enough valid ones.
fn together<V: Variant>(
    cli: &Cli,
    args: &Combine,
    key: &ThresholdDocument,
    parts: &[(&Path, PartialDocument)],
) -> Result<(Vec<u8>, Vec<u16>), Failure> {
    let scheme = args.scheme.scheme();
    let public = published::<V>(&args.key, &key.coefficients)?;
    let threshold = public.threshold();
    let group_key = public.key()?;
    let point = message_point::<V>(scheme, &group_key, &message(&args.message)?);
    let board = Bls12_381::host();
    let on = &mut Session::new(&board);
    let (mut valid, mut refused) = (Vec::new(), Vec::new());
    for (path, part) in parts {
        let verdict =
            public.share(part.index).and_then(|key| Ok((key, Signature::from_bytes(&part.signature)?)));
        let verdict = match verdict {
            Ok((key, signature)) => bls::verify_point(on, &key, &point, &signature).map(|()| signature),
            Err(why) => Err(why.into()),
        };
        match verdict {
            Ok(signature) => valid.push((part.index, signature)),
            Err(bls::VerifyError::Device(why)) => return Err(why.into()),
            Err(why) => refused.push(format!("{}: {why}", path.display())),
        }
    }
    if valid.len() < threshold && !refused.is_empty() {
        let (valid, named) = (valid.len(), refused.join("; "));
        return Err(BlsFault::FewValid { valid, threshold, named }.into());
    }
    let few = u16::try_from(threshold).unwrap_or(u16::MAX);
    let signature = threshold::combine(&valid, few)?;
    // Valid parts give a valid signature, so that this check finds only a fault of the device.
    bls::verify_point(on, &group_key, &point, &signature)?;
    for part in refused {
        cli.warnings.add(format!("a part is not valid, and was left out: {part}"));
    }
    Ok((signature.to_bytes(), valid.iter().take(threshold).map(|(index, _)| *index).collect()))
}
