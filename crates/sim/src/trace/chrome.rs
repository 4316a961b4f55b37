//! Timelines in the trace-event format that Perfetto and Chrome's `about:tracing` open.

use serde_json::{Map, Value, json};
use std::io;

/// A timeline: processes with tracks, events on tracks, and counters of processes.
///
/// The format counts microseconds; here a microsecond is a cycle.
#[derive(Clone, Default, Debug)]
pub struct Chrome {
    /// One serialised JSON event per entry, which takes a tenth of the memory of parsed values.
    events: Vec<String>,
    processes: u32,
    tracks: u32,
}

/// A group of tracks, made by [`Chrome::process`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Process(u32);

/// A row of the timeline, made by [`Chrome::track`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Track {
    process: Process,
    thread: u32,
}

impl Chrome {
    /// An empty timeline.
    pub fn new() -> Self {
        Self::default()
    }

    fn push(&mut self, event: Value) {
        self.events.push(event.to_string());
    }

    fn named(&mut self, kind: &str, process: u32, thread: u32, name: &str) {
        self.push(
            json!({ "ph": "M", "name": kind, "pid": process, "tid": thread, "args": { "name": name } }),
        );
    }

    /// Adds a group of tracks with this name.
    pub fn process(&mut self, name: &str) -> Process {
        self.processes += 1;
        self.named("process_name", self.processes, 0, name);
        Process(self.processes)
    }

    /// Adds a track to a group, below its earlier tracks.
    pub fn track(&mut self, process: Process, name: &str) -> Track {
        self.tracks += 1;
        self.named("thread_name", process.0, self.tracks, name);
        let order = json!({ "sort_index": self.tracks });
        self.push(json!({
            "ph": "M", "name": "thread_sort_index", "pid": process.0, "tid": self.tracks, "args": order
        }));
        Track { process, thread: self.tracks }
    }

    /// Adds an event that lasts `cycles` cycles. Events of one track must not overlap unless one contains the other.
    pub fn event<'a>(
        &mut self,
        track: Track,
        name: &str,
        start: u64,
        cycles: u64,
        args: impl IntoIterator<Item = (&'a str, Value)>,
    ) {
        let args: Map<String, Value> = args.into_iter().map(|(k, v)| (k.to_owned(), v)).collect();
        self.push(json!({
            "ph": "X", "name": name, "pid": track.process.0, "tid": track.thread,
            "ts": start, "dur": cycles, "args": args
        }));
    }

    /// Sets the value of a counter from cycle `cycle` on.
    pub fn counter(&mut self, process: Process, name: &str, cycle: u64, value: u64) {
        self.push(json!({
            "ph": "C", "name": name, "pid": process.0, "ts": cycle, "args": { "value": value }
        }));
    }

    /// The number of events so far, including those that name processes and tracks.
    pub fn len(&self) -> usize {
        self.events.len()
    }

    /// Whether the timeline is empty.
    pub fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    /// Writes the timeline as JSON, one event per line.
    ///
    /// # Errors
    /// Errors of the writer.
    pub fn write(&self, mut out: impl io::Write) -> io::Result<()> {
        writeln!(out, "{{\"displayTimeUnit\":\"ns\",\"traceEvents\":[")?;
        for (i, event) in self.events.iter().enumerate() {
            let comma = if i + 1 == self.events.len() { "" } else { "," };
            writeln!(out, "{event}{comma}")?;
        }
        writeln!(out, "]}}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_timeline_is_this_text() {
        let mut trace = Chrome::new();
        let core = trace.process("core");
        let mm = trace.track(core, "multiplier");
        trace.event(mm, "mm", 7, 18, [("slot", json!(3))]);
        trace.counter(core, "in flight", 7, 1);
        let mut text = Vec::new();
        trace.write(&mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        assert_eq!(text, include_str!("golden/timeline.json"));
        let parsed: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(parsed["traceEvents"].as_array().unwrap().len(), trace.len());
    }
}
