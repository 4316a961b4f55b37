//! Two-dimensional tables of a library for delays, transition times and energies, with interpolation.

use super::liberty::Group;

/// Values over two axes: the transition time of an input and the load of an output, or two transition times.
#[derive(Clone, PartialEq, Debug)]
pub struct Table {
    rows: Vec<f64>,
    columns: Vec<f64>,
    values: Vec<f64>,
    /// Whether rows are loads and columns are transition times.
    turned: bool,
}

impl Table {
    pub(super) fn of(group: &Group, turned: &dyn Fn(&str) -> bool) -> Option<Self> {
        let values = group.numbers("values");
        let axis = |name| match group.numbers(name) {
            axis if axis.is_empty() => vec![0.0],
            axis => axis,
        };
        let (rows, columns) = (axis("index_1"), axis("index_2"));
        let fits = values.len() == rows.len() * columns.len() && !values.is_empty();
        fits.then(|| Self { rows, columns, values, turned: turned(group.name()) })
    }

    /// The value at a transition time and a load, by bilinear interpolation; outside the table it is extrapolated from
    /// the last two points.
    pub fn at(&self, transition: f64, load: f64) -> f64 {
        let (x, y) = if self.turned { (load, transition) } else { (transition, load) };
        let (i, u) = place(&self.rows, x);
        let (j, v) = place(&self.columns, y);
        let value = |i: usize, j: usize| {
            let (i, j) = (i.min(self.rows.len() - 1), j.min(self.columns.len() - 1));
            self.values[i * self.columns.len() + j]
        };
        let row = |i: usize| value(i, j) * (1.0 - v) + value(i, j + 1) * v;
        row(i) * (1.0 - u) + row(i + 1) * u
    }
}

/// The interval of an axis that contains a coordinate, or is nearest to it, and the relative position in it.
fn place(axis: &[f64], x: f64) -> (usize, f64) {
    if axis.len() < 2 {
        return (0, 0.0);
    }
    let i = axis.partition_point(|a| *a <= x).clamp(1, axis.len() - 1) - 1;
    (i, (x - axis[i]) / (axis[i + 1] - axis[i]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_interpolated_and_extrapolated() {
        let table = |turned| Table {
            rows: vec![1.0, 3.0],
            columns: vec![0.0, 10.0, 20.0],
            values: vec![0.0, 10.0, 20.0, 4.0, 14.0, 24.0],
            turned,
        };
        let plane = |x: f64, y: f64| 2.0 * (x - 1.0) + y;
        for (x, y) in [(1.0, 0.0), (2.0, 5.0), (3.0, 20.0), (0.0, 25.0), (5.0, -1.0)] {
            assert!((table(false).at(x, y) - plane(x, y)).abs() < 1e-9);
            assert!((table(true).at(y, x) - plane(x, y)).abs() < 1e-9);
        }
    }
}
