//! The properties of arbitrary bytes as a keystore, as a document of BLS keys and signatures, or as a list of calls of precompiled
//! contracts, and of arbitrary bytes as the input of such a call. The fuzz target and the tests of `formats` call this.

use pairwright_formats::bls::{
    PartialDocument, PublicDocument, SecretDocument, ShareDocument, SignatureDocument, ThresholdDocument,
};
use pairwright_formats::keystore::Keystore;
use pairwright_formats::precompile::{Precompile, read_cases};
use pairwright_formats::{FileBytes, FormatError};
use std::io::Write;

/// The bytes of a document that was read and written again, or the error.
type Written = Result<Vec<u8>, String>;

fn written<T>(
    read: Result<T, impl ToString>,
    write: impl FnOnce(&T, &mut dyn Write) -> Result<(), FormatError>,
) -> Written {
    let document = read.map_err(|why| why.to_string())?;
    let mut out = Vec::new();
    write(&document, &mut out).expect("memory takes everything");
    Ok(out)
}

/// All readers of documents, each followed by its writer.
const READERS: [fn(&FileBytes) -> Written; 7] = [
    |file| written(Keystore::read(file), |document, out| document.write(out)),
    |file| written(SecretDocument::read(file), |document, out| document.write(out)),
    |file| written(PublicDocument::read(file), |document, out| document.write(out)),
    |file| written(SignatureDocument::read(file), |document, out| document.write(out)),
    |file| written(ShareDocument::read(file), |document, out| document.write(out)),
    |file| written(ThresholdDocument::read(file), |document, out| document.write(out)),
    |file| written(PartialDocument::read(file), |document, out| document.write(out)),
];

/// Every reader refuses the bytes with the name of the file, or accepts them; then it also accepts the output of its writer, which is
/// written unchanged again. Returns the number of readers that accept the bytes. A call fails, or returns as many bytes as its contract
/// specifies.
pub(crate) fn signatures(data: &[u8]) -> usize {
    let named = |why: String| assert!(why.starts_with("fuzz"), "{why}");
    let of = |bytes: &[u8]| FileBytes::from_vec("fuzz", bytes.to_vec());
    let file = of(data);
    let mut taken = 0;
    for read in READERS {
        match read(&file) {
            Ok(once) => {
                assert_eq!(read(&of(&once)).expect("what we wrote"), once);
                taken += 1;
            }
            Err(why) => named(why),
        }
    }
    match read_cases(&file) {
        Ok(_) => taken += 1,
        Err(why) => named(why.to_string()),
    }
    for contract in Precompile::ALL {
        if let Ok(answer) = contract.call(data) {
            assert!([32, 64, 128, 256].contains(&answer.len()));
        }
    }
    taken
}
