//! What the commands on ceremonies have in common.

use serde::Serialize;

/// What is said of powers that were written.
#[derive(Serialize)]
pub(super) struct Written {
    pub(super) curve: &'static str,
    pub(super) power: u32,
    /// The hash of the contribution, which is for the contributor to publish; none of powers that begin.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) hash: Option<String>,
    /// The hash that the next contribution begins with.
    pub(super) next_challenge: String,
    pub(super) seconds: f64,
}
