//! Sweeps: parameters of a design, each with a list of values, and the points of their Cartesian product.

use crate::failure::ArgumentError;
use std::str::FromStr;

/// The most points of a sweep. A larger product is taken for a typing error and refused.
const MOST: usize = 20_000;

/// A parameter of a design and its values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Axis {
    /// The dotted path of the parameter, or the name of an option.
    pub path: String,
    /// Its values, as `--set` takes them.
    pub values: Vec<String>,
}

impl FromStr for Axis {
    type Err = ArgumentError;

    /// `mm.latency=12..24` (both ends included), `mm.latency=12..24:4` (every fourth), `issue.width=1,2`.
    fn from_str(text: &str) -> Result<Self, ArgumentError> {
        let bad = || ArgumentError::Axis(text.to_owned());
        let (path, values) = text.split_once('=').ok_or_else(bad)?;
        let values: Vec<String> = match values.split_once("..") {
            None => values.split(',').map(|v| v.trim().to_owned()).collect(),
            Some((first, rest)) => {
                let (last, step) = rest.split_once(':').unwrap_or((rest, "1"));
                let number = |text: &str| text.trim().parse::<u32>().map_err(|_| bad());
                let (first, last, step) = (number(first)?, number(last)?, number(step)?);
                if step == 0 || first > last || (last - first) / step >= MOST as u32 {
                    return Err(bad());
                }
                (first..=last).step_by(step as usize).map(|v| v.to_string()).collect()
            }
        };
        if path.is_empty() || values.iter().any(String::is_empty) {
            return Err(bad());
        }
        Ok(Self { path: path.to_owned(), values })
    }
}

/// Every combination of the axes' values; the last axis changes fastest.
pub(crate) fn points(axes: &[Axis]) -> Result<Vec<Vec<String>>, ArgumentError> {
    let many =
        axes.iter().try_fold(1usize, |n, axis| n.checked_mul(axis.values.len()).filter(|n| *n <= MOST));
    if many.is_none() {
        return Err(ArgumentError::ManyPoints { most: MOST });
    }
    Ok(axes.iter().fold(vec![Vec::new()], |points, axis| {
        let longer = |point: &Vec<String>, value: &String| {
            point.iter().cloned().chain([value.clone()]).collect::<Vec<_>>()
        };
        points.iter().flat_map(|point| axis.values.iter().map(move |value| longer(point, value))).collect()
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_and_lists() {
        let values = |text: &str| text.parse::<Axis>().map(|axis| axis.values).map_err(|e| e.to_string());
        assert_eq!(values("mm.latency=12..14").unwrap(), ["12", "13", "14"]);
        assert_eq!(values("mm.latency=12..24:6").unwrap(), ["12", "18", "24"]);
        assert_eq!(values("mm.style=pipelined,iterative").unwrap(), ["pipelined", "iterative"]);
        for bad in ["mm.latency", "mm.latency=", "mm.latency=5..3", "mm.latency=1..9:0", "=1", "a.b=1,,2"] {
            assert!(values(bad).unwrap_err().contains(" is not FIELD="), "{bad}");
        }
    }

    #[test]
    fn the_product_of_two_axes() {
        let axes = ["a.b=1,2".parse().unwrap(), "c.d=x,y".parse().unwrap()];
        assert_eq!(points(&axes).unwrap(), [["1", "x"], ["1", "y"], ["2", "x"], ["2", "y"]]);
        let wide: Axis = "a.b=1..1000".parse().unwrap();
        assert!(matches!(points(&[wide.clone(), wide]), Err(ArgumentError::ManyPoints { .. })));
    }
}
