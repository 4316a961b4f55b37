//! Suggestions for misspelt parameter names.

use super::range::full_path;
use serde::Serialize;
use toml::Value;

/// Calls `each` with the path and the value of every parameter, except those inside lists.
pub(super) fn leaves(at: &Value, path: &str, each: &mut dyn FnMut(&str, &Value)) {
    match at {
        Value::Table(table) => {
            table.iter().for_each(|(name, value)| leaves(value, &full_path(path, name), each));
        }
        Value::Array(_) => {}
        value => each(path, value),
    }
}

/// The edit distance of two words: letters inserted, deleted or exchanged.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, letter) in a.chars().enumerate() {
        let (mut diagonal, mut left) = (row[0], i + 1);
        row[0] = left;
        for (j, other) in b.iter().enumerate() {
            let cost = (diagonal + usize::from(letter != *other)).min(left + 1).min(row[j + 1] + 1);
            diagonal = row[j + 1];
            row[j + 1] = cost;
            left = cost;
        }
    }
    row[b.len()]
}

/// The parameter that a misspelt path probably means: one with the same name in another section, or one whose path
/// differs in at most a third of its letters. `None` if the design has this exact parameter, or none is similar.
///
/// ```
/// #[derive(serde::Serialize)]
/// struct Unit { latency: u32, interval: u32 }
/// #[derive(serde::Serialize)]
/// struct Core { unit: Unit }
///
/// let core = Core { unit: Unit { latency: 4, interval: 2 } };
/// use pairwright_sim::settings::nearest;
/// assert_eq!(nearest(&core, "unit.latancy").as_deref(), Some("unit.latency"));
/// assert_eq!(nearest(&core, "latency").as_deref(), Some("unit.latency"));
/// assert_eq!(nearest(&core, "unit.colour"), None);
/// ```
pub fn nearest<T: Serialize>(design: &T, path: &str) -> Option<String> {
    let root = Value::try_from(design).ok()?;
    let mut known = Vec::new();
    leaves(&root, "", &mut |path, _| known.push(path.to_owned()));
    if known.iter().any(|known| known == path) {
        return None;
    }
    let last = |path: &str| path.rsplit('.').next().unwrap_or_default().to_owned();
    let same: Vec<&String> = known.iter().filter(|known| last(known) == last(path)).collect();
    if let [one] = same[..] {
        return Some(one.clone());
    }
    let far = |known: &String| distance(known, path).min(distance(&last(known), path));
    let best = if same.is_empty() { known.iter().collect() } else { same };
    let best = best.into_iter().min_by_key(|known| far(known))?;
    (3 * far(best) <= path.chars().count()).then(|| best.clone())
}

#[cfg(test)]
mod tests {
    use super::distance;

    #[test]
    fn letters_are_counted() {
        for (a, b, far) in
            [("", "", 0), ("abc", "", 3), ("latency", "latancy", 1), ("pes", "spe", 2), ("ii", "iii", 1)]
        {
            assert_eq!((distance(a, b), distance(b, a)), (far, far), "{a} {b}");
        }
    }
}
