//! Checks that the book's chapter contains the list of rules unchanged.

use pairwright_moma::rules;

#[test]
fn the_list_of_rules_stands_in_the_book() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/book/src/rooms/moma.md");
    let chapter = std::fs::read_to_string(path).unwrap();
    assert!(chapter.contains(&format!("```text\n{}```\n", rules::LIST)), "paste rewrite.rules into {path}");
    assert!(!rules::all().unwrap().is_empty());
}
