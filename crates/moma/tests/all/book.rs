//! The book's chapter names every rule by its number and name.

use pairwright_moma::rules::RULES;

#[test]
fn every_rule_stands_in_the_book() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/book/src/rooms/moma.md");
    let chapter = std::fs::read_to_string(path).unwrap();
    let rows: Vec<&str> = chapter.lines().filter(|l| l.starts_with("| ")).collect();
    for rule in RULES {
        let found = rows.iter().any(|row| {
            let numbers = row.split('|').nth(1).unwrap_or("");
            numbers.split(',').any(|n| n.trim() == rule.number) && row.contains(rule.name)
        });
        assert!(found, "rule ({}) {}", rule.number, rule.name);
    }
}
