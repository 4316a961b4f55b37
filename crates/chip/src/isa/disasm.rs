//! The disassembler, which turns an image into a text that assembles to the same image.

use super::image::Image;
use super::inst::{L1, L2};
use super::rows::L1Row;
use super::spell::{self, Names};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The column of comments.
const COMMENT: usize = 48;

/// The text of an image, one word per line, with its address and its hexadecimal form in a comment. A word that is no
/// instruction becomes a `.word`; a run of zero words up to the next label or the next other word becomes an `.org`.
///
/// The text assembles to the same image if [`Image::check`] accepts the image.
pub fn disassemble(image: &Image) -> String {
    let by_address = |labels: &BTreeMap<String, u16>| {
        let mut names = BTreeMap::<u16, Vec<String>>::new();
        for (label, &address) in labels {
            names.entry(address).or_default().push(label.clone());
        }
        names
    };
    let (l1, l2) = (by_address(&image.l1_labels), by_address(&image.l2_labels));
    let first = |labels: &'_ BTreeMap<u16, Vec<String>>| -> BTreeMap<u16, String> {
        labels.iter().filter_map(|(&a, names)| Some((a, names.first()?.clone()))).collect()
    };
    let (l1_first, l2_first) = (first(&l1), first(&l2));
    let names = Names {
        l1: l1_first.iter().map(|(&a, name)| (a, name.as_str())).collect(),
        l2: l2_first.iter().map(|(&a, name)| (a, name.as_str())).collect(),
    };
    let mut text = String::new();
    if !image.l1.is_empty() {
        section(&mut text, ".l1", &image.l1, &l1, |word| {
            let instruction = L1::decode(word).ok()?;
            Some((L1Row::of(&instruction).mnemonic, spell::l1_operands(&instruction, &names)))
        });
    }
    if !image.l2.is_empty() {
        section(&mut text, ".l2", &image.l2, &l2, |word| {
            let instruction = L2::decode(word).ok()?;
            Some((instruction.op.mnemonic(), spell::l2_operands(&instruction)))
        });
    }
    text
}

fn section(
    text: &mut String,
    directive: &str,
    words: &[u32],
    labels: &BTreeMap<u16, Vec<String>>,
    spell: impl Fn(u32) -> Option<(&'static str, String)>,
) {
    let labels_at = |address: usize| u16::try_from(address).ok().and_then(|a| labels.get(&a));
    text.push_str(directive);
    text.push('\n');
    let mut address = 0;
    while address < words.len() {
        for label in labels_at(address).into_iter().flatten() {
            text.push_str(label);
            text.push_str(":\n");
        }
        let end = (address + 1..words.len())
            .find(|&a| words[a] != 0 || labels_at(a).is_some())
            .unwrap_or(words.len());
        if words[address] == 0 && end > address + 1 {
            // A label has to name a word, so the first of the zeros is written out where a label precedes them.
            line(text, ".org", &end.to_string(), "");
            address = end;
            continue;
        }
        let word = words[address];
        let comment = format!("; {address:4}  {word:08x}");
        match spell(word) {
            Some((mnemonic, operands)) => line(text, mnemonic, &operands, &comment),
            None => line(text, ".word", &format!("{word:#010x}"), &comment),
        }
        address += 1;
    }
}

fn line(text: &mut String, mnemonic: &str, operands: &str, comment: &str) {
    let code = format!("        {mnemonic:<11} {operands}");
    let padded = format!("{:<COMMENT$}{comment}", code.trim_end());
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{}", padded.trim_end());
}
