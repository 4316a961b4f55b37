//! `pairwright sim aie`: point additions on AI Engines.

pub(super) mod board;
mod data;
mod kernels;
pub(super) mod msm;
mod report;

use super::axes::Axis;
use super::operator::clocked;
use super::sweep::{self, Family};
use super::to_file;
use crate::args::{AieDesign, Cli, MethodOptions, SimAie, Sweep, form_name, named};
use crate::commands::asm::read;
use crate::commands::design::setting;
use crate::failure::{ArgumentError, Failure};
use crate::output;
use crate::progress::Progress;
use data::compared;
use pairwright::aie::evaluate::{Design, evaluate, timeline};
use pairwright::aie::mapping::Mapping;
use pairwright::aie::padd::Form;
use pairwright::aie::settings::{self, SettingError};
use pairwright::aie::{Carry, Method, Multiplication, Reduction};
use report::{Figures, Report, text};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::path::Path;

/// One run, or one on every point of a family.
pub(super) fn run(cli: &Cli, a: &SimAie) -> Result<(), Failure> {
    let base = a.design.base()?;
    if a.dump_config {
        let design = a.design.design(&base, &[])?;
        design.check().map_err(Failure::bad)?;
        return dump(cli, &design);
    }
    if !a.sweep.sweep.is_empty() || a.design.mapping.len() > 1 {
        return sweep(cli, a, &base);
    }
    let design = a.design.design(&base, &[])?;
    let progress = Progress::new(0, &words(&design));
    let (evaluated, seconds) = clocked(|| evaluate(&design));
    let evaluation = evaluated.map_err(Failure::bad)?;
    let compared = if a.data { Some(compared(&design, a.random)?) } else { None };
    if let Some(path) = &a.trace {
        let timeline = timeline(&design, a.tasks).map_err(Failure::bad)?;
        to_file(path, |file| timeline.write(file))?;
    }
    let kernels = if a.kernels || a.listing { Some(kernels::all(&design, a.listing)?) } else { None };
    drop(progress);
    let report = Report::new(&design, Figures(evaluation), compared, kernels, seconds);
    output::print(cli.json, &report, text)
}

/// Prints a description as a file.
pub(super) fn dump<T: Serialize>(cli: &Cli, of: &T) -> Result<(), Failure> {
    let file = settings::file(of).map_err(|why| field("--dump-config", why))?;
    output::print(cli.json, of, |_| file.trim_end().to_owned())
}

/// A description with the changes of a file, if there is one.
pub(super) fn from_file<T: Serialize + DeserializeOwned>(base: T, file: Option<&Path>) -> Result<T, Failure> {
    let Some(file) = file else { return Ok(base) };
    let why = |why| ArgumentError::Description { file: file.to_owned(), why: Box::new(why) }.into();
    settings::with_file(&base, &read(file)?).map_err(why)
}

/// A description with the changes of `--set`, then those of a sweep.
pub(super) fn with_fields<T: Clone + Serialize + DeserializeOwned>(
    base: &T,
    set: &[String],
    swept: &[(&str, &str)],
) -> Result<T, Failure> {
    let mut changed = base.clone();
    for text in set {
        let (path, value) = setting(text)?;
        changed = settings::with(&changed, path, value).map_err(|why| field("--set", why))?;
    }
    for (path, value) in swept {
        changed = settings::with(&changed, path, value).map_err(|why| field("--sweep", why))?;
    }
    Ok(changed)
}

fn field(option: &'static str, why: SettingError) -> Failure {
    ArgumentError::Field { option, why: Box::new(why) }.into()
}

/// The value of that name, from a sweep.
fn choice<T: Copy>(all: &[T], name: fn(T) -> &'static str, axis: &str, value: &str) -> Result<T, Failure> {
    named(all, name, value).map_err(|why| {
        let (value, known) = (why.name, why.known.join(", "));
        ArgumentError::Choice { name: axis.to_owned(), value, known }.into()
    })
}

impl MethodOptions {
    /// The method with what is chosen.
    fn of(self, method: Method) -> Method {
        Method {
            reduction: self.reduction.unwrap_or(method.reduction),
            carry: self.carry.unwrap_or(method.carry),
            product: self.product.unwrap_or(method.product),
        }
    }

    /// Sets what has an option of its own, by its name; `false` if it has none.
    fn choose(&mut self, axis: &str, value: &str) -> Result<bool, Failure> {
        match axis {
            "carry" => self.carry = Some(choice(&Carry::ALL, Carry::name, axis, value)?),
            "reduction" => self.reduction = Some(choice(&Reduction::ALL, Reduction::name, axis, value)?),
            "product" => {
                self.product = Some(choice(&Multiplication::ALL, Multiplication::name, axis, value)?);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }
}

impl AieDesign {
    /// The paper's design, or that of `--config`.
    fn base(&self) -> Result<Design, Failure> {
        from_file(Design::new(Mapping::Coarse, Method::PAPER), self.config.as_deref())
    }

    /// The design with its changes: `--set`, then the fields of a sweep, then the options that are named for a field.
    fn design(&self, base: &Design, swept: &[(&str, &str)]) -> Result<Design, Failure> {
        let mut design = with_fields(base, &self.set, swept)?;
        design.mapping = self.mapping.first().copied().unwrap_or(design.mapping);
        design.form = self.form.unwrap_or(design.form);
        design.method = self.method.of(design.method);
        Ok(design)
    }

    /// The design at a point of a sweep.
    fn at(&self, base: &Design, settings: &[(&str, &str)]) -> Result<Design, Failure> {
        let (mut chosen, mut fields) = (self.clone(), Vec::new());
        for &(axis, value) in settings {
            match axis {
                "mapping" => chosen.mapping = vec![choice(&Mapping::ALL, Mapping::name, axis, value)?],
                "form" => chosen.form = Some(choice(&Form::ALL, form_name, axis, value)?),
                _ if chosen.method.choose(axis, value)? => {}
                _ => fields.push((axis, value)),
            }
        }
        chosen.design(base, &fields)
    }
}

/// What all points of a sweep have in common.
#[derive(Serialize)]
struct Head {
    /// The design before the sweep's changes.
    mapping: Mapping,
    method: Method,
    checked: bool,
}

fn sweep(cli: &Cli, a: &SimAie, base: &Design) -> Result<(), Failure> {
    let mut axes = a.sweep.sweep.clone();
    if a.design.mapping.len() > 1 && axes.iter().all(|axis| axis.path != "mapping") {
        let values = a.design.mapping.iter().map(|mapping| mapping.name().to_owned()).collect();
        axes.insert(0, Axis { path: "mapping".to_owned(), values });
    }
    // What is no parameter, or no value of it, is a typing error and not a point that cannot be had.
    for axis in &axes {
        axis.values.iter().try_for_each(|value| a.design.at(base, &[(&axis.path, value)]).map(drop))?;
    }
    let design = a.design.design(base, &[])?;
    let swept = |name: &str| axes.iter().any(|axis| axis.path == name);
    let title = match (swept("mapping"), swept("carry") || swept("reduction") || swept("product")) {
        (false, false) => format!("point additions, {}", words(&design)),
        (false, true) => format!("point additions, {} mapping", design.mapping.name()),
        (true, false) => format!("point additions, {}", method(&design.method)),
        (true, true) => "point additions".to_owned(),
    };
    let checked = if a.data { "all equal to the host's" } else { "timing" };
    let head = Head { mapping: design.mapping, method: design.method, checked: a.data };
    let args = Sweep { sweep: axes, csv: a.sweep.csv.clone(), plot: a.sweep.plot.clone() };
    sweep::run(cli, &args, Family { head, title, checked }, |settings| {
        let design = a.design.at(base, settings)?;
        let evaluation = evaluate(&design).map_err(Failure::bad)?;
        if a.data {
            compared(&design, a.random)?;
        }
        Ok(Figures(evaluation))
    })
}

/// A method in words.
fn method(method: &Method) -> String {
    let Method { reduction, carry, product } = method;
    format!("{} reduction, {} carries, {} products", reduction.name(), carry.name(), product.name())
}

/// A design in words.
fn words(design: &Design) -> String {
    format!(
        "{} mapping, {} addition, {}",
        design.mapping.name(),
        form_name(design.form),
        method(&design.method)
    )
}
