use super::*;
use crate::digits::Digits;
use crate::modmul::{Method, Multiplication, Reduction, modmul};
use crate::padd::{Form, padd};
use crate::{Carry, program::Op};

fn programs() -> impl Iterator<Item = (Method, Vec<Program>)> {
    Method::valid()
        .map(|method| (method, vec![modmul(method), padd(method, Form::Mixed), padd(method, Form::Complete)]))
}

#[test]
fn nothing_overflows_and_results_stay_below_their_bounds() {
    let m = modulus();
    for (method, programs) in programs() {
        for program in programs {
            let ranges = analyse(&program).unwrap_or_else(|e| panic!("{method:?}: {e}"));
            println!("{method:?}: lane {:?}, accumulator {:?}", ranges.lane, ranges.accumulator);
            for range in &ranges.outputs {
                let [low, high] = &range.value;
                // The bounds are in thousandths of M, rounded outwards.
                let (low, high) = ((low * 1000) / &m - 1, (high * 1000) / &m + 1);
                let bounds = match (method.reduction, method.carry) {
                    _ if method.product == Multiplication::Digits28 => match method.reduction {
                        Reduction::Barrett => [-1000, 1000],
                        Reduction::Montgomery => [-505, 505],
                    },
                    (Reduction::Barrett, Carry::Balanced) => [-652, 652],
                    (Reduction::Barrett, _) => [-1, 1300],
                    (Reduction::Montgomery, Carry::Balanced) => [-502, 502],
                    (Reduction::Montgomery, _) => [-1, 1002],
                };
                assert!(low >= bounds[0].into() && high <= bounds[1].into(), "{method:?}: {low} {high}");
                if method.carry != Carry::Balanced {
                    assert!(range.value[0] >= BigInt::ZERO);
                }
                // Operands of further products have digits of up to 26 bits, and the highest digit holds the rest of the
                // integer.
                let most = if method.product == Multiplication::Digits28 { (1 << 27) + 16 } else { 1 << 26 };
                assert!(range.digits[..DIGITS - 1].iter().all(|[l, h]| *l >= -most && *h < most));
                assert!(range.digits[DIGITS - 1][1] <= if most > 1 << 26 { 1 << 13 } else { 11 });
            }
            if method.carry == Carry::Balanced {
                assert_eq!(ranges.scalar, [0, 0]);
            }
        }
    }
}

#[test]
fn wider_digits_are_found_to_overflow() {
    for (method, programs) in programs() {
        for program in programs {
            let mut inputs = program.inputs().to_vec();
            for input in &mut inputs {
                input.digit = [0, (1 << 30) - 1];
            }
            let found = analyse_within(&program, &inputs);
            assert!(matches!(found, Err(RangeError::Fault(_))), "{method:?}: {found:?}");
        }
    }
    let program = modmul(Method::new(Reduction::Barrett, Carry::Mixed));
    assert_eq!(analyse_within(&program, &[]), Err(RangeError::Operands { given: 0, taken: 2 }));
}

/// Factors with 26-bit digits just fit with Barrett's reduction. With Montgomery's they do not, because the multiple of M
/// is in the same columns; this is why an addition makes a carry step in sums.
#[test]
fn digits_of_26_bits_fit_with_barrett_alone() {
    for carry in [Carry::Accurate, Carry::Mixed, Carry::Wide] {
        let analyse = |reduction| {
            let program = modmul(Method::new(reduction, carry));
            let mut inputs = program.inputs().to_vec();
            for input in &mut inputs {
                input.digit = [0, (1 << 26) - 1];
            }
            analyse_within(&program, &inputs)
        };
        // Fifteen products of 52 bits in a column give this carry above 25 bits.
        assert!(analyse(Reduction::Barrett).unwrap().lane[1] >= 15 * ((1 << 27) - 8));
        assert!(matches!(analyse(Reduction::Montgomery), Err(RangeError::Fault(_))));
    }
}

/// The analysis is right to refuse these factors: two factors with 27-bit digits overflow a lane on the engine itself.
#[test]
fn digits_that_the_analysis_refuses_overflow_when_run() {
    let program = modmul(Method::new(Reduction::Barrett, Carry::Mixed));
    let wide = |bits: u32| {
        let mut digits = [(1 << bits) - 1; DIGITS];
        digits[DIGITS - 1] = 19;
        [Digits(digits); 2]
    };
    program.run(&wide(25)).unwrap();
    let mut inputs = program.inputs().to_vec();
    for input in &mut inputs {
        input.digit[1] = (1 << 27) - 1;
    }
    let Err(RangeError::Fault(expected)) = analyse_within(&program, &inputs) else { panic!("not refused") };
    let crate::RunError::Fault(found) = program.run(&wide(27)).unwrap_err() else { panic!("it ran") };
    assert_eq!(found.register, expected.register);
}

/// A result that can be any residue modulo 2^400 is refused, although no register overflows.
#[test]
fn operands_that_leave_more_than_one_result_are_refused() {
    let program = modmul(Method::new(Reduction::Montgomery, Carry::Mixed));
    let mut broken = program.clone();
    // The broken fact names as the low part a vector of carries, whose range is too wide.
    let (at, fact) = broken.facts[0].clone();
    let Fact::Montgomery { a, b, t, result, .. } = fact else { panic!("another reduction") };
    let wide = broken
        .ops
        .iter()
        .position(|o| matches!(o.op, Op::Srs { shift: 25, .. }))
        .map(Vector)
        .expect("a carry");
    broken.facts[0] = (at, Fact::Montgomery { a, b, t, low: [wide, wide], result });
    assert_eq!(analyse(&broken), Err(RangeError::Ambiguous { at }));
    analyse(&program).unwrap();
}

/// Every fact from which the analysis starts holds on numbers, and every value is in its derived range.
#[test]
fn facts_hold_and_values_lie_in_their_ranges() {
    let m = modulus();
    for (method, programs) in programs() {
        for program in programs {
            let outputs = analyse(&program).unwrap().outputs;
            let layout = method.layout();
            for edge in 0..4 {
                let inputs: Vec<_> = program
                    .inputs()
                    .iter()
                    .enumerate()
                    .map(|(i, input)| {
                        let [low, high] = &input.value;
                        let value = match edge {
                            0 => low.clone(),
                            1 => high.clone(),
                            2 => high - (high - low) / (3 + i),
                            _ => low + (high - low) / (2 + i),
                        };
                        input.layout.split(&value).unwrap().0.map(i128::from)
                    })
                    .collect();
                let mut run = Interpreter::new(&program, &inputs);
                for (at, fact) in &program.facts {
                    run.advance(*at).unwrap();
                    let integer = |n: Number| {
                        let lanes = run.number(n);
                        let digits = lanes[layout.first..].iter().rev();
                        digits.fold(BigInt::ZERO, |above, d| (above << layout.radix_bits) + *d)
                    };
                    let whole = |x: BigInt, by: u32| {
                        assert_eq!((&x >> by) << by, x, "{method:?}: not a multiple");
                        x >> by
                    };
                    match fact {
                        Fact::Sum { result, terms, constant } => {
                            let sum = terms.iter().fold(constant.clone(), |sum, &(sign, n)| match sign {
                                Sign::Plus => sum + integer(n),
                                Sign::Minus => sum - integer(n),
                            });
                            assert_eq!(sum, integer(*result));
                        }
                        Fact::Barrett { a, b, low_in, low_mu, result } => {
                            let x = integer(*a) * integer(*b);
                            let above = whole(&x - whole(integer(*low_in), RADIX_BITS), 375);
                            let q = whole(above * mu() - integer(*low_mu), NUMBER_BITS);
                            assert_eq!(x - q * &m, integer(*result));
                        }
                        Fact::Montgomery { a, b, t, low, result } => {
                            assert_eq!(integer(*low), BigInt::ZERO);
                            let sum = integer(*a) * integer(*b) + integer(*t) * &m;
                            assert_eq!(whole(sum, NUMBER_BITS), integer(*result));
                        }
                        Fact::Barrett28 { a, b, result, .. } => {
                            let difference = integer(*a) * integer(*b) - integer(*result);
                            assert_eq!(difference % &m, BigInt::ZERO);
                        }
                        Fact::Montgomery28 { a, b, t, result, .. } => {
                            let sum = integer(*a) * integer(*b) + integer(*t) * &m;
                            assert_eq!(whole(sum, layout.number_bits()), integer(*result));
                        }
                    }
                }
                run.advance(program.ops.len()).unwrap();
                for (digits, range) in run.outputs.iter().zip(&outputs) {
                    for (digit, [low, high]) in digits.iter().zip(range.digits) {
                        assert!((low..=high).contains(digit), "{method:?}");
                    }
                }
            }
        }
    }
}
