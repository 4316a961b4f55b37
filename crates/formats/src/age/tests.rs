//! Round trips of age files, and files with a change in each part, which have to be refused.

use super::payload::{PIECE, TAG};
use super::*;
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;
use std::path::Path;
use std::string::{String, ToString};
use std::vec;

fn name() -> FileName {
    Path::new("file.age").into()
}

fn stanzas() -> Vec<Stanza> {
    let stanza = |kind: &str, arguments: &[&str], length: usize| Stanza {
        kind: kind.into(),
        arguments: arguments.iter().map(ToString::to_string).collect(),
        body: (0..length).map(|i| i as u8).collect(),
    };
    vec![
        stanza("X-grease", &["ab", "c!"], 0),
        stanza("tlock", &["7", "00"], 128),
        stanza("full", &[], 48),
        stanza("fuller", &[], 96),
    ]
}

fn sealed(text: &[u8], form: AgeForm) -> (FileKey, Vec<u8>) {
    let mut rng = ChaCha20Rng::seed_from_u64(5);
    let key = file_key(&mut rng);
    let mut out = Vec::new();
    let mut seen = 0;
    let (name, stanzas) = (name(), stanzas());
    let from: (_, &mut dyn Read) = (&name, &mut &*text);
    let mut progress = |n| seen += n;
    let bytes = encrypt_age(from, &mut out, form, (&key, &stanzas), &mut rng, &mut progress).unwrap();
    assert_eq!((bytes, seen), (text.len() as u64, text.len() as u64));
    (key, out)
}

/// Decrypts a file; returns the bytes that were written and the result.
fn opened(key: &FileKey, file: &[u8]) -> (Vec<u8>, Result<u64, FormatError>) {
    let mut out = Vec::new();
    let verdict = AgeFile::read(name(), file).and_then(|age| age.decrypt(key, &mut out, &mut |_| ()));
    (out, verdict)
}

fn why(key: &FileKey, file: &[u8]) -> AgeError {
    match opened(key, file).1 {
        Err(FormatError::Age(why)) => why,
        other => panic!("{other:?}"),
    }
}

#[test]
fn round_trips() {
    for form in [AgeForm::Binary, AgeForm::Armored] {
        for length in [0, 1, 47, 48, PIECE - 1, PIECE, PIECE + 1, 2 * PIECE, 3 * PIECE + 5] {
            let text: Vec<u8> = (0..length).map(|i| (i * 7 % 251) as u8).collect();
            let (key, file) = sealed(&text, form);
            assert_eq!(AgeFile::read(name(), &*file).unwrap().stanzas(), stanzas());
            let (out, verdict) = opened(&key, &file);
            assert_eq!((out == text, verdict.unwrap()), (true, length as u64));
        }
    }
}

#[test]
fn the_header_is_read_strictly() {
    let (key, file) = sealed(b"text", AgeForm::Binary);
    let end = file.windows(3).position(|w| w == b"---").unwrap();
    let head = String::from_utf8(file[..end + 48].to_vec()).unwrap();
    let with = |from: &str, to: &str| {
        assert!(head.contains(from), "{from}");
        [head.replacen(from, to, 1).as_bytes(), &file[end + 48..]].concat()
    };
    assert!(opened(&key, &with("-> tlock", "-> tlock")).1.is_ok());
    // Well-formed headers that are not authentic.
    for (from, to) in [
        ("-> tlock 7", "-> tlock 8"),
        ("X-grease", "Y-grease"),
        ("AAEC", "BAEC"),
        ("-> full\n", "-> full x\n"),
    ] {
        assert_eq!(why(&key, &with(from, to)), AgeError::HeaderCode { at: place(&name(), 0) });
    }
    let mut other = key.clone();
    other[0] ^= 1;
    assert!(matches!(why(&other, &file), AgeError::HeaderCode { .. }));
    // Malformed headers.
    for (from, to) in [
        ("-> tlock 7", "-> tlock  7"),
        ("-> tlock 7", "->  tlock 7"),
        ("-> tlock 7", "-> tlock 7 "),
        ("-> tlock 7", "-> tl\u{f6}ck 7"),
        ("-> tlock 7", "-> tlock\t7"),
        ("-> tlock 7", "-- tlock 7"),
        ("AAEC", "AA=C"),
        ("AAEC", "AA EC"),
        ("AAEC", "AAECAAEC"),
        ("\n--- ", "\n---"),
        ("\n--- ", "\n--- A"),
        ("-> X-grease ab c!\n\n", "-> X-grease ab c!\n"),
    ] {
        let said = why(&key, &with(from, to));
        assert!(matches!(said, AgeError::Line { .. }), "{from:?} {to:?}: {said}");
    }
    // Base64 whose last character has non-zero trailing bits, in a body of 128 bytes and in the authentication code.
    let body = head.find("-> full\n").unwrap() - 2;
    for at in [body, end + 46] {
        let mut changed = file.clone();
        changed[at] = if file[at] == b'A' { b'B' } else { file[at] + 1 };
        let said = why(&key, &changed);
        assert!(matches!(said, AgeError::Line { .. }), "{said}");
    }
    for text in
        ["", "age-encryption.org/v2\n", "age-encryption.org/v1", "age-encryption.org/v1\r\n", "PK\u{3}\u{4}"]
    {
        assert!(matches!(why(&key, text.as_bytes()), AgeError::Version { .. }), "{text:?}");
    }
    let none = why(&key, b"age-encryption.org/v1\n--- AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\n");
    assert_eq!(none.to_string(), "file.age: offset 22: expected a stanza, which begins with \"-> \"");
    for length in 23..end + 48 {
        let said = why(&key, &file[..length]);
        assert!(matches!(said, AgeError::Ends { .. }), "{length}: {said}");
    }
}

#[test]
fn a_long_header_is_not_read() {
    /// An endless stream of lines that counts the bytes taken; no more may be taken than a header can have.
    struct Endless(u64);
    impl Read for Endless {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            self.0 += out.len() as u64;
            assert!(self.0 < 2 * MOST_HEADER, "reading goes on");
            out.fill(b'A');
            Ok(out.len())
        }
    }
    let begin = "age-encryption.org/v1\n-> tlock ";
    let file = AgeFile::read(name(), begin.as_bytes().chain(Endless(0)));
    let Err(FormatError::Age(said)) = file.map(|_| ()) else { panic!("it was read") };
    assert!(matches!(said, AgeError::LongHeader { most: MOST_HEADER, .. }));
    let many = "-> a\n\n".repeat(MOST_HEADER as usize / 6 + 1);
    let said = why(&Zeroizing::new([0; 16]), format!("age-encryption.org/v1\n{many}").as_bytes());
    assert!(matches!(said, AgeError::LongHeader { .. }));
}

#[test]
fn nothing_leaves_a_payload_that_is_not_authentic() {
    let text: Vec<u8> = (0..2 * PIECE + 100).map(|i| i as u8).collect();
    let (key, file) = sealed(&text, AgeForm::Binary);
    let end = file.windows(3).position(|w| w == b"---").unwrap() + 48;
    let first = end + 16;
    // A changed bit in the nonce, a piece or a tag is noticed.
    for (at, piece) in
        [(end, 0), (first, 0), (first + PIECE + TAG - 1, 0), (first + PIECE + TAG, 1), (file.len() - 1, 2)]
    {
        let mut changed = file.clone();
        changed[at] ^= 0x80;
        let (out, verdict) = opened(&key, &changed);
        assert_eq!(out, text[..piece * PIECE], "only whole pieces before it are given");
        let Err(FormatError::Age(AgeError::Changed { piece: named, .. })) = verdict else {
            panic!("{verdict:?}")
        };
        assert_eq!(named, piece as u64);
    }
    // Truncation within a piece, at the end of a piece, and within the nonce.
    assert!(matches!(why(&key, &file[..end + 15]), AgeError::Ends { .. }));
    assert!(matches!(why(&key, &file[..end + 16]), AgeError::CutOff { piece: 0, .. }));
    assert!(matches!(why(&key, &file[..first + 15]), AgeError::CutOff { piece: 0, .. }));
    assert!(matches!(why(&key, &file[..first + PIECE + TAG]), AgeError::CutOff { piece: 1, .. }));
    assert!(matches!(why(&key, &file[..first + 2 * (PIECE + TAG)]), AgeError::CutOff { piece: 2, .. }));
    assert!(matches!(why(&key, &file[..file.len() - 1]), AgeError::Changed { piece: 2, .. }));
    // Two pieces swapped, one piece repeated, and bytes after the last piece.
    let (a, b) = (&file[first..first + PIECE + TAG], &file[first + PIECE + TAG..first + 2 * (PIECE + TAG)]);
    let last = &file[first + 2 * (PIECE + TAG)..];
    let head = &file[..first];
    assert!(matches!(why(&key, &[head, b, a, last].concat()), AgeError::Changed { piece: 0, .. }));
    assert!(matches!(why(&key, &[head, a, a, last].concat()), AgeError::Changed { piece: 1, .. }));
    assert!(matches!(why(&key, &[&file, &b"x"[..]].concat()), AgeError::Changed { piece: 2, .. }));
    let (key, file) = sealed(&text[..PIECE], AgeForm::Binary);
    assert!(matches!(why(&key, &[&file, &b"x"[..]].concat()), AgeError::Trailing { .. }));
}

#[test]
fn armour_is_read_strictly() {
    let (key, file) = sealed(&[9; 101], AgeForm::Armored);
    let text = String::from_utf8(file).unwrap();
    let fine = |text: &str| assert!(opened(&key, text.as_bytes()).1.is_ok(), "{text}");
    fine(&text);
    fine(&format!("\n \t{text}\n\n  "));
    fine(&text.replace('\n', "\r\n"));
    fine(text.trim_end());
    let lines: Vec<&str> = text.lines().collect();
    let with = |at: usize, line: &str| {
        let mut lines = lines.clone();
        lines[at] = line;
        lines.join("\n")
    };
    let refused = |text: &str| {
        let said = why(&key, text.as_bytes());
        assert!(matches!(said, AgeError::Line { .. }), "{said}: {text}");
    };
    refused(&with(0, "-----BEGIN AGE FILE-----"));
    refused(&with(1, &lines[1][..60]));
    refused(&with(1, &format!("{}AAAA", lines[1])));
    refused(&with(1, ""));
    refused(&with(1, &lines[1].replacen(char::is_alphanumeric, "?", 1)));
    refused(&with(2, &format!("{}=", &lines[2][..63])));
    refused(&with(lines.len() - 1, "-----END-----"));
    refused(&format!("{text}more"));
    refused(&format!("{}{text}", "\n".repeat(2000)));
    refused(&format!("{text}{}", "\n".repeat(2000)));
    let short = lines[lines.len() - 2];
    assert!(short.len() < 64 && short.ends_with('='), "the last line is padded: {short}");
    refused(&with(lines.len() - 2, short.trim_end_matches('=')));
    for length in [35, 50, 400, text.len() - 5] {
        let said = why(&key, &text.as_bytes()[..length]);
        assert!(matches!(said, AgeError::Ends { .. } | AgeError::Line { .. }), "{said}");
    }
}
