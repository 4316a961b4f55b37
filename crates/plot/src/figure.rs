//! The data types of a figure.

/// A figure: charts below a title.
#[derive(Clone, Debug, Default)]
pub struct Figure {
    /// The title above all charts.
    pub title: String,
    /// A line below the title, in smaller letters; may be empty.
    pub about: String,
    /// The charts, drawn in two columns, or below each other if one of them is a timeline.
    pub charts: Vec<Chart>,
}

/// A chart of a figure.
#[derive(Clone, Debug)]
pub enum Chart {
    /// Horizontal bars: numbers by category.
    Bars(Bars),
    /// Points and lines: numbers over numbers.
    Plane(Plane),
    /// Blocks of activity on parallel tracks.
    Timeline(Timeline),
}

/// The origin of a series' numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Measured, modelled or estimated here: drawn in colour.
    Ours,
    /// Printed in a paper: drawn in grey, and named so in the legend.
    Published,
}

/// Horizontal bars, in groups of one bar for each series that has a value there.
#[derive(Clone, Debug)]
pub struct Bars {
    /// The chart's caption.
    pub title: String,
    /// The unit of all values, as text.
    pub unit: String,
    /// The names of the groups, the first on top.
    pub groups: Vec<String>,
    /// The series, in the order of the bars of a group.
    pub series: Vec<BarSeries>,
}

/// The bars of one colour.
#[derive(Clone, Debug)]
pub struct BarSeries {
    /// The name in the legend.
    pub name: String,
    /// The origin of the numbers.
    pub origin: Origin,
    /// The index of a group, and the value in that group.
    pub values: Vec<(usize, f64)>,
}

/// Points and lines over two axes.
#[derive(Clone, Debug)]
pub struct Plane {
    /// The chart's caption.
    pub title: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// The series, which share both axes.
    pub series: Vec<Series>,
    /// If set, a line joins the points that no other point dominates.
    pub frontier: Option<Frontier>,
    /// Whether the names of points are written beside them where there is room, those of a frontier first.
    pub labels: bool,
    /// Whether dashed lines connect the points with the same product of both numbers.
    pub equal_products: bool,
}

/// An axis of a plane.
#[derive(Clone, Debug)]
pub struct Axis {
    /// The name of the quantity with its unit.
    pub name: String,
    /// The range and spacing of its numbers.
    pub scale: Scale,
}

/// The range and spacing of an axis' numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// From zero to the largest number.
    FromZero,
    /// From the smallest to the largest number, with a margin.
    Fitted,
    /// From the smallest to the largest by their logarithms; only numbers above zero are drawn.
    Logarithmic,
    /// As [`Scale::Logarithmic`], with powers of two as ticks.
    PowersOfTwo,
}

/// The points that no other point dominates, joined by a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frontier {
    /// The sense in which one point dominates another.
    pub better: Better,
    /// Whether only points of the same series are compared, as where series stand for different work; otherwise all
    /// points with [`Origin::Ours`] are compared.
    pub each: bool,
}

/// The sense in which one design is better than another: at least as good in both numbers and better in one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Better {
    /// Less is better in both numbers.
    LessOfBoth,
    /// Less of the horizontal and more of the vertical number is better.
    LessXMoreY,
    /// More of the horizontal and less of the vertical number is better.
    MoreXLessY,
    /// More is better in both numbers.
    MoreOfBoth,
}

/// The points of one colour.
#[derive(Clone, Debug)]
pub struct Series {
    /// The name in the legend.
    pub name: String,
    /// The origin of the numbers.
    pub origin: Origin,
    /// The mark of each point.
    pub mark: Mark,
    /// The points, in any order.
    pub points: Vec<Point>,
}

/// How the points of a series are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// As the corners of a line from left to right.
    Line,
    /// As separate dots.
    Points,
}

/// A point of a plane.
#[derive(Clone, Debug)]
pub struct Point {
    /// The number on the horizontal axis.
    pub x: f64,
    /// The number on the vertical axis.
    pub y: f64,
    /// The name of the point, which a browser shows when the pointer is on it. May be empty.
    pub name: String,
    /// The text beside the point where [`Plane::labels`] is set; empty for none.
    pub label: String,
}

/// Blocks on parallel tracks over a common time.
#[derive(Clone, Debug)]
pub struct Timeline {
    /// The chart's caption.
    pub title: String,
    /// The unit of time.
    pub unit: String,
    /// The names of the tracks, the first on top.
    pub tracks: Vec<String>,
    /// The kinds of activity, in the order of their colours.
    pub activities: Vec<String>,
    /// The blocks in the order of their starts.
    pub spans: Vec<Span>,
}

/// A block of a timeline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    /// The index of the track.
    pub track: usize,
    /// The time at which it begins, in the unit of the timeline.
    pub start: f64,
    /// Its duration, in the unit of the timeline.
    pub length: f64,
    /// The index of the activity.
    pub activity: usize,
}
