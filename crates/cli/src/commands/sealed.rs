//! Encryption and decryption of files in the format of age, which all commands on encrypted files share.

use crate::args::Form;
use crate::failure::{Failure, SealedError};
use crate::files;
use crate::progress::Progress;
use pairwright::device::Session;
use pairwright::formats::{AgeFile, AgeForm, FILE_KEY, FileKey, FileName, Stanza, encrypt_age};
use pairwright::protocols::schemes::ibe::{Ciphertext, DecryptionKey, IbeError, Suite};
use pairwright::randomness::ChaCha20Rng;
use std::fs::File;
use std::path::Path;
use zeroize::Zeroizing;

/// A file that is read, with its name for messages and its length for the progress bar.
struct Opened {
    file: File,
    name: FileName,
    length: u64,
}

fn open(path: &Path) -> Result<Opened, Failure> {
    let failed = |why| Failure::File { path: path.to_owned(), why };
    let file = File::open(path).map_err(failed)?;
    let about = file.metadata().map_err(failed)?;
    if about.is_dir() {
        return Err(failed(std::io::ErrorKind::IsADirectory.into()));
    }
    // The length of a stream is not known: 0 makes the bar a spinner.
    Ok(Opened { file, name: path.into(), length: if about.is_file() { about.len() } else { 0 } })
}

/// Encrypts a file under a file key, which the stanzas hold, and returns the number of its bytes.
pub(super) fn seal(
    [from, to]: [&Path; 2],
    form: Form,
    (key, stanzas): (&FileKey, &[Stanza]),
    rng: &mut ChaCha20Rng,
) -> Result<u64, Failure> {
    let Opened { mut file, name, length } = open(from)?;
    let progress = Progress::new(length, "encrypt");
    let form = if form.armor { AgeForm::Armored } else { AgeForm::Binary };
    files::write(to, |out| {
        encrypt_age((&name, &mut file), out, form, (key, stanzas), rng, &mut |bytes| progress.add(bytes))
    })
}

/// An encrypted file whose header with the stanzas has been read.
pub(super) struct Sealed {
    pub(super) file: AgeFile<File>,
    pub(super) name: FileName,
    length: u64,
}

impl Sealed {
    pub(super) fn open(path: &Path) -> Result<Self, Failure> {
        let Opened { file, name, length } = open(path)?;
        Ok(Self { file: AgeFile::read(name.clone(), file)?, name, length })
    }

    /// Decrypts the payload and returns the number of its bytes. The output file gets its name only after the whole payload has been
    /// authenticated.
    pub(super) fn unseal(self, key: &FileKey, to: &Path) -> Result<u64, Failure> {
        let progress = Progress::new(self.length, "decrypt");
        files::write_secret(to, |out| self.file.decrypt(key, out, &mut |bytes| progress.add(bytes)))
    }

    /// The error of a file without the wanted stanza, which names the stanzas that it has.
    pub(super) fn without(&self, wanted: &'static str) -> Failure {
        const MOST_NAMED: usize = 8;
        let kinds = self.file.stanzas().iter().map(|stanza| stanza.kind.as_str());
        let mut found = kinds.take(MOST_NAMED).collect::<Vec<_>>().join(", ");
        if self.file.stanzas().len() > MOST_NAMED {
            found.push_str(", and more");
        }
        SealedError::NoStanza { file: self.name.clone(), wanted, found }.into()
    }

    /// Decrypts the file's key from the body of a stanza.
    pub(super) fn key<V: Suite>(
        &self,
        on: &mut Session<'_, V::Engine>,
        key: &DecryptionKey<V>,
        index: usize,
        stanza: &Stanza,
    ) -> Result<FileKey, Failure> {
        let file = || self.name.clone();
        let of_stanza = |why| match why {
            IbeError::Device(why) => why.into(),
            why => Failure::from(SealedError::Stanza { file: file(), index, why }),
        };
        let ciphertext = Ciphertext::<V>::from_bytes(&stanza.body).map_err(of_stanza)?;
        let message = key.decrypt(on, &ciphertext).map_err(of_stanza)?;
        let found = message.len();
        let wrong = || SealedError::KeyLength { file: file(), index, found };
        let bytes: &[u8; FILE_KEY] = message.as_slice().try_into().map_err(|_| wrong())?;
        Ok(Zeroizing::new(*bytes))
    }
}
