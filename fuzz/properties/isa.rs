//! The properties of arbitrary bytes as instructions. The fuzz targets and the tests of `chip` call these functions.

use pairwright_chip::isa::{Image, L1, L2, assemble, disassemble};

/// A word of either instruction memory is refused, or it equals the encoding of the decoded instruction, and its disassembly
/// assembles to it.
fn word_comes_back(word: u32, section: &str, encoded: Option<u32>, text: Option<String>) {
    assert_eq!(encoded.unwrap_or(word), word);
    if let Some(text) = text {
        let image = assemble(&format!("{section}\n{text}\n")).expect("what is printed is read");
        assert_eq!(image.l1.first().or(image.l2.first()), Some(&word), "{text}");
    }
}

fn words(data: &[u8]) -> impl Iterator<Item = u32> {
    data.chunks_exact(4).filter_map(|bytes| bytes.try_into().ok().map(u32::from_be_bytes))
}

/// Checks the bytes as big-endian L1 words.
pub(crate) fn l1_words(data: &[u8]) {
    for word in words(data) {
        let decoded = L1::decode(word).ok();
        let encoded = decoded.map(|instruction| instruction.encode().expect("what was decoded is encoded"));
        word_comes_back(word, ".l1", encoded, decoded.map(|instruction| instruction.to_string()));
    }
}

/// Checks the bytes as big-endian L2 words.
pub(crate) fn l2_words(data: &[u8]) {
    for word in words(data) {
        let decoded = L2::decode(word).ok();
        let encoded = decoded.map(|instruction| instruction.encode().expect("what was decoded is encoded"));
        word_comes_back(word, ".l2", encoded, decoded.map(|instruction| instruction.to_string()));
    }
}

/// Checks the bytes as the text of a program, and as an image: each is refused, or restored by conversion to the other forms and back.
pub(crate) fn asm_text(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let read = [assemble(&text).ok(), Image::from_json(&text).ok()];
    for image in read.into_iter().flatten() {
        image.check().expect("what was read fits the memories");
        assert_eq!(assemble(&disassemble(&image)).as_ref(), Ok(&image));
        assert_eq!(Image::from_json(&image.to_json()).expect("what is printed is read"), image);
    }
}
