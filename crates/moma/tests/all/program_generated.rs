//! Tests of array programs with the field functions that this crate generates: transforms and inverses for every host
//! target, and the host shadow of the device passes with the functions of the CUDA targets, compared with big integers.

use crate::program_common::{Judge, Numbers};
use num_bigint::BigUint;
use pairwright_moma::catalogue::FieldSpec;
use pairwright_moma::generate::Request;
use pairwright_moma::ir::Reduction;
use pairwright_moma::machine::Machine;
use pairwright_moma::print::{Language, c, constants, field_code};
use pairwright_moma::program::ArrayKernel;
use pairwright_moma::program::interp::{Data, FieldRule, run};
use pairwright_moma::program::inverse::{Power, batch, inverting_exponent};
use pairwright_moma::program::ntt::host::{HostTuning, host};
use pairwright_moma::program::ntt::{Kind, NttPlan, Tuning, device, twiddles};
use pairwright_moma::program::primes::{ntt_prime, root_of_unity};
use pairwright_moma::program::print::c_shadow;
use pairwright_testkit::jit::{AlignedWords, Length, Library};

/// A field on a machine.
struct Target {
    request: Request,
    judge: Judge,
}

impl Target {
    fn new(bits: u32, reduction: Reduction, machine: &str) -> Self {
        let machine = Machine::named(machine).unwrap();
        let field = FieldSpec::new(bits, reduction);
        let q = ntt_prime(bits, 12).unwrap();
        let rule = match reduction {
            Reduction::Montgomery => FieldRule::montgomery(&q, field.radix_bits(&machine).into()).unwrap(),
            Reduction::Barrett => FieldRule::plain(&q),
        };
        let digit = machine.word;
        let request = Request::new(field, machine);
        let element = request.element();
        Self { request, judge: Judge { rule, element, digit } }
    }

    fn constants(&self) -> Vec<u64> {
        let words = constants(self.request.field, &self.judge.rule.modulus, &self.request.machine).unwrap();
        if self.judge.element.word_bits == 64 {
            return words;
        }
        words.chunks(2).map(|c| c[0] | c.get(1).unwrap_or(&0) << 32).collect()
    }

    fn lanes(&self) -> usize {
        self.request.machine.lanes as usize
    }

    fn library(&self, kernel: &ArrayKernel) -> Library {
        let request = &self.request;
        let name = format!("{}_{}_{}", kernel.name, request.machine.name, request.field.bits);
        let library = if kernel.launch.is_some() {
            // The same lowered functions as in CUDA, in C.
            let code = field_code(&c::C, request.field, &request.machine, request.options).unwrap();
            Library::from_c(&name, &c_shadow(kernel, &code), &["-O0"])
        } else {
            let printer = &request.machine.printer;
            let text = printer.array(kernel, &request.field_code().unwrap()).unwrap();
            match printer.language() {
                Language::Rust => Library::from_rust(&name, &text, &["-Copt-level=0"]),
                _ => Library::from_c(&name, &text, &["-O0"]),
            }
        };
        library.unwrap()
    }

    /// Packs the vectors, one for each lane, into a buffer.
    fn pack(&self, vectors: &[Vec<BigUint>]) -> AlignedWords {
        AlignedWords::copied(&if self.lanes() == 1 {
            self.judge.pack(&vectors[0])
        } else {
            self.judge.pack_lanes(vectors)
        })
    }
    fn unpack(&self, buffer: &[u64], count: usize) -> Vec<Vec<BigUint>> {
        if self.lanes() == 1 {
            vec![self.judge.unpack(buffer, count)]
        } else {
            self.judge.unpack_lanes(buffer, count)
        }
    }

    fn vectors(&self, count: usize) -> Vec<Vec<BigUint>> {
        (0..self.lanes())
            .map(|lane| Numbers::new(lane as u64).vector(&self.judge.rule.modulus, count))
            .collect()
    }

    /// Calls an in-place kernel on these vectors; returns its result and the interpreter's.
    fn compare(
        &self,
        kernel: &ArrayKernel,
        scalar: usize,
        vectors: &[Vec<BigUint>],
        inputs: &[(Data, Vec<u64>)],
    ) {
        let label = || {
            format!("{} on {} at {} bits", kernel.name, self.request.machine.name, self.request.field.bits)
        };
        let in_place = kernel.buffers[0].name == "data";
        let want: Vec<Vec<BigUint>> = vectors
            .iter()
            .map(|vector| {
                let mut bound = vec![if in_place { Data::of(vector) } else { Data::unset(vector.len()) }];
                if !in_place {
                    bound.push(Data::of(vector));
                }
                bound.extend(inputs.iter().map(|(data, _)| data.clone()));
                run(kernel, &self.judge.rule, &[scalar as u64], &mut bound).unwrap();
                bound[0].elements().unwrap()
            })
            .collect();
        let packed = self.pack(vectors);
        let mut out = if in_place { self.pack(vectors) } else { AlignedWords::new(packed.len(), !0) };
        let constants = self.constants();
        let mut all: Vec<&[u64]> = if in_place { Vec::new() } else { vec![&packed] };
        all.extend(inputs.iter().map(|(_, words)| words.as_slice()));
        all.push(&constants);
        let lengths: Vec<Length> = all.iter().map(|words| Length::Total(words.len())).collect();
        let library = self.library(kernel);
        let call = library.kernel(&kernel.name, Length::Total(packed.len()), &lengths).unwrap();
        call.call(scalar, &mut out, &all);
        assert!(self.unpack(&out, vectors[0].len()) == want, "{}", label());
    }

    fn transforms(&self, log_n: u32) {
        let (judge, q) = (&self.judge, &self.judge.rule.modulus);
        let root = root_of_unity(q, log_n).unwrap();
        let on_device = self.request.machine.printer.language().is_on_device();
        for kind in [Kind::COSET_FORWARD, Kind::INVERSE] {
            let shift = kind.coset.then(|| BigUint::from(5u32));
            let table = twiddles(log_n, kind.inverse, &root, shift.as_ref(), &judge.rule).unwrap();
            let input = [(Data::of(&table), judge.pack(&table))];
            let kernels = if on_device {
                let plan =
                    NttPlan::choose(judge.element, log_n, &Tuning::for_element(judge.element)).unwrap();
                device::kernels(&plan, kind)
            } else {
                vec![host(kind, judge.element, log_n, HostTuning { log_held: 2, log_block: 4 })]
            };
            for kernel in kernels {
                self.compare(&kernel, 1, &self.vectors(1 << log_n), &input);
            }
        }
    }

    fn inverses(&self) {
        let judge = &self.judge;
        let exponent = inverting_exponent(&judge.rule.modulus);
        let one = [judge.rule.one()];
        let mut vectors = self.vectors(11);
        vectors[0][3] = BigUint::from(0u32);
        let bits = self.request.field.bits;
        let mut words = exponent.to_u64_digits();
        words.resize(bits.div_ceil(64) as usize, 0);
        let inputs = [(Data::Bits(exponent), words), (Data::of(&one), judge.pack(&one))];
        self.compare(&batch(judge.element, Power::host(bits)), 11, &vectors, &inputs);
    }
}

fn runs_here(machine: &str) -> bool {
    let runs = match machine {
        "avx512" => std::arch::is_x86_feature_detected!("avx512ifma"),
        "avx2" => std::arch::is_x86_feature_detected!("avx2"),
        _ => true,
    };
    if !runs {
        eprintln!("skipped: this processor has no instructions of {machine}");
    }
    runs
}

#[test]
fn host_targets() {
    for machine in ["c", "x86-64", "avx512", "avx2"] {
        if !runs_here(machine) {
            continue;
        }
        for (bits, reduction) in [
            (64, Reduction::Montgomery),
            (255, Reduction::Montgomery),
            (316, Reduction::Barrett),
            (753, Reduction::Montgomery),
        ] {
            let target = Target::new(bits, reduction, machine);
            target.transforms(6);
            target.inverses();
        }
    }
}

#[test]
fn device_targets_as_host_shadow() {
    for (bits, reduction, machine) in [
        (64, Reduction::Montgomery, "cuda32"),
        (124, Reduction::Barrett, "cuda64"),
        (255, Reduction::Montgomery, "cuda32"),
        (381, Reduction::Montgomery, "cuda32"),
        (254, Reduction::Montgomery, "opencl32"),
        (764, Reduction::Barrett, "cuda32"),
    ] {
        Target::new(bits, reduction, machine).transforms(6);
    }
}
