//! The output that pages show below a simulation is the command's.

use super::*;

/// The blocks of commands of a page that are followed by a block of text: their simulations, and the lines of the text.
fn shown(page: &str) -> Vec<(Vec<String>, Vec<String>)> {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(page);
    let text = std::fs::read_to_string(path).unwrap();
    let blocks: Vec<&str> = text.split("```").collect();
    // Every second part is between fences; the parts between the blocks are prose.
    let fenced = blocks.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect::<Vec<_>>();
    let pairs = fenced.windows(2).filter_map(|pair| {
        let ((_, commands), (between, said)) = (pair[0], pair[1]);
        let (commands, said) = (commands.strip_prefix("sh\n")?, said.strip_prefix("text\n")?);
        let runs = |line: &str| Some(line.strip_prefix("pairwright ")?.split('#').next()?.trim().to_owned());
        let commands: Vec<String> = commands.lines().filter_map(runs).collect();
        let simulates = between.trim().is_empty() && commands.iter().any(|line| line.starts_with("sim "));
        simulates.then(|| (commands, said.lines().map(str::to_owned).collect()))
    });
    pairs.collect()
}

/// Checks that every line of the page's texts is printed by one of the commands above it, except for the time that the run took.
fn is_printed(page: &str, blocks: usize) {
    let shown = shown(page);
    assert_eq!(shown.len(), blocks, "{page}");
    for (commands, lines) in shown {
        let printed: Vec<String> = commands.iter().map(|line| ok(line)).collect();
        for line in lines.iter().filter(|line| !line.starts_with("simulated in ")) {
            let found = printed.iter().any(|text| text.lines().any(|printed| printed == line));
            assert!(found, "{page}: {commands:?} do not print `{line}`");
        }
    }
}

#[test]
fn pages_show_trees_as_they_are_printed() {
    is_printed("README.md", 1);
    is_printed("docs/book/src/howto/mtu.md", 2);
}

#[test]
#[ignore = "full: programs of engines are scheduled and sums of 2^18 points run, a quarter of a minute"]
fn pages_show_engines_as_they_are_printed() {
    is_printed("docs/book/src/howto/aie.md", 3);
}
