//! The picture of a sweep. The swept parameters choose the axes: costs over the size of the work; one cost against another for
//! designs that do the same work; costs over a parameter if only one cost changes; bars if the parameter's values are names.
//! `--x` and `--y` choose other axes. A column with the same value at every point is never an axis.

use super::quantity::{self, Sense};
use crate::args::Axis as Swept;
use crate::failure::ArgumentError;
use pairwright_plot::{
    Axis, BarSeries, Bars, Better, Chart, Figure, Frontier, Mark, Origin, Plane, Point, Scale, Series,
};

/// Parameters that change the work itself. Costs of different work are not compared with each other.
const WORK: &[&str] = &[
    "size",
    "workload",
    "group",
    "curve",
    "scalars",
    "coset",
    "direction",
    "wires",
    "public",
    "entries",
    "random",
    "upstream",
    "downstream",
    "form",
];
/// The number of costs that are drawn over a parameter if `--y` names none.
const DEFAULT_CHARTS: usize = 2;
/// The most series that their colours can tell apart.
const MOST_SERIES: usize = 8;
/// The ratio of largest to smallest number above which an axis is logarithmic.
const SPREAD: f64 = 20.0;

/// A sweep as columns of text: the swept parameters, and the costs of every point that has costs.
pub(super) struct Sheet<'a> {
    pub title: &'a str,
    pub swept: &'a [Swept],
    pub columns: Vec<&'a str>,
    /// The costs by which designs are compared, the most important two first, and whether less or more is better.
    pub better: &'a [(&'a str, Sense)],
    /// The values of the swept parameters, then those of the columns.
    pub rows: Vec<Vec<String>>,
}

/// The axes that `--x` and `--y` name.
#[derive(Clone, Copy)]
pub(super) struct Choice<'a> {
    pub x: Option<&'a str>,
    pub y: &'a [String],
}

/// A parameter or a cost, by its index in a row.
type Column = usize;

/// The last part of a parameter's path.
fn short(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}

impl Sheet<'_> {
    fn name(&self, of: Column) -> &str {
        self.swept.get(of).map_or_else(|| self.columns[of - self.swept.len()], |axis| axis.path.as_str())
    }

    fn column(&self, name: &str) -> Option<Column> {
        let same = |known: &str| known == name || known.replace('-', "_") == name.replace('-', "_");
        let parameter = self.swept.iter().position(|axis| same(&axis.path));
        parameter.or_else(|| Some(self.swept.len() + self.columns.iter().position(|column| same(column))?))
    }

    fn numbers(&self, of: Column) -> Option<Vec<f64>> {
        self.rows.iter().map(|row| quantity::value(&row[of])).collect()
    }

    /// The distinct values of a column, in order of their first occurrence.
    fn values(&self, of: Column) -> Vec<&str> {
        let mut found: Vec<&str> = Vec::new();
        for row in &self.rows {
            if !found.contains(&row[of].as_str()) {
                found.push(&row[of]);
            }
        }
        found
    }

    fn varies(&self, of: Column) -> bool {
        self.values(of).len() > 1
    }

    /// The parameters that have more than one value.
    fn varying(&self) -> impl Iterator<Item = Column> {
        (0..self.swept.len()).filter(|axis| self.varies(*axis))
    }

    fn is_work(&self, of: Column) -> bool {
        of < self.swept.len() && WORK.contains(&short(self.name(of)))
    }

    /// The costs by which designs are compared that differ between points.
    fn costs(&self) -> impl Iterator<Item = Column> {
        let known = self.better.iter().filter_map(|(name, _)| self.column(name));
        known.filter(|cost| self.varies(*cost) && self.numbers(*cost).is_some())
    }

    fn sense(&self, of: Column) -> Option<Sense> {
        self.better.iter().find(|(name, _)| *name == self.name(of)).map(|(_, sense)| *sense)
    }

    /// The column that an option names for an axis.
    fn chosen(&self, option: &'static str, name: &str) -> Result<Column, ArgumentError> {
        let all = 0..self.swept.len() + self.columns.len();
        let fit = |of: &Column| self.varies(*of) && (option == "--x" || self.numbers(*of).is_some());
        let known = || all.clone().filter(fit).map(|of| self.name(of)).collect::<Vec<_>>().join(", ");
        let name = name.to_owned();
        match self.column(&name) {
            None => Err(ArgumentError::NoAxis { option, name, known: known() }),
            Some(of) if !self.varies(of) => {
                Err(ArgumentError::FlatAxis { option, name, value: self.rows[0][of].clone(), known: known() })
            }
            Some(of) if !fit(&of) => Err(ArgumentError::WordAxis { option, name, known: known() }),
            Some(of) => Ok(of),
        }
    }

    /// The horizontal axis, and a vertical one for each chart.
    fn axes(&self, choice: Choice<'_>) -> Result<(Column, Vec<Column>), ArgumentError> {
        let given: Vec<Column> =
            choice.y.iter().map(|name| self.chosen("--y", name)).collect::<Result<_, _>>()?;
        let numeric = |of: &Column| self.numbers(*of).is_some();
        let work = || self.varying().find(|axis| self.is_work(*axis) && numeric(axis));
        // If the two most important costs both change, one is drawn against the other.
        let pair: Vec<Column> =
            self.better.iter().take(2).filter_map(|(name, _)| self.column(name)).collect();
        let pair = [pair[0], pair[1]];
        // If a cost has only a few distinct values for many designs, the parameter that moves them is the better axis.
        let few = |cost: &Column| self.rows.len() > 3 * self.values(*cost).len();
        let both = pair.iter().all(|cost| self.varies(*cost) && !few(cost));
        let cost = || match given.first() {
            None if both => Some(pair[0]),
            Some(y) if pair.contains(y) => pair.iter().copied().find(|cost| cost != y && self.varies(*cost)),
            _ => None,
        };
        let parameter = || self.varying().find(numeric).or_else(|| self.varying().next());
        let x = match choice.x {
            Some(name) => self.chosen("--x", name)?,
            None => work().or_else(cost).or_else(parameter).ok_or(ArgumentError::NothingVaries)?,
        };
        let against = x >= self.swept.len();
        let y = if !given.is_empty() {
            given
        } else if against {
            self.costs().find(|cost| *cost != x).into_iter().collect()
        } else {
            self.costs().filter(|cost| *cost != x).take(DEFAULT_CHARTS).collect()
        };
        if y.is_empty() { Err(ArgumentError::NothingVaries) } else { Ok((x, y)) }
    }

    /// Groups the rows by their values of these parameters: the values as a name, and the indices of the rows.
    fn series(&self, by: &[Column]) -> Vec<(String, Vec<usize>)> {
        let mut found: Vec<(String, Vec<usize>)> = Vec::new();
        for (n, row) in self.rows.iter().enumerate() {
            let part = |of: &Column| match quantity::value(&row[*of]) {
                Some(_) => format!("{} {}", self.name(*of), row[*of]),
                None => row[*of].clone(),
            };
            let name = by.iter().map(part).collect::<Vec<_>>().join(", ");
            match found.iter_mut().find(|(known, _)| *known == name) {
                Some((_, rows)) => rows.push(n),
                None => found.push((name, vec![n])),
            }
        }
        found
    }

    /// The parameters of a row as text, for the tooltip of its point.
    fn full_name(&self, row: usize) -> String {
        let part = |(n, axis): (usize, &Swept)| format!("{}={}", axis.path, self.rows[row][n]);
        self.swept.iter().enumerate().map(part).collect::<Vec<_>>().join(" ")
    }

    /// The figure with a chart for each vertical axis.
    pub(super) fn picture(&self, choice: Choice<'_>) -> Result<Figure, ArgumentError> {
        let (x, ys) = self.axes(choice)?;
        let over_parameter = x < self.swept.len();
        let others: Vec<Column> = self.varying().filter(|axis| *axis != x && !ys.contains(axis)).collect();
        // With one cost against another there is a colour for each kind of work, or else for each value of the parameter with the
        // fewest values.
        let by: Vec<Column> = if over_parameter {
            others.clone()
        } else if others.iter().any(|axis| self.is_work(*axis)) {
            others.iter().copied().filter(|axis| self.is_work(*axis)).collect()
        } else if others.len() > 1 {
            let fewest = others.iter().copied().min_by_key(|axis| self.values(*axis).len());
            fewest.filter(|axis| self.values(*axis).len() <= MOST_SERIES).into_iter().collect()
        } else {
            Vec::new()
        };
        let beside: Vec<Column> = others.iter().copied().filter(|axis| !by.contains(axis)).collect();
        let series = self.series(&by);
        let mut about = vec![quantity::swept(self.swept)];
        if !beside.is_empty() && !over_parameter {
            let names: Vec<&str> = beside.iter().map(|axis| self.name(*axis)).collect();
            about.push(format!("beside the points: {}", names.join(", ")));
        }
        let chart = |&y: &Column| match self.numbers(x) {
            None => self.bars(x, y, &series),
            Some(xs) => Chart::Plane(self.plane((x, &xs), y, &series, &beside)),
        };
        Ok(Figure {
            title: self.title.to_owned(),
            about: about.join("; "),
            charts: ys.iter().map(chart).collect(),
        })
    }

    fn bars(&self, x: Column, y: Column, series: &[(String, Vec<usize>)]) -> Chart {
        let groups: Vec<String> = self.values(x).into_iter().map(str::to_owned).collect();
        let numbers = self.numbers(y).unwrap_or_default();
        let (label, factor) = quantity::label(self.name(y), &numbers);
        let series = series.iter().map(|(name, rows)| {
            let group = |n: usize| groups.iter().position(|group| *group == self.rows[n][x]);
            let values = rows.iter().filter_map(|&n| Some((group(n)?, factor * numbers[n]))).collect();
            BarSeries { name: name.clone(), origin: Origin::Ours, values }
        });
        let series = series.collect();
        Chart::Bars(Bars { title: format!("by {}", self.name(x)), unit: label, groups, series })
    }

    fn plane(
        &self,
        (x, xs): (Column, &[f64]),
        y: Column,
        series: &[(String, Vec<usize>)],
        beside: &[Column],
    ) -> Plane {
        let over_parameter = x < self.swept.len();
        let ys = self.numbers(y).unwrap_or_default();
        let ((x_label, x_factor), (y_label, y_factor)) =
            (quantity::label(self.name(x), xs), quantity::label(self.name(y), &ys));
        let point = |&n: &usize| Point {
            x: x_factor * xs[n],
            y: y_factor * ys[n],
            name: self.full_name(n),
            label: beside.iter().map(|axis| self.rows[n][*axis].as_str()).collect::<Vec<_>>().join(" "),
        };
        let series: Vec<Series> = series
            .iter()
            .map(|(name, rows)| Series {
                name: name.clone(),
                origin: Origin::Ours,
                mark: if over_parameter { Mark::Line } else { Mark::Points },
                points: rows.iter().map(point).collect(),
            })
            .collect();
        let better = match (self.sense(x), self.sense(y)) {
            (Some(Sense::Less), Some(Sense::Less)) => Some(Better::LessOfBoth),
            (Some(Sense::Less), Some(Sense::More)) => Some(Better::LessXMoreY),
            (Some(Sense::More), Some(Sense::Less)) => Some(Better::MoreXLessY),
            (Some(Sense::More), Some(Sense::More)) => Some(Better::MoreOfBoth),
            _ => None,
        };
        let each = self.varying().any(|axis| self.is_work(axis));
        let scale = |numbers: &[f64], parameter: bool| {
            let least = numbers.iter().copied().fold(f64::INFINITY, f64::min);
            let most = numbers.iter().copied().fold(0.0, f64::max);
            let power = |v: &f64| *v >= 1.0 && v.log2().fract() == 0.0;
            match () {
                () if parameter && most >= 4.0 * least && numbers.iter().all(power) => Scale::PowersOfTwo,
                () if least > 0.0 && most > SPREAD * least => Scale::Logarithmic,
                () if !parameter && over_parameter && least < 0.5 * most => Scale::FromZero,
                () => Scale::Fitted,
            }
        };
        Plane {
            title: String::new(),
            x: Axis { name: x_label, scale: scale(xs, over_parameter) },
            y: Axis { name: y_label, scale: scale(&ys, false) },
            series,
            frontier: better.map(|better| Frontier { better, each }),
            labels: !over_parameter,
            equal_products: [self.name(x), self.name(y)] == ["latency_us", "area_mm2"],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLUMNS: [&str; 4] = ["cycles", "latency_us", "area_mm2", "bound"];
    const BETTER: [(&str, Sense); 3] =
        [("latency_us", Sense::Less), ("area_mm2", Sense::Less), ("cycles", Sense::Less)];
    const NONE: Choice<'static> = Choice { x: None, y: &[] };

    /// A sweep whose costs are functions of the first and second parameter's values.
    fn picture(
        axes: &[&str],
        area: fn(f64, f64) -> f64,
        choice: Choice<'_>,
    ) -> Result<Figure, ArgumentError> {
        let swept: Vec<Swept> = axes.iter().map(|axis| axis.parse().unwrap()).collect();
        let rows = crate::args::points(&swept).unwrap().into_iter().map(|values| {
            let number = |n: usize| values.get(n).and_then(|v| quantity::value(v)).unwrap_or(3.0);
            let (a, b) = (number(0), number(1));
            let costs = [a * b, a * b / 800.0, area(a, b)].map(|v| v.to_string());
            values.iter().cloned().chain(costs).chain(["compute".to_owned()]).collect()
        });
        let rows = rows.collect();
        Sheet { title: "an NTT", swept: &swept, columns: COLUMNS.to_vec(), better: &BETTER, rows }
            .picture(choice)
    }

    fn plane(chart: &Chart) -> &Plane {
        match chart {
            Chart::Plane(plane) => plane,
            other => panic!("{other:?}"),
        }
    }

    fn planes(figure: &Figure) -> Vec<&Plane> {
        figure.charts.iter().map(plane).collect()
    }

    fn names(figure: &Figure) -> Vec<[&str; 2]> {
        planes(figure).iter().map(|p| [p.x.name.as_str(), p.y.name.as_str()]).collect()
    }

    #[test]
    fn designs_of_the_same_work_are_in_the_plane_of_their_costs() {
        let figure =
            picture(&["mm.latency=12,18,24", "issue.width=1,2"], |a, b| 9.0 - a / 10.0 + b, NONE).unwrap();
        assert_eq!(names(&figure), [["latency, µs", "area, mm²"]]);
        let plane = planes(&figure)[0];
        assert_eq!(plane.frontier, Some(Frontier { better: Better::LessOfBoth, each: false }));
        assert!(plane.equal_products && plane.labels);
        assert_eq!(
            plane.series.iter().map(|s| s.name.as_str()).collect::<Vec<_>>(),
            ["issue.width 1", "issue.width 2"]
        );
        let first = &plane.series[0].points[0];
        assert_eq!((first.name.as_str(), first.label.as_str()), ("mm.latency=12 issue.width=1", "12"));
        assert_eq!(
            figure.about,
            "swept: mm.latency 12, 18, 24; issue.width 1, 2; beside the points: mm.latency"
        );
    }

    #[test]
    fn work_of_different_size_has_no_frontier() {
        let area = |_, b: f64| b;
        let figure = picture(&["size=2^10,2^12,2^14", "poly.groups=1,2"], area, NONE).unwrap();
        assert_eq!(names(&figure), [["size", "latency, µs"], ["size", "area, mm²"]]);
        for plane in planes(&figure) {
            assert_eq!((plane.frontier, plane.x.scale), (None, Scale::PowersOfTwo));
            assert_eq!(
                plane.series.iter().map(|s| s.name.as_str()).collect::<Vec<_>>(),
                ["poly.groups 1", "poly.groups 2"]
            );
        }
        // Designs are compared only with others that have the same workload.
        let figure = picture(&["pes=2,4", "workload=merkle,product"], |a, _| a, NONE).unwrap();
        let plane = planes(&figure)[0];
        assert_eq!(plane.frontier, Some(Frontier { better: Better::LessOfBoth, each: true }));
        assert_eq!(plane.series.iter().map(|s| s.name.as_str()).collect::<Vec<_>>(), ["merkle", "product"]);
        // If `--x` names another axis than the sizes, each size is a series.
        let y = ["area_mm2".to_owned()];
        let figure =
            picture(&["size=2^10,2^12", "pes=2,4"], |_, b| b, Choice { x: Some("latency_us"), y: &y })
                .unwrap();
        assert_eq!(planes(&figure)[0].frontier.map(|f| f.each), Some(true));
    }

    #[test]
    fn what_is_the_same_everywhere_is_no_axis() {
        let figure = picture(&["msm.window_g1=6..10", "msm.segments=2,8"], |_, _| 8.3, NONE).unwrap();
        assert_eq!(names(&figure), [["msm.window_g1", "latency, µs"], ["msm.window_g1", "cycles"]]);
        let figure = picture(&["schedule=hidden,unhidden", "mm.latency=8,9"], |_, _| 8.3, NONE).unwrap();
        assert_eq!(names(&figure)[0], ["mm.latency", "latency, µs"]);
        let y = ["area_mm2".to_owned()];
        let flat = picture(&["mm.latency=8,9"], |_, _| 8.3, Choice { x: None, y: &y }).unwrap_err();
        assert_eq!(
            flat.to_string(),
            "--y: area_mm2 is 8.3 at every point; what changes: mm.latency, cycles, latency_us"
        );
        let none = picture(&["mm.latency=8"], |_, _| 8.3, NONE).unwrap_err();
        assert!(none.to_string().starts_with("--plot: nothing"), "{none}");
    }

    #[test]
    fn names_are_bars() {
        let figure =
            picture(&["traversal=bfs,dfs", "pes=2,4"], |_, _| 1.0, Choice { x: Some("traversal"), y: &[] });
        let figure = figure.unwrap();
        let Chart::Bars(bars) = &figure.charts[0] else { panic!("{figure:?}") };
        assert_eq!((&bars.groups[..], bars.series.len()), (&["bfs".to_owned(), "dfs".to_owned()][..], 2));
        assert_eq!(bars.unit, "latency, µs");
    }

    #[test]
    fn axes_are_chosen_by_name() {
        let axes = ["mm.latency=8,9", "issue.width=1,2"];
        let y = ["cycles".to_owned(), "latency-us".to_owned()];
        let figure = picture(&axes, |a, _| a, Choice { x: Some("area_mm2"), y: &y }).unwrap();
        assert_eq!(names(&figure), [["area, mm²", "cycles"], ["area, mm²", "latency, µs"]]);
        let refused =
            |x| picture(&axes, |a, _| a, Choice { x, y: &["bound".to_owned()] }).unwrap_err().to_string();
        assert!(refused(None).starts_with("--y: bound is compute at every point"), "{}", refused(None));
        let x = picture(&axes, |a, _| a, Choice { x: Some("colour"), y: &[] }).unwrap_err().to_string();
        assert!(x.starts_with("--x: there is no colour; there are: mm.latency, issue.width, cycles,"), "{x}");
    }
}
