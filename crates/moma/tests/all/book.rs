//! The book's chapter names every rule by its number and name, and the machine on the contributor's page computes.

use crate::print_common::Case;
use pairwright_moma::catalogue::Function;
use pairwright_moma::ir::Kernel;
use pairwright_moma::machine::Machine;
use pairwright_moma::print::{c, file};
use pairwright_moma::rules::RULES;
use pairwright_testkit::jit::Library;

fn page(path: &str) -> String {
    std::fs::read_to_string(format!("{}/../../docs/book/src/{path}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

#[test]
fn every_rule_stands_in_the_book() {
    let chapter = page("rooms/moma.md");
    let rows: Vec<&str> = chapter.lines().filter(|l| l.starts_with("| ")).collect();
    for rule in RULES {
        let found = rows.iter().any(|row| {
            let numbers = row.split('|').nth(1).unwrap_or("");
            numbers.split(',').any(|n| n.trim() == rule.number) && row.contains(rule.name)
        });
        assert!(found, "rule ({}) {}", rule.number, rule.name);
    }
}

/// The description is read from the page; what is printed for it is compiled and compared with the interpreter.
#[test]
fn the_machine_of_the_contributors_page_computes() {
    let page = page("contribute/machine.md");
    let (_, rest) = page.split_once("```toml\n").unwrap();
    let machine = Machine::parse(rest.split("```").next().unwrap()).unwrap();
    let functions = [Function::AddMod, Function::SubMod, Function::MulMod, Function::SqrMod];
    let cases = Case::all(&machine, &[64, 255], &functions, |_| vec![0]);
    let kernels: Vec<Kernel> = cases.iter().map(|case| case.lowered.clone()).collect();
    let mut text = file(&c::C, &kernels, &machine, &["A machine of the book.".to_owned()]).unwrap();
    text += "#include <stddef.h>\n";
    text.extend(cases.iter().map(Case::array_function));
    let library = Library::from_c("book_machine", &text, &["-O0"]).unwrap();
    for case in &cases {
        case.check(&machine, &library);
    }
}
