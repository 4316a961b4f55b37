//! Decryption of a file of 100 MB that is encrypted to a round of a beacon, compared with its cipher alone: ChaCha20-Poly1305 of the same
//! pieces by the library that the format uses.

use crate::{Options, Row, Table, bridge, take_turns};
use chacha20poly1305::aead::{AeadInOut, KeyInit};
use chacha20poly1305::{ChaCha20Poly1305, Nonce};
use pairwright_curve::bls12_381::Bls12_381;
use pairwright_device::Session;
use pairwright_formats::{AgeFile, AgeForm, FileName, Stanza, encrypt_age, file_key};
use pairwright_protocols::schemes::MinSig;
use pairwright_protocols::schemes::bls::SecretKey;
use pairwright_protocols::schemes::ibe::{Ciphertext, Ibe};
use std::path::Path;
use std::time::Duration;

const BUDGET: Duration = Duration::from_secs(20);
/// Length of the plaintext in bytes.
const TEXT: usize = 100_000_000;
/// Length of a piece of age's payload in bytes.
const PIECE: usize = 1 << 16;
const NAME: &str = "tlock decrypt";

/// The row of the decryption: reading the header, one pairing, and decrypting the payload to memory that is already allocated.
pub fn against_its_cipher(options: &Options, table: &mut Table) {
    if !options.wants(NAME) {
        return;
    }
    let device = pairwright_cpu::board::<Bls12_381>();
    let mut rng = bridge::rng(21);
    let name = FileName::from(Path::new("the file"));
    let text: Vec<u8> = (0..TEXT).map(|i| (i * 31 >> 3) as u8).collect();
    let ibe = Ibe::<MinSig>::default();
    let round = Ibe::<MinSig>::round(7);
    let secret = SecretKey::random(&mut rng);
    let (master, beacon) = (secret.public_key(), ibe.extract(&secret, &round));
    let key = file_key(&mut rng);
    let body = ibe.encrypt(&mut Session::new(&device), &master, &round, &*key, &mut rng).expect("encrypted");
    let stanza = Stanza { kind: "tlock".to_owned(), arguments: vec!["7".to_owned()], body: body.to_bytes() };
    let mut sealed = Vec::new();
    let (from, with) = ((&name, &mut &text[..]), (&key, &[stanza][..]));
    encrypt_age((from.0, from.1), &mut sealed, AgeForm::Binary, with, &mut rng, &mut |_| {})
        .expect("written");

    let room = || Vec::with_capacity(TEXT + PIECE);
    let ours = |mut opened: Vec<u8>| {
        let file = AgeFile::read(name.clone(), &sealed[..]).expect("a file");
        let body = Ciphertext::<MinSig>::from_bytes(&file.stanzas()[0].body).expect("a ciphertext");
        let found = beacon.decrypt(&mut Session::new(&device), &body).expect("opened");
        let mut key = file_key(&mut bridge::rng(0));
        key.copy_from_slice(&found);
        file.decrypt(&key, &mut opened, &mut |_| {}).expect("authentic");
        opened
    };
    assert!(ours(room()) == text, "the file opens");

    let cipher = ChaCha20Poly1305::new(&[7; 32].into());
    let nonce = |piece: usize| {
        let mut nonce = [0; 12];
        nonce[..8].copy_from_slice(&piece.to_le_bytes());
        Nonce::from(nonce)
    };
    let mut pieces = text.clone();
    let tags: Vec<_> = (pieces.chunks_mut(PIECE).enumerate())
        .map(|(i, piece)| cipher.encrypt_inout_detached(&nonce(i), b"", piece.into()).expect("encrypted"))
        .collect();
    let peer = |mut pieces: Vec<u8>| {
        for (i, (piece, tag)) in pieces.chunks_mut(PIECE).zip(&tags).enumerate() {
            cipher.decrypt_inout_detached(&nonce(i), b"", piece.into(), tag).expect("authentic");
        }
        pieces
    };
    assert!(peer(pieces.clone()) == text, "the pieces open");
    let pair = take_turns(BUDGET, room, ours, || pieces.clone(), peer);
    table.push(Row::new(NAME, "100 MB", 1, "its cipher", &pair, 1));
}
