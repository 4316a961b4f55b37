//! Runs `pairwright man`, which writes the manual pages.

use crate::args::{Cli, Man};
use crate::failure::Failure;
use crate::{files, output};
use clap::{Command, CommandFactory};
use clap_mangen::Man as Page;
use serde::Serialize;

#[derive(Serialize)]
struct Written {
    folder: String,
    /// Names of the files, in the order of the commands.
    pages: Vec<String>,
}

/// Writes a page for the command and one for each of its subcommands.
pub(crate) fn run(cli: &Cli, args: &Man) -> Result<(), Failure> {
    files::make_folder(&args.folder)?;
    let mut root = Cli::command();
    root.build();
    let mut pages = Vec::new();
    collect(&root, &mut pages);
    for (name, page) in &pages {
        files::write(&args.folder.join(name), |out| Ok(out.write_all(page)?))?;
    }
    let pages = pages.into_iter().map(|(name, _)| name).collect();
    let written = Written { folder: args.folder.display().to_string(), pages };
    output::print_done(cli, &written, |w| format!("{}: {} pages", w.folder, w.pages.len()))
}

/// Collects the pages of a command and its subcommands, with their file names.
fn collect(command: &Command, pages: &mut Vec<(String, Vec<u8>)>) {
    let page = Page::new(command.clone());
    let mut text = Vec::new();
    // Writing to memory does not fail.
    let _ = page.render(&mut text);
    pages.push((page.get_filename(), text));
    for below in command.get_subcommands().filter(|c| c.get_name() != "help") {
        collect(below, pages);
    }
}
