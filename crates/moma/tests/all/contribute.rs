//! Follows the steps of the contributor's page: the machine that it describes must compute correctly.

use crate::print_common::Case;
use pairwright_moma::catalogue::Function;
use pairwright_moma::ir::Kernel;
use pairwright_moma::machine::Machine;
use pairwright_moma::print::{c, file};
use pairwright_testkit::jit::Library;

/// Reads the description from the page, compiles what is printed for it, and compares with the interpreter.
#[test]
fn the_machine_of_the_page_computes() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/book/src/contribute/machine.md");
    let page = std::fs::read_to_string(path).unwrap();
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
