//! Draws typed figures as SVG: bars, points and lines in a plane, timelines.
//!
//! A [`Figure`] is data: charts with titles, axes with units, series with names and numbers. [`Figure::svg`] chooses
//! sizes, colours and positions of legends, so that figures of `lab` and those of the command line look alike. Series
//! whose numbers come from a paper are drawn in grey.
//!
//! ```
//! use pairwright_plot::{Axis, Better, Chart, Figure, Frontier, Mark, Origin, Plane, Point, Scale, Series};
//!
//! let point = |x, y, name: &str| Point { x, y, name: name.to_owned(), label: name.to_owned() };
//! let designs = Series {
//!     name: "designs".to_owned(),
//!     origin: Origin::Ours,
//!     mark: Mark::Points,
//!     points: vec![point(2.1, 70.0, "one slot"), point(2.2, 38.0, "two slots")],
//! };
//! let plane = Plane {
//!     title: "a pairing".to_owned(),
//!     x: Axis { name: "area, mm2".to_owned(), scale: Scale::Fitted },
//!     y: Axis { name: "time, us".to_owned(), scale: Scale::Fitted },
//!     series: vec![designs],
//!     frontier: Some(Frontier { better: Better::LessOfBoth, each: false }),
//!     labels: true,
//!     equal_products: false,
//! };
//! let (title, about) = ("designs".to_owned(), "800 MHz".to_owned());
//! let figure = Figure { title, about, charts: vec![Chart::Plane(plane)] };
//! assert!(figure.svg()?.contains("two slots"));
//! # Ok::<(), pairwright_plot::PlotError>(())
//! ```
#![forbid(unsafe_code)]

mod axis;
mod bars;
mod figure;
mod labels;
mod layout;
mod plane;
mod style;
mod timeline;

pub use figure::{
    Axis, BarSeries, Bars, Better, Chart, Figure, Frontier, Mark, Origin, Plane, Point, Scale, Series, Span,
    Timeline,
};

/// Why a figure could not be drawn.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlotError {
    /// The drawing library reported an error.
    #[error("cannot draw `{title}`: {said}")]
    Drawing {
        /// The title of the figure.
        title: String,
        /// The message of the library.
        said: String,
    },
}
