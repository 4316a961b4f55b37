//! The rule that files of a crate which import each other in a circle are listed in ARCHITECTURE.md, each circle with its reason.
//!
//! The graph has a node for each module in a file of its own and an edge for each `use` of one module by another. A `use` of a
//! name that a module re-exports is an edge to the module that declares the name. The files of a folder may use the declarations of
//! the module of that folder. Tests do not count, and neither do paths that are written out in expressions.

use super::{Finding, RuleInput};
use crate::tree::SourceFile;
use std::collections::{BTreeMap, BTreeSet};

const PAGE: &str = "ARCHITECTURE.md";
const HEADING: &str = "## Circles";

/// The path of a module below the root of its crate, as a list of segments.
type Module = Vec<String>;

/// Compares the circles of every crate with the rows of ARCHITECTURE.md.
pub(crate) fn check(view: &RuleInput<'_>) -> Vec<Finding> {
    let Some(page) = view.tree.get(PAGE) else { return Vec::new() };
    let listed = listed(page.text().unwrap_or_default());
    let mut sources: BTreeMap<&str, Vec<&SourceFile>> = BTreeMap::new();
    for file in view.tree.files.iter().filter(|file| file.is_rust()) {
        if let Some((name, _)) = file.path.strip_prefix("crates/").and_then(|rest| rest.split_once("/src/")) {
            sources.entry(name).or_default().push(file);
        }
    }
    let found: BTreeSet<String> = sources.iter().flat_map(|(name, files)| circles(name, files)).collect();
    let line = page.line_of(HEADING);
    let new = found.iter().filter(|circle| !listed.contains(*circle));
    let gone = listed.iter().filter(|circle| !found.contains(*circle));
    new.map(|circle| format!("a circle without a reason: {circle}"))
        .chain(gone.map(|circle| format!("this circle is gone: {circle}")))
        .map(|what| Finding::at(PAGE, line, what))
        .collect()
}

/// The first column of the table below the heading, without its backticks.
fn listed(page: &str) -> BTreeSet<String> {
    let section =
        page.split_once(HEADING).map_or("", |(_, rest)| rest.split("\n## ").next().unwrap_or_default());
    let rows = section.lines().filter(|line| line.starts_with("| `"));
    rows.filter_map(|row| Some(row.split('|').nth(1)?.trim().replace('`', ""))).collect()
}

/// The circles of a crate, as `crate: module, module`.
fn circles(name: &str, files: &[&SourceFile]) -> Vec<String> {
    let texts: BTreeMap<Module, String> =
        files.iter().filter_map(|file| Some((module(&file.path)?, without_tests(file.code())))).collect();
    let passed_on: BTreeMap<&Module, BTreeMap<String, Module>> = texts
        .iter()
        .map(|(module, text)| {
            let uses = uses(text).filter(|(public, _)| *public);
            (module, uses.filter_map(|(_, path)| Some((path.last()?.clone(), path))).collect())
        })
        .collect();
    let graph = Graph { modules: texts.keys().cloned().collect(), passed_on };
    let mut reach: BTreeMap<&Module, BTreeSet<Module>> = texts
        .iter()
        .map(|(from, text)| {
            let to = uses(text).filter_map(|(public, path)| {
                let to = graph.resolve(from, &path, 0)?;
                let inside = public && to.starts_with(from);
                (!from.starts_with(&to) && !inside).then_some(to)
            });
            (from, to.collect())
        })
        .collect();
    close(&mut reach);
    let mut found = BTreeSet::new();
    for (module, to) in reach.iter().filter(|(module, to)| to.contains(**module)) {
        let mutual = to.iter().filter(|other| reach.get(other).is_some_and(|back| back.contains(*module)));
        let names: BTreeSet<String> = mutual.map(|module| module.join("::")).collect();
        found.insert(format!("{name}: {}", names.into_iter().collect::<Vec<_>>().join(", ")));
    }
    found.into_iter().collect()
}

/// Computes the transitive closure: adds to each module's set the modules that its members reach, until nothing changes.
fn close(reach: &mut BTreeMap<&Module, BTreeSet<Module>>) {
    loop {
        let mut grown = false;
        for module in reach.keys().copied().collect::<Vec<_>>() {
            let further: BTreeSet<Module> =
                reach[module].iter().filter_map(|to| reach.get(to)).flatten().cloned().collect();
            let set = reach.entry(module).or_default();
            let before = set.len();
            set.extend(further);
            grown |= set.len() > before;
        }
        if !grown {
            return;
        }
    }
}

/// The modules of a crate, and the names that they re-export with `pub use`.
struct Graph<'a> {
    modules: BTreeSet<Module>,
    passed_on: BTreeMap<&'a Module, BTreeMap<String, Module>>,
}

impl Graph<'_> {
    /// The module to which a path in a `use` refers; `None` for paths outside of the crate.
    fn resolve(&self, from: &Module, path: &[String], depth: usize) -> Option<Module> {
        let (mut at, mut rest) = match path.first()?.as_str() {
            "crate" => (Module::new(), &path[1..]),
            "self" => (from.clone(), &path[1..]),
            "super" => {
                let up = path.iter().take_while(|part| *part == "super").count();
                (from[..from.len().checked_sub(up)?].to_vec(), &path[up..])
            }
            first if self.modules.contains(&child(from, first)) => (from.clone(), path),
            _ => return None,
        };
        while let Some(next) =
            rest.first().map(|part| child(&at, part)).filter(|next| self.modules.contains(next))
        {
            (at, rest) = (next, &rest[1..]);
        }
        let further = rest.first().and_then(|name| self.passed_on.get(&at)?.get(name));
        let through = further.filter(|_| depth < 6).and_then(|path| self.resolve(&at, path, depth + 1));
        Some(through.unwrap_or(at))
    }
}

fn child(module: &Module, name: &str) -> Module {
    module.iter().cloned().chain([name.to_owned()]).collect()
}

/// The module of a file: `crates/a/src/b/mod.rs` and `crates/a/src/b.rs` are `b`. Tests are no modules.
fn module(path: &str) -> Option<Module> {
    let (_, inside) = path.split_once("/src/")?;
    let mut parts: Module = inside.strip_suffix(".rs")?.split('/').map(str::to_owned).collect();
    if parts.last().is_some_and(|last| last == "mod")
        || ["lib", "main"].contains(&inside.strip_suffix(".rs")?)
    {
        parts.pop();
    }
    (!parts.iter().any(|part| part == "tests")).then_some(parts)
}

/// The text before the unit tests, without imports that only tests use.
fn without_tests(code: &str) -> String {
    let end = code
        .find("#[cfg(test)]\nmod ")
        .filter(|at| code[*at..].lines().nth(1).is_some_and(|l| l.contains('{')));
    code[..end.unwrap_or(code.len())].replace("#[cfg(test)]\nuse ", "test ")
}

/// Every path that the text imports, and whether it is re-exported.
fn uses(code: &str) -> impl Iterator<Item = (bool, Module)> {
    let statements = code.split(';').filter_map(|statement| {
        let line = statement.rsplit_once("\n}").map_or(statement, |(_, rest)| rest);
        let start = line
            .rfind("use ")
            .filter(|at| line[..*at].chars().next_back().is_none_or(char::is_whitespace))?;
        let before = line[..start].lines().next_back().unwrap_or_default();
        Some((before.trim_start().starts_with("pub"), &line[start + 4..]))
    });
    statements.flat_map(|(public, tree)| {
        let mut paths = Vec::new();
        expand(&mut Module::new(), tree, &mut paths);
        paths.into_iter().map(move |path| (public, path))
    })
}

/// Expands the braces of a `use` to single paths.
fn expand(prefix: &mut Module, tree: &str, paths: &mut Vec<Module>) {
    let (head, inner) =
        tree.split_once('{').map_or((tree, None), |(head, rest)| (head, rest.rsplit_once('}')));
    let depth = prefix.len();
    let head = head.split(" as ").next().unwrap_or_default();
    prefix.extend(head.split("::").map(str::trim).filter(|part| !part.is_empty()).map(str::to_owned));
    if let Some((inner, _)) = inner {
        let (mut nested, mut start) = (0, 0);
        for (at, c) in inner.char_indices().chain([(inner.len(), ',')]) {
            match c {
                '{' => nested += 1,
                '}' => nested -= 1,
                ',' if nested == 0 => {
                    let item = inner[start..at].trim();
                    if !item.is_empty() {
                        expand(prefix, item, paths);
                    }
                    start = at + 1;
                }
                _ => {}
            }
        }
    } else {
        paths.push(prefix.clone());
    }
    prefix.truncate(depth);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::bench::said;

    const PAGE_TEXT: &str =
        "# The house\n\n## Circles\n\n| files | reason |\n|---|---|\n| `a: x, y::z` | Both. |\n\n## Next\n";

    fn page(text: &str, files: &[(&str, &str)]) -> Vec<String> {
        let mut all = files.to_vec();
        all.push((PAGE, text));
        said(check, &all)
    }

    #[test]
    fn circles_through_names_that_are_passed_on_are_found() {
        let files = [
            ("crates/a/src/lib.rs", "mod x;\nmod y;\npub use x::X;\n"),
            ("crates/a/src/x.rs", "use crate::y::{Other, z::{self, Z as W}};\n"),
            ("crates/a/src/y/mod.rs", "mod z;\npub use z::Z;\n"),
            ("crates/a/src/y/z.rs", "use crate::X;\nuse std::fmt;\n"),
        ];
        assert_eq!(page(PAGE_TEXT, &files), [""; 0]);
        let missing = page("## Circles\n", &files);
        assert_eq!(missing, ["ARCHITECTURE.md:1: a circle without a reason: a: x, y::z"]);
        let gone = page(PAGE_TEXT, &files[..2]);
        assert_eq!(gone, ["ARCHITECTURE.md:3: this circle is gone: a: x, y::z"]);
    }

    #[test]
    fn tests_and_parents_that_only_pass_on_make_no_circle() {
        let files = [
            ("crates/a/src/lib.rs", "mod x;\npub use x::X;\n"),
            ("crates/a/src/x.rs", "use crate::Y;\n#[cfg(test)]\nuse crate::z::Z;\n"),
            ("crates/a/src/z.rs", "use crate::x::X;\n#[cfg(test)]\nmod tests {\n    use crate::z;\n}\n"),
            ("crates/a/src/x/tests.rs", "use crate::z::Z;\n"),
        ];
        assert_eq!(page("## Circles\n", &files), [""; 0]);
    }
}
