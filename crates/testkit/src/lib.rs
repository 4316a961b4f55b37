//! Laws, conformance suite and oracles shared by the tests of every crate; never shipped.
