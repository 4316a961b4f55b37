//! What a figure is made of.

/// Charts under a title.
#[derive(Clone, Debug, Default)]
pub struct Figure {
    /// The title above all charts.
    pub title: String,
    /// A line below it, in smaller letters; may be empty.
    pub about: String,
    /// The charts, drawn in two columns, or below each other if one of them is a timeline.
    pub charts: Vec<Chart>,
}

/// One chart of a figure.
#[derive(Clone, Debug)]
pub enum Chart {
    /// Numbers by category.
    Bars(Bars),
    /// Numbers over numbers.
    Plane(Plane),
    /// Blocks of activity on parallel tracks.
    Timeline(Timeline),
}

/// The source of a series' numbers.
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
    /// The unit of all values.
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
    /// The source of these numbers.
    pub origin: Origin,
    /// The index of a group, and the value there.
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
    /// Joins the points that no other point beats.
    pub frontier: Option<Frontier>,
    /// Writes the names of points beside them, those of a frontier first, where there is room.
    pub labels: bool,
    /// Adds dashed lines on which the product of both numbers is the same.
    pub equal_products: bool,
}

/// An axis of a plane.
#[derive(Clone, Debug)]
pub struct Axis {
    /// The quantity with its unit.
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
    /// The same with powers of two as ticks.
    PowersOfTwo,
}

/// The points that no other beats, which a line joins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frontier {
    /// The sense in which a point beats another.
    pub better: Better,
    /// Compares the points of a series with each other alone, as where series stand for different work; otherwise all that
    /// are ours are compared.
    pub each: bool,
}

/// The sense in which one design is better than another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Better {
    /// Less is better in both numbers.
    LessOfBoth,
    /// Less of the horizontal number is better, and more of the vertical one.
    LessXMoreY,
    /// More of the horizontal number is better, and less of the vertical one.
    MoreXLessY,
    /// More is better in both numbers.
    MoreOfBoth,
}

/// The points of one colour.
#[derive(Clone, Debug)]
pub struct Series {
    /// The name in the legend.
    pub name: String,
    /// The source of these numbers.
    pub origin: Origin,
    /// The mark of each point.
    pub mark: Mark,
    /// The points, in any order.
    pub points: Vec<Point>,
}

/// The mark by which points of a series are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// Joined from left to right.
    Line,
    /// Each by itself.
    Points,
}

/// A point of a plane.
#[derive(Clone, Debug)]
pub struct Point {
    /// The number on the horizontal axis.
    pub x: f64,
    /// The number on the vertical axis.
    pub y: f64,
    /// The name of what the point stands for, which a browser shows when the pointer is there. May be empty.
    pub name: String,
    /// What is written beside it where [`Plane::labels`] asks for that; empty for nothing.
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
    /// The time at which it begins.
    pub start: f64,
    /// The time that it lasts.
    pub length: f64,
    /// The index of the activity.
    pub activity: usize,
}
