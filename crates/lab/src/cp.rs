//! The tables and figures of [CP], "A 28nm 8.3mm² 76.9µJ/Pairing Scheme-Adaptive Crypto-Processor": modelled with
//! `chip`, with the same results on every machine.

mod areas;
mod chip;
mod designs;
mod explore;
mod fig12;
mod fig13;
mod fig15;
mod fig16;
mod fig19;
mod fig22;
mod fig23;
mod fig24;
mod fig25;
mod fig5;
mod fig7;
mod formulas;
mod hybrid;
mod multiplier;
mod schemes;
mod sensitivity;
mod table1;
mod table2;
mod table3;
mod toggles;

use crate::experiment::{Context, Picture::*, experiments};
use pairwright_chip::compiler::{Options, Scheduler};
use pairwright_plot::{Better, Frontier};

const NOTHING: &str = "nothing: a model, the same on every machine";

/// A line through the designs that no other design beats in both area and cost.
const LEAST: Frontier = Frontier { better: Better::LessOfBoth, each: false };

const MINUTE: &str = "a minute: a model, the same on every machine, at sizes up to 2^20";

experiments! {
    "cp/fig5", "[CP] figure 5", NOTHING, Estimated, Bars, fig5::run,
        "where the time of a proof goes on a CPU: MSM 70 %, NTT 20 %";
    "cp/fig7", "[CP] figure 7", NOTHING, Modelled, Bars, fig7::run,
        "multiplications in Fp for the operations of each level of the tower";
    "cp/fig12", "[CP] figure 12", NOTHING, Estimated, Bars, fig12::run,
        "what sharing saves: 3.9 times the area of multipliers, 3 times the point memory; G2 takes 4 times the products";
    "cp/fig13", "[CP] figure 13", NOTHING, Modelled, Bars, fig13::run,
        "an Fp6 product: pipelining with forwarding against none (1.24) and an iterative multiplier (3.1)";
    "cp/table1", "[CP] table I", NOTHING, Modelled, Bars, table1::run,
        "the eight routines of a pairing in instructions";
    "cp/table2", "[CP] table II", NOTHING, Modelled, Bars, table2::run,
        "a pairing in 55.9 K cycles, 69.9 us, 76.9 uJ and 2.09 mm2; area-time product 17 times below SSCL'21's";
    "cp/formulas", "beyond [CP]", NOTHING, Modelled, Bars, formulas::run,
        "formulas for the same operation against each other on the pairing processor";
    "cp/hybrid", "beyond [CP]", NOTHING, Modelled, Bars, hybrid::run,
        "the hybrid application that section II.B describes and does not measure: a payment is proved, and its payer encrypted";
    "cp/explore", "beyond [CP]", MINUTE, Modelled, Points(LEAST), explore::run,
        "designs that the paper does not make: latency against area at equal bandwidth";
    "cp/designs", "published designs", NOTHING, Modelled, Bars, designs::run,
        "other people's MSMs with their parameters: a ZPrize entry, CycloneMSM and PipeZK beside their published times";
    "cp/multiplier", "beyond [CP]", NOTHING, Modelled, Points(Frontier { each: true, ..LEAST }), multiplier::run,
        "the multiplier that all engines share, by stages and interval: the best design when clock and starts follow it";
    "cp/sensitivity", "beyond [CP]", MINUTE, Modelled, Bars, sensitivity::run,
        "how far a pairing, an NTT and an MSM move when one inferred parameter takes another plausible value";
    "cp/schemes", "[CP] section II.B", "some minutes: a model, and this machine", Modelled, Bars, schemes::run,
        "every scheme asks a session alone: what each of them costs on the host and on the chip";
    "cp/table3", "[CP] table III", MINUTE, Modelled, Bars, table3::run,
        "accelerators of proofs: 8.8 and 12.2 times PipeZK's area efficiency, 1.7 and 6.2 times its energy's";
    "cp/toggles", "[CP] tables II and III, figure 22", NOTHING, Modelled, Bars, toggles::run,
        "76.9 uJ a pairing, 1.7 and 6.2 times PipeZK's energy efficiency, 0.2, 0.45 and 0.61 W: by the toggles of synthesised blocks, without the printed powers";
    "cp/areas", "[CP] table II and figure 22", NOTHING, Modelled, Bars, areas::run,
        "8.3 mm2, 72 % of it in twelve elements, 2.09 mm2 for a pairing, 500 MHz at 0.9 V: by cells of synthesised blocks, without the printed areas";
    "cp/fig15", "[CP] figure 15", MINUTE, Modelled, Bars, fig15::run,
        "a large coset NTT with and without hiding of its transfers";
    "cp/fig16", "[CP] figure 16", NOTHING, Modelled, Bars, fig16::run,
        "layouts of 16 points by stages; 28 2-to-1 multiplexers against 16 8-to-1";
    "cp/fig19", "[CP] figure 19", MINUTE, Modelled, Bars, fig19::run,
        "bucket reduction in two segments: about twice the utilisation";
    "cp/fig22", "[CP] figure 22", NOTHING, Modelled, Bars, fig22::run,
        "where the chip's area and power are: 72 % and 86 % in twelve processing elements";
    "cp/fig23", "[CP] figure 23", NOTHING, Modelled, Lines, fig23::run,
        "frequency and power of a pairing from 0.7 to 1.1 V";
    "cp/fig24", "[CP] figure 24", MINUTE, Modelled, Bars, fig24::run,
        "coset NTT, G1 and G2 MSM over sizes and bandwidths at 0.9 V and 500 MHz";
    "cp/fig25", "[CP] figure 25", MINUTE, Modelled, Bars, fig25::run,
        "whole proofs of three applications within a second; 0.15 J for 2^16 gates";
}

/// The compiler's options: a thousand schedules, as in [CP], or few for tests of the lab.
fn options(context: &Context<'_>, scheduler: Scheduler) -> Options {
    Options { scheduler, seeds: if context.quick { 20 } else { 1000 }, seed: context.seed }
}
