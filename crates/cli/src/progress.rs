//! A progress bar on standard error for work that takes more than a second.

use crate::output;
use crate::stop::Stop;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use pairwright::device::{Event, PlannedCall};
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::Duration;

/// A bar on standard error that stays hidden for the first second. Every call that reports progress also ends the work, by
/// unwinding, if the caller has asked for that (see [`Stop`]).
pub(crate) struct Progress {
    bar: ProgressBar,
    stop: Stop,
    // Dropping this sender ends the thread that waits to show the bar.
    _alive: Sender<()>,
}

/// The delay before the bar is shown.
const PATIENCE: Duration = Duration::from_secs(1);

impl Progress {
    /// A bar for work of about `total` units. A total of 0 gives a spinner, which a session's plan turns into a bar.
    pub(crate) fn new(total: u64, title: &str) -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        draw_as(&bar, "{spinner} {prefix} {msg} [{elapsed}]");
        bar.set_prefix(title.to_owned());
        expect(&bar, total);
        let (alive, ended) = channel::<()>();
        let shown = bar.clone();
        thread::spawn(move || {
            if !output::is_quiet()
                && !output::is_verbose()
                && ended.recv_timeout(PATIENCE) == Err(std::sync::mpsc::RecvTimeoutError::Timeout)
            {
                shown.set_draw_target(ProgressDrawTarget::stderr());
                shown.enable_steady_tick(Duration::from_millis(200));
            }
        });
        Self { bar, stop: Stop::current(), _alive: alive }
    }

    /// Advances the bar by this many units.
    pub(crate) fn add(&self, units: u64) {
        self.stop.go_on();
        self.bar.inc(units);
    }

    /// Shows a message about the current step.
    pub(crate) fn set_message(&self, what: &str) {
        self.stop.go_on();
        self.bar.set_message(what.to_owned());
    }

    /// Sets the number of units that are done, of the total given to [`Progress::new`].
    pub(crate) fn set(&self, units: u64) {
        self.stop.go_on();
        if units != self.bar.position() {
            self.bar.set_position(units);
        }
    }

    /// Updates the bar from a session's event: a plan adds the units of its calls to the total, and an operator that has ended adds its
    /// [`units`] to those that are done.
    pub(crate) fn follow(&self, event: &Event<'_>) {
        self.stop.go_on();
        match event {
            Event::Plan(calls) => expect(&self.bar, planned_units(calls)),
            Event::Start { phase, operator, size } => {
                self.bar.set_message(format!("{phase}: {operator} of {size}"));
            }
            Event::End(record) => {
                if output::is_verbose() {
                    let time = output::seconds(record.cost.time.seconds());
                    output::eprint_line(&format!(
                        "{}: {} of {}: {time}",
                        record.phase, record.operator, record.size
                    ));
                }
                self.bar.inc(units(record.operator, record.size));
            }
            _ => {}
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// Adds units to the total; the first ones turn a spinner into a bar.
fn expect(bar: &ProgressBar, units: u64) {
    if units > 0 {
        if bar.length().is_none() {
            draw_as(bar, "{prefix} {bar:30} {percent:>3}% {msg} [{elapsed}]");
        }
        bar.set_length(bar.length().unwrap_or(0) + units);
    }
}

fn draw_as(bar: &ProgressBar, template: &str) {
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style.progress_chars("=> "));
    }
}

/// The rough relative cost of an operator call, in units of which a point of a G1 MSM counts 16 and an element of an NTT 1.
/// Operators that are not listed count 0.
pub fn units(operator: &str, size: usize) -> u64 {
    let each = match operator {
        "msm_g1" => 16,
        "msm_g2" => 48,
        "multiples_g1" => 30,
        "multiples_g2" => 90,
        "extend" => 2,
        "ntt" | "intt" => 1,
        "scale_points_g1" => 60,
        "scale_points_g2" => 180,
        "combine_a" | "combine_b_g1" | "combine_c" => 10,
        "combine_b_g2" => 30,
        "scale_by_secrets_g1" => 160,
        "scale_by_secrets_g2" => 480,
        _ => 0,
    };
    each * size as u64
}

/// The sum of the [`units`] of all calls of a plan.
pub fn planned_units(plan: &[PlannedCall]) -> u64 {
    plan.iter().map(|call| units(call.operator, call.size)).sum()
}
