//! Counters of events by their names.

use core::fmt;
use serde::Serialize;
use std::collections::BTreeMap;

/// Counters by name, in the order of their names.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize)]
#[serde(transparent)]
pub struct Stats {
    counters: BTreeMap<String, u64>,
}

impl Stats {
    /// A set without counters.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds `n` to a counter, which begins at zero.
    pub fn add(&mut self, name: &str, n: u64) {
        match self.counters.get_mut(name) {
            Some(count) => *count += n,
            None => {
                self.counters.insert(name.to_owned(), n);
            }
        }
    }

    /// A counter's value; zero if nothing was ever added.
    pub fn get(&self, name: &str) -> u64 {
        self.counters.get(name).copied().unwrap_or(0)
    }

    /// Adds another set of counters, name by name.
    pub fn merge(&mut self, other: &Self) {
        for (name, n) in other.iter() {
            self.add(name, n);
        }
    }

    /// Names and values in the order of the names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, u64)> {
        self.counters.iter().map(|(name, n)| (name.as_str(), *n))
    }
}

/// A line a counter, the values flush right.
impl fmt::Display for Stats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.counters.keys().map(String::len).max().unwrap_or(0);
        self.iter().try_for_each(|(name, n)| writeln!(f, "{name:<width$} {n:>12}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_add_up_and_print_in_order() {
        let mut a = Stats::new();
        a.add("stall", 2);
        a.add("issue", 5);
        let mut b = Stats::new();
        b.add("stall", 40);
        a.merge(&b);
        assert_eq!((a.get("stall"), a.get("absent")), (42, 0));
        assert_eq!(a.to_string(), "issue            5\nstall           42\n");
        assert_eq!(serde_json::to_string(&a).unwrap(), r#"{"issue":5,"stall":42}"#);
    }
}
