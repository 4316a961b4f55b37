//! The JSON files of test cases that go-ethereum and the EIPs have for precompiled contracts.

use crate::hexadecimal::from_hex;
use crate::json::{expect_at_most, member, parse};
use crate::{FileBytes, FilePlace, FormatError};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use serde::Deserialize;

/// Largest size of a file of cases in bytes.
const MOST: u64 = 64 << 20;

/// A test case: a call and its expected result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallCase {
    /// The name of the case.
    pub name: String,
    /// The bytes that the contract is called with.
    pub input: Vec<u8>,
    /// The expected result of the call.
    pub expected: ExpectedAnswer,
    /// The gas that the call costs, if the file states it.
    pub gas: Option<u64>,
}

/// The expected result of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExpectedAnswer {
    /// The output bytes of a successful call.
    Output(Vec<u8>),
    /// A failure, with go-ethereum's error message.
    Failure(String),
}

/// The members of a case; other members, such as those for benchmarks, are ignored.
#[derive(Deserialize)]
struct Written {
    #[serde(rename = "Name")]
    name: String,
    #[serde(rename = "Input")]
    input: String,
    #[serde(rename = "Expected")]
    expected: Option<String>,
    #[serde(rename = "ExpectedError")]
    error: Option<String>,
    #[serde(rename = "Gas")]
    gas: Option<u64>,
}

/// Reads a file of cases.
///
/// # Errors
/// When the file is not a list of cases, when bytes are not hexadecimal, or when a case does not have exactly one of an output
/// and an error.
pub fn read_cases(file: &FileBytes) -> Result<Vec<CallCase>, FormatError> {
    expect_at_most(file, MOST, "a list of calls")?;
    let cases: Vec<Written> = parse(file)?;
    let bytes = |text: &str, at: &dyn Fn() -> FilePlace| {
        from_hex(text).ok_or_else(|| FormatError::SetupLine { at: at(), expected: "bytes in hexadecimal" })
    };
    let cases = cases.into_iter().enumerate().map(|(index, case)| {
        let at = |name: &str| member(file, format!("[{index}].{name}"));
        let expected = match (case.expected, case.error) {
            (Some(output), None) => ExpectedAnswer::Output(bytes(&output, &|| at("Expected"))?),
            (None, Some(words)) => ExpectedAnswer::Failure(words),
            _ => {
                let expected = "one of Expected and ExpectedError";
                return Err(FormatError::SetupLine { at: member(file, format!("[{index}]")), expected });
            }
        };
        let input = bytes(&case.input, &|| at("Input"))?;
        Ok(CallCase { name: case.name, input, expected, gas: case.gas })
    });
    cases.collect()
}
