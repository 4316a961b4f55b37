//! The payload: pieces of 64 KiB encrypted with ChaCha20-Poly1305, each under a nonce that holds its number and a flag for the
//! last piece (STREAM, eprint 2015/189).

use super::header::derived;
use super::{AgeError, FileKey, count, fill, place, read_error, wiped};
use crate::{FileName, FormatError};
use chacha20poly1305::aead::AeadInOut;
use chacha20poly1305::{ChaCha20Poly1305, KeyInit, Nonce, Tag};
use std::io::{self, BufRead, Read, Write};

/// Length in bytes of the nonce before the payload, from which the payload's key is derived.
pub(super) const NONCE: usize = 16;
/// Length of a full piece in bytes, without its tag.
pub(super) const PIECE: usize = 1 << 16;
/// Length of a piece's authentication tag in bytes.
pub(super) const TAG: usize = 16;

/// The cipher of a payload, with its position.
struct Stream {
    cipher: ChaCha20Poly1305,
    /// Number of the next piece.
    piece: u64,
}

impl Stream {
    fn new(key: &FileKey, nonce: &[u8; NONCE]) -> Self {
        let key = derived(key, Some(nonce), b"payload");
        Self { cipher: ChaCha20Poly1305::new((&*key).into()), piece: 0 }
    }

    /// The nonce of the next piece: its number in eleven bytes, big-endian, then a byte that is 1 for the last piece.
    fn nonce(&self, last: bool) -> Nonce {
        let number = u128::from(self.piece).wrapping_shl(8) | u128::from(last);
        let mut nonce = Nonce::default();
        nonce.iter_mut().rev().zip(number.to_le_bytes()).for_each(|(to, from)| *to = from);
        nonce
    }

    /// Encrypts the next piece in place; returns its tag.
    fn seal(&mut self, piece: &mut [u8], last: bool) -> io::Result<Tag> {
        let tag = self.cipher.encrypt_inout_detached(&self.nonce(last), &[], piece.into());
        self.piece = self.piece.saturating_add(1);
        // A piece is far below the cipher's length limit, so this error does not occur.
        tag.map_err(|_| io::ErrorKind::InvalidInput.into())
    }

    /// Decrypts the next piece in place, if it is authentic.
    fn open(&self, piece: &mut [u8], tag: &Tag, last: bool) -> Option<()> {
        self.cipher.decrypt_inout_detached(&self.nonce(last), &[], piece.into(), tag).ok()
    }
}

/// Encrypts all bytes of `from`; returns their number.
pub(super) fn encrypt(
    name: &FileName,
    key: &FileKey,
    nonce: &[u8; NONCE],
    from: &mut dyn Read,
    to: &mut dyn Write,
    progress: &mut dyn FnMut(u64),
) -> Result<u64, FormatError> {
    let mut stream = Stream::new(key, nonce);
    let (mut this, mut next) = (wiped(PIECE), wiped(PIECE));
    let mut read = |buffer: &mut [u8]| fill(from, buffer).map_err(|why| read_error(name, why));
    let mut filled = read(&mut this)?;
    let mut total = 0u64;
    loop {
        // A full piece is the last one only if no byte follows, so the next piece is read ahead.
        let following = if filled < PIECE { 0 } else { read(&mut next)? };
        let piece = this.get_mut(..filled).unwrap_or_default();
        let tag = stream.seal(piece, following == 0)?;
        to.write_all(piece)?;
        to.write_all(&tag)?;
        total = total.saturating_add(count(filled));
        progress(count(filled));
        if following == 0 {
            return Ok(total);
        }
        core::mem::swap(&mut this, &mut next);
        filled = following;
    }
}

/// Decrypts a payload that begins at `offset`; returns the number of bytes that were written.
pub(super) fn decrypt(
    name: &FileName,
    offset: u64,
    key: &FileKey,
    from: &mut impl BufRead,
    to: &mut dyn Write,
    progress: &mut dyn FnMut(u64),
) -> Result<u64, FormatError> {
    let mut nonce = [0; NONCE];
    let read = fill(from, &mut nonce).map_err(|why| read_error(name, why))?;
    let mut at = offset.saturating_add(count(read));
    if read < NONCE {
        return Err(AgeError::Ends { at: place(name, at), expected: "the nonce of the payload" }.into());
    }
    let mut stream = Stream::new(key, &nonce);
    let mut buffer = wiped(PIECE.saturating_add(TAG));
    let mut total = 0u64;
    loop {
        let filled = fill(from, &mut buffer).map_err(|why| read_error(name, why))?;
        let last = from.fill_buf().map_err(|why| read_error(name, why))?.is_empty();
        let end = at.saturating_add(count(filled));
        let number = stream.piece;
        let cut_off = AgeError::CutOff { at: place(name, end), piece: number };
        let Some((piece, tag)) = buffer.get_mut(..filled).and_then(|bytes| {
            let length = bytes.len().checked_sub(TAG)?;
            let (piece, tag) = bytes.split_at_mut_checked(length)?;
            Some((piece, Tag::try_from(&*tag).ok()?))
        }) else {
            return Err(cut_off.into());
        };
        // An empty piece is allowed only as the single piece of an empty payload.
        if piece.is_empty() && number > 0 {
            return Err(cut_off.into());
        }
        if stream.open(piece, &tag, last).is_none() {
            let changed = AgeError::Changed { at: place(name, at), piece: number };
            return Err(match (last, stream.open(piece, &tag, !last)) {
                (true, Some(())) => {
                    AgeError::CutOff { at: place(name, end), piece: number.saturating_add(1) }
                }
                (false, Some(())) => AgeError::Trailing { at: place(name, end) },
                _ => changed,
            }
            .into());
        }
        to.write_all(piece)?;
        total = total.saturating_add(count(piece.len()));
        progress(count(filled));
        if last {
            return Ok(total);
        }
        stream.piece = number.saturating_add(1);
        at = end;
    }
}
