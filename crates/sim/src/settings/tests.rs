use super::*;
use crate::dram;
use serde::{Deserialize, Serialize};

/// A test machine with a section, a list whose elements have names, and a memory.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Core {
    title: String,
    hz: f64,
    what_if: Option<u32>,
    unit: Unit,
    files: Vec<File>,
    dram: dram::DramConfig,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Unit {
    latency: u32,
    interval: u32,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    name: String,
    size: u32,
}

impl Default for Unit {
    fn default() -> Self {
        Self { latency: 4, interval: 2 }
    }
}

impl Default for Core {
    fn default() -> Self {
        let file = |name: &str, size| File { name: name.to_owned(), size };
        Self {
            title: "core".to_owned(),
            hz: 1e9,
            what_if: None,
            unit: Unit::default(),
            files: vec![file("vector", 32), file("load accumulator", 8)],
            dram: dram::DramConfig::paper(),
        }
    }
}

impl Design for Core {
    type Error = OutOfRange;
    const RANGES: Sections = &[
        ("", &[between("hz", 1e6, 1e11, "Hz")]),
        ("unit", &[between("latency", 1.0, 64.0, "cycles"), one_of("interval", &[1, 2, 4], "cycles")]),
        ("dram", dram::RANGES),
    ];

    fn check(&self) -> Result<(), OutOfRange> {
        in_range(self, Self::RANGES)?;
        let Unit { latency, interval } = self.unit;
        OutOfRange::unless(interval <= latency, "unit.interval", interval, "at most unit.latency")?;
        self.dram.check()
    }

    fn out_of_range(why: &OutOfRange) -> Option<&OutOfRange> {
        Some(why)
    }
}

fn changed(file: &str, set: &[&str]) -> Result<Core, SettingError> {
    let mut changes = Changes::default();
    changes.file("core.toml", file)?;
    set.iter().try_for_each(|setting| changes.set("--set", setting))?;
    changes.build(&Core::default())
}

fn said(file: &str, set: &[&str]) -> String {
    let said = changed(file, set).unwrap_err().to_string();
    assert_eq!(said.lines().count(), 1, "{said}");
    said
}

#[test]
fn a_file_says_what_differs_and_settings_come_after_it() {
    assert_eq!(changed("", &[]).unwrap(), Core::default());
    let text = "hz = 5e8\n[unit]\nlatency = 8\n[[files]]\nname = \"vector\"\nsize = 16\n";
    let core = changed(text, &["unit.latency=9", "what_if=3", "files.load accumulator.size=4"]).unwrap();
    assert_eq!((core.hz, core.unit, core.what_if), (5e8, Unit { latency: 9, interval: 2 }, Some(3)));
    assert_eq!(core.files.iter().map(|f| f.size).collect::<Vec<_>>(), [16, 4]);
    // A string may look like a number, and a floating-point number like an integer.
    let core = changed("[[files]]\nname = \"mask\"\nsize = 1\n", &["title=7", "hz=300000000"]).unwrap();
    assert_eq!((core.title.as_str(), core.hz, core.files.len()), ("7", 3e8, 3));
}

#[test]
fn the_whole_file_comes_back_with_ranges_beside_the_values() {
    let core = changed("[unit]\nlatency = 8\n", &["title=a \"b\"", "what_if=1"]).unwrap();
    let text = file(&core).unwrap();
    assert!(
        text.contains("[unit]\nlatency = 8  # 1 to 64 cycles\ninterval = 2  # 1, 2 or 4 cycles\n"),
        "{text}"
    );
    assert!(text.contains("hz = 1000000000.0  # 1e6 to 1e11 Hz\n"), "{text}");
    assert!(text.contains("trcd_ns = 16.0  # 0 to 1e6 ns\n"), "{text}");
    assert_eq!(changed(&text, &[]).unwrap(), core);
}

#[test]
fn changes_that_are_valid_only_together_come_in_any_order() {
    for set in [["unit.latency=1", "unit.interval=1"], ["unit.interval=1", "unit.latency=1"]] {
        assert_eq!(changed("", &set).unwrap().unit, Unit { latency: 1, interval: 1 });
    }
    assert_eq!(said("", &["unit.latency=1"]), "unit.interval is 2, it must be at most unit.latency");
}

#[test]
fn a_memory_has_names() {
    let ddr4 = dram::DramConfig::ddr4_3200();
    assert_eq!(changed("", &["dram.preset=ddr4_3200"]).unwrap().dram, ddr4);
    let slow = dram::DramConfig { latency: 40, ..ddr4 };
    assert_eq!(changed("[dram]\nlatency = 40\npreset = \"ddr4_3200\"\n", &[]).unwrap().dram, slow);
    assert!(
        said("", &["dram.preset=ddr9"]).starts_with("--set: dram.preset is ddr9, it must be one of paper, ")
    );
}

#[test]
fn errors_are_one_line_that_says_where_and_what() {
    for (file, set, wanted) in [
        ("hz 3\n", "", "core.toml, line 1: "),
        (
            "hz = 1e9\n\n[unit]\nlatency = 0\n",
            "",
            "core.toml, line 4: unit.latency is 0, it must be 1 to 64 cycles",
        ),
        (
            "[unit]\ncolour = 1\n",
            "",
            "core.toml, line 2: unit.colour: unknown field `colour`, expected `latency`",
        ),
        (
            "[unit]\nlatency = \"x\"\n",
            "",
            "core.toml, line 2: unit.latency: wrong type: \"x\" is a name, it must be a whole number",
        ),
        ("[colour]\n", "", "core.toml, line 1: colour: unknown field `colour`, expected one of `title`"),
        ("[dram]\nqueue = 65\n", "", "core.toml, line 2: dram.queue is 65, it must be 1 to 64 requests"),
        (
            "[[files]]\nname = \"vector\"\nsize = -1\n",
            "",
            "core.toml, line 3: files.vector.size: invalid value",
        ),
        ("[[files]]\nname = \"other\"\n", "", "core.toml, line 1: files.other: missing field `size`"),
        ("[unit]\nlatency = 8\n", "unit.latency=65", "--set: unit.latency is 65, it must be 1 to 64 cycles"),
        ("", "unit.interval=3", "--set: unit.interval is 3, it must be 1, 2 or 4 cycles"),
        ("", "unit.latency=1", "unit.interval is 2, it must be at most unit.latency"),
        ("", "unit.latency=-1", "--set: unit.latency: invalid value: integer `-1`"),
        ("", "unit.latency", "--set: `unit.latency` is not FIELD=VALUE"),
        ("", "unit.latency.more=1", "--set: unit.latency.more: nothing there has a field \"more\""),
        (
            "",
            "files.colour.size=1",
            "--set: files.colour.size: there is no \"colour\"; there are: vector, load",
        ),
        ("", "unit=1", "--set: unit: wrong type: 1 is a whole number, it must be a section"),
        ("", "=", "--set: : unknown field ``"),
        ("", "..=1", "--set: "),
    ] {
        let set: Vec<&str> = Some(set).filter(|set| !set.is_empty()).into_iter().collect();
        assert!(said(file, &set).starts_with(wanted), "{wanted}: {}", said(file, &set));
    }
}

#[test]
fn settings_of_a_section_are_taken_out() {
    let mut changes = Changes::default();
    for setting in ["mtu.unit.latency=8", "mm.latency=3", "mtu.hz=5e8"] {
        changes.set("--set", setting).unwrap();
    }
    let core = changes.take_section("mtu", "--set mtu").build(&Core::default()).unwrap();
    assert_eq!((core.unit.latency, core.hz), (8, 5e8));
    assert!(changes.sets("mm.latency") && !changes.sets("mtu.hz") && !changes.is_empty());
}
