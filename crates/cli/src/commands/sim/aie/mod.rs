//! `pairwright sim aie`: point additions on AI Engines.

pub(super) mod board;
mod data;
mod kernels;
pub(super) mod msm;
mod report;

use super::operator::clocked;
use super::sweep::{self, Family};
use super::to_file;
use crate::args::{self, AieOptions, Axis, Cli, MethodOptions, SimAie, form_name};
use crate::commands::design::{Base, Named};
use crate::failure::Failure;
use crate::output;
use crate::progress::Progress;
use data::compared;
use pairwright::aie::Method;
use pairwright::aie::evaluate::{Design, evaluate, timeline};
use pairwright::aie::mapping::Mapping;
use report::{DesignFigures, DesignReport, text};
use serde::Serialize;

/// Simulates one design, or every point of a sweep.
pub(super) fn run(cli: &Cli, a: &SimAie) -> Result<(), Failure> {
    let base = base_of(&a.designs.base, &a.options)?;
    let design = base.at(&[])?;
    if a.designs.shows() {
        base.check(&design)?;
        return a.designs.show(cli, &design);
    }
    if !a.designs.sweep.sweep.is_empty() || a.options.mapping.len() > 1 {
        return sweep(cli, a, &base, &design);
    }
    base.check(&design)?;
    let progress = Progress::new(0, &describe(&design, &|_| true));
    let (evaluated, seconds) = clocked(|| evaluate(&design));
    let evaluation = evaluated.map_err(Failure::bad)?;
    let compared = if a.data { Some(compared(&design, a.random)?) } else { None };
    if let Some(path) = &a.trace {
        let timeline = timeline(&design, a.tasks).map_err(Failure::bad)?;
        to_file(path, |file| timeline.write(file))?;
    }
    let kernels = if a.kernels || a.listing { Some(kernels::all(&design, a.listing)?) } else { None };
    drop(progress);
    let report = DesignReport::new(&design, DesignFigures(evaluation), compared, kernels, seconds);
    output::print(cli, &report, text)
}

/// The design that `--design`, `--spec`, `--set` and the options for single parameters describe.
pub(super) fn base_of(design: &args::Design, options: &AieOptions) -> Result<Base<Design>, Failure> {
    let paper = || Design::new(Mapping::Coarse, Method::PAPER);
    Base::new(design, &[("paper", paper)], options.named())
}

/// Evaluates a design.
pub(super) fn costs(design: &Design) -> Result<DesignFigures, Failure> {
    Ok(DesignFigures(evaluate(design).map_err(Failure::bad)?))
}

impl MethodOptions {
    /// The options that set single parameters.
    fn named(self) -> [Named; 3] {
        [
            ("--carry", "method.carry", self.carry.map(|carry| carry.name().to_owned())),
            ("--reduction", "method.reduction", self.reduction.map(|reduction| reduction.name().to_owned())),
            ("--product", "method.product", self.product.map(|product| product.name().to_owned())),
        ]
    }
}

impl AieOptions {
    /// The options that set single parameters. Several mappings make a sweep.
    fn named(&self) -> Vec<Named> {
        let mapping = self.mapping.first().map(|mapping| mapping.name().to_owned());
        let own: [Named; 2] = [
            ("--mapping", "mapping", mapping),
            ("--form", "form", self.form.map(|form| form_name(form).to_owned())),
        ];
        own.into_iter().chain(self.method.named()).collect()
    }
}

/// The parameters that all points of a sweep share.
#[derive(Serialize)]
struct DesignHeading {
    /// The design before the sweep's changes.
    mapping: Mapping,
    method: Method,
    checked: bool,
}

fn sweep(cli: &Cli, a: &SimAie, base: &Base<Design>, design: &Design) -> Result<(), Failure> {
    let mut args = a.designs.sweep.clone();
    if a.options.mapping.len() > 1 && args.sweep.iter().all(|axis| axis.path != "mapping") {
        let values = a.options.mapping.iter().map(|mapping| mapping.name().to_owned()).collect();
        args.sweep.insert(0, Axis { path: "mapping".to_owned(), values });
    }
    let title = format!("point additions, {}", describe(design, &|name| sweep::fixed(&args.sweep, name)));
    let checked = if a.data { "all equal to the host's" } else { "timing" };
    let head = DesignHeading { mapping: design.mapping, method: design.method, checked: a.data };
    sweep::run(
        cli,
        &args,
        Family { head, title, checked },
        |swept| base.at(swept),
        |design| {
            let figures = costs(&design)?;
            if a.data {
                compared(&design, a.random)?;
            }
            Ok(figures)
        },
    )
}

/// A method as text, with the parameters for which `fixed` is true.
fn method(method: &Method, fixed: &dyn Fn(&str) -> bool) -> String {
    let Method { reduction, carry, product } = method;
    let parts = [
        fixed("reduction").then(|| format!("{} reduction", reduction.name())),
        fixed("carry").then(|| format!("{} carries", carry.name())),
        fixed("product").then(|| format!("{} products", product.name())),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// A design as text, with the parameters for which `fixed` is true.
fn describe(design: &Design, fixed: &dyn Fn(&str) -> bool) -> String {
    let parts = [
        fixed("mapping").then(|| format!("{} mapping", design.mapping.name())),
        fixed("form").then(|| format!("{} addition", form_name(design.form))),
        Some(method(&design.method, fixed)).filter(|words| !words.is_empty()),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}
