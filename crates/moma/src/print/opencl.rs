//! OpenCL C 1.2 on words of 32 bits: the statements of [`super::c`], carries through `ulong`.

use super::c::{self, Body, type_bits};
use super::cuda::launch;
use super::{Language, Layout, Printer};
use crate::error::MomaError;
use crate::ir::Kernel;
use crate::machine::Machine;
use crate::program::ArrayKernel;
use crate::program::print::{FieldCode, opencl};

/// The printer of OpenCL C. A function is `NAME(word *c, const word *a, ..., const word *qinv)` in private memory: the
/// outputs and then the inputs, each an array with one word for each part of the parameter.
pub struct OpenCl;

impl Printer for OpenCl {
    fn name(&self) -> &'static str {
        "opencl"
    }

    fn language(&self) -> Language {
        Language::OpenCl
    }

    fn widest_word(&self) -> u32 {
        32
    }

    fn head(&self, _machine: &Machine) -> String {
        "\ntypedef uint word;\n\n".to_owned()
    }

    fn function(
        &self,
        kernel: &Kernel,
        name: &str,
        machine: &Machine,
        layout: &Layout,
    ) -> Result<String, MomaError> {
        Body::new(kernel, machine, self.name()).function("static inline void", name, layout)
    }

    fn helpers(&self, functions: &str, machine: &Machine) -> String {
        let helpers = [c::CARRY, c::SHARED, c::CHOICE].concat();
        let helpers = c::called(&helpers, functions).replace("BITS", &type_bits(machine).to_string());
        format!("typedef ulong pw_wide;\n{helpers}")
    }

    fn array(&self, kernel: &ArrayKernel, code: &FieldCode) -> Option<String> {
        let text = opencl(kernel, code);
        if text.is_empty() { None } else { Some(launch(kernel) + &text) }
    }
}
