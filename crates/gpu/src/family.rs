//! The kernels of one field: the word size in which it is computed, the field functions, and the source text of whole
//! kernels.

use crate::error::GpuError;
use num_bigint::BigUint;
use pairwright_field::PrimeField;
use pairwright_moma::catalogue::FieldSpec;
use pairwright_moma::ir::Reduction;
use pairwright_moma::lower::Options;
use pairwright_moma::machine::Machine;
use pairwright_moma::print::{constants, field_code};
use pairwright_moma::program::interp::FieldRule;
use pairwright_moma::program::print::{Dialect, FieldCode, cuda, opencl};
use pairwright_moma::program::{ArrayKernel, Element};

/// The words that the kernels of a device compute with, and their language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum KernelTarget {
    /// 32-bit words, carry chains in PTX.
    Cuda32,
    /// 64-bit words through 128-bit integers, as the paper prints.
    Cuda64,
    /// 32-bit words in OpenCL C, carries through 64 bits.
    OpenCl32,
    /// Digits of 52 bits on the FP64 pipe, each in a word of 64 bits. Operators do not use them, because the host's
    /// elements have another form.
    CudaF64,
}

impl KernelTarget {
    /// The name of the machine in `pairwright-moma`.
    pub fn machine(self) -> &'static str {
        match self {
            Self::Cuda32 => "cuda32",
            Self::Cuda64 => "cuda64",
            Self::CudaF64 => "cudaf64",
            Self::OpenCl32 => "opencl32",
        }
    }

    /// The language of the kernels.
    pub fn dialect(self) -> Dialect {
        match self {
            Self::OpenCl32 => Dialect::OpenCl,
            Self::Cuda32 | Self::Cuda64 | Self::CudaF64 => Dialect::Cuda,
        }
    }
}

/// The choices for the field functions that do not change their results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct FieldTuning {
    /// The word size and language of the kernels.
    #[serde(rename = "words")]
    pub target: KernelTarget,
    /// Number of levels of Karatsuba's rule.
    pub karatsuba: u32,
}

impl Default for FieldTuning {
    fn default() -> Self {
        Self { target: KernelTarget::Cuda32, karatsuba: 0 }
    }
}

/// The kernels of fields of one width.
#[derive(Clone, Debug)]
pub struct Family {
    spec: FieldSpec,
    machine: Machine,
    code: FieldCode,
    dialect: Dialect,
}

impl Family {
    /// The kernels for moduli of this many bits.
    ///
    /// # Errors
    /// [`GpuError::Kernel`] with the reason if there are none.
    pub fn new(bits: u32, reduction: Reduction, tuning: FieldTuning) -> Result<Self, GpuError> {
        let machine = Machine::named(tuning.target.machine())?;
        let spec = FieldSpec::new(bits, reduction);
        let options = Options { karatsuba: tuning.karatsuba, ..Options::default() };
        let code = field_code(&*machine.printer, spec, &machine, options)?;
        Ok(Self { spec, code, machine, dialect: tuning.target.dialect() })
    }

    /// The kernels for the Montgomery form of the host, `value * 2^(64 limbs) mod p`: with the words of the tuning if
    /// their Montgomery form is the same, else with 32-bit words, else (if the upper half of the highest limb is
    /// unused) with 64-bit words.
    ///
    /// # Errors
    /// As [`Self::new`]; [`GpuError::NoForm`] if OpenCL, which has only 32-bit words, has no kernels for the form.
    pub fn of<F: PrimeField>(tuning: FieldTuning) -> Result<Self, GpuError> {
        let usual =
            if tuning.target == KernelTarget::OpenCl32 { tuning.target } else { KernelTarget::Cuda32 };
        for target in [tuning.target, usual] {
            let family = Self::new(F::BITS, Reduction::Montgomery, FieldTuning { target, ..tuning })?;
            let radix = family.spec.radix_bits(&family.machine) as usize;
            if radix == 8 * F::BYTES && family.element().bytes() == F::BYTES {
                return Ok(family);
            }
        }
        if usual == KernelTarget::OpenCl32 {
            return Err(GpuError::NoForm { bits: F::BITS });
        }
        let tuning = FieldTuning { target: KernelTarget::Cuda64, ..tuning };
        Self::new(F::BITS, Reduction::Montgomery, tuning)
    }

    /// The layout of an element in memory.
    pub fn element(&self) -> Element {
        Element { word_bits: self.machine.container, words: self.spec.words(&self.machine) as usize }
    }

    /// Number of value bits per word: 52 of 64 bits for digits.
    pub fn digit_bits(&self) -> u32 {
        self.machine.word
    }

    /// The constants of a modulus in the form that kernels read, in bytes.
    ///
    /// # Errors
    /// [`GpuError::Kernel`] if the modulus has another width or is even.
    pub fn constants(&self, modulus: &BigUint) -> Result<Vec<u8>, GpuError> {
        let words = constants(self.spec, modulus, &self.machine)?;
        let each = self.machine.container as usize / 8;
        Ok(words.iter().flat_map(|word| word.to_le_bytes().into_iter().take(each)).collect())
    }

    /// The semantics of the field functions on integers.
    ///
    /// # Errors
    /// [`GpuError::Kernel`] for an even modulus.
    pub fn rule(&self, modulus: &BigUint) -> Result<FieldRule, GpuError> {
        Ok(match self.spec.reduction {
            Reduction::Barrett => FieldRule::plain(modulus),
            Reduction::Montgomery => {
                FieldRule::montgomery(modulus, u64::from(self.spec.radix_bits(&self.machine)))?
            }
        })
    }

    /// The field functions.
    pub(crate) fn code(&self) -> &FieldCode {
        &self.code
    }

    /// The language of the kernels.
    pub(crate) fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// The source text of a kernel.
    pub fn text(&self, kernel: &ArrayKernel) -> String {
        match self.dialect {
            Dialect::Cuda => cuda(kernel, &self.code),
            Dialect::OpenCl => opencl(kernel, &self.code),
        }
    }
}

/// The modulus of a field as an integer.
pub(crate) fn modulus_of<F: PrimeField>() -> BigUint {
    let bytes: Vec<u8> = F::MODULUS.as_ref().iter().flat_map(|limb| limb.to_le_bytes()).collect();
    BigUint::from_bytes_le(&bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use pairwright_curve::bls12_381::{Fq, Fr};

    #[test]
    fn operators_compute_in_the_form_of_the_host() {
        for target in [KernelTarget::Cuda32, KernelTarget::Cuda64, KernelTarget::CudaF64] {
            let tuning = FieldTuning { target, karatsuba: 0 };
            for (family, limbs) in [(Family::of::<Fr>(tuning), 4), (Family::of::<Fq>(tuning), 6)] {
                let family = family.unwrap();
                assert_eq!(family.element().bytes(), 8 * limbs);
                assert_eq!(family.spec.radix_bits(&family.machine) as usize, 64 * limbs);
                assert_eq!(family.digit_bits(), if target == KernelTarget::Cuda64 { 64 } else { 32 });
            }
        }
    }

    #[test]
    fn constants_are_the_modulus_and_its_inverse() {
        let family = Family::of::<Fr>(FieldTuning::default()).unwrap();
        let bytes = family.constants(&modulus_of::<Fr>()).unwrap();
        assert_eq!(bytes.len(), 4 * 9);
        assert_eq!(BigUint::from_bytes_le(&bytes[..32]), modulus_of::<Fr>());
        // The lowest word of the modulus is 1, so the negative of its inverse is 2^32 - 1.
        assert_eq!(bytes[32..], [0xff; 4]);
        for bad in [BigUint::from(16u32), modulus_of::<Fr>() << 1u32 | BigUint::from(1u32)] {
            assert!(matches!(family.constants(&bad), Err(GpuError::Kernel(_))), "even, or too wide");
        }
    }
}
