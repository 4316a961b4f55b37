//! The point adder of the MSM engine in G1: complete addition with twelve pipelined multipliers, one pair of points per
//! cycle.
//!
//! Inputs and outputs are registered; a value that is needed in a later cycle passes through delay registers. The
//! destination of the sum is carried along as a tag. While `en` is low all registers keep their values.

use super::dataflow::{Dataflow, Origin};
use crate::block::signals;
use crate::blocks::multiplier::{self, Stages};
use crate::blocks::{Modulus, any, ports, residue};
use crate::error::RtlError;
use crate::lockstep::{Bench, Expected, Inputs, Oracle, Stalls};
use crate::{Block, Signal};
use pairwright_chip::machine::Datapath;
use pairwright_chip::machine::mm::{Array, MmDesign, Width};
use pairwright_chip::machine::msm::{Formula, MsmSpec};
use pairwright_chip::spec::MmStyle;
use pairwright_curve::{Curve, Projective};
use pairwright_field::Field;
use pairwright_sim::{Clocked, Pipe};
use rand_chacha::ChaCha20Rng;
use rand_core::Rng;
use std::collections::VecDeque;
use std::fmt::Write as _;

/// Width of a tag in bits.
pub(super) const TAG: u32 = 12;

/// The multiplier of an adder.
fn product_design<F: Datapath>(spec: &MsmSpec) -> MmDesign {
    MmDesign::new(Width::of::<F>(), MmStyle::Pipelined, spec.pipelined_latency)
}

/// Prints the adder for a field.
///
/// # Errors
/// Errors of the kernels; [`RtlError::Schedule`] for a formula or latencies other than those of the published adder.
pub fn print<F: Datapath>(name: &str, spec: &MsmSpec) -> Result<Block, RtlError> {
    if (spec.formula, spec.adder_latency, spec.registers) != (Formula::Complete, 1, 2) || spec.elements < 12 {
        return Err(RtlError::Schedule {
            what: "complete addition on twelve elements, sums of a cycle, two registers",
        });
    }
    let m = Modulus::of::<F>()?;
    let bits = m.steps.bits();
    let flow = Dataflow::complete(spec);
    let product = multiplier::print::<F>(&format!("{name}_product"), &product_design::<F>(spec))?;
    let coordinates = ["x1", "y1", "z1", "x2", "y2", "z2"];
    let small = [("rst", 1), ("en", 1), ("in_valid", 1), ("in_to", TAG)];
    let mut inputs = signals(small);
    inputs.extend(coordinates.map(|name| Signal::new(name, bits)));
    let mut outputs = signals([("out_valid", 1), ("out_to", TAG), ("busy", 1)]);
    outputs.extend(["x3", "y3", "z3"].map(|name| Signal::new(name, bits)));
    let latency = flow.depth + spec.registers;
    let last = latency - 1;
    let (mut declared, mut logic, mut moves) = (String::new(), String::new(), String::new());
    for k in 0..latency {
        let _ = writeln!(declared, "    reg [{}:0] to_{k};", TAG - 1);
        let from = if k == 0 { "in_to".to_owned() } else { format!("to_{}", k - 1) };
        let _ = writeln!(moves, "        to_{k} <= {from};");
    }
    let of = |v: usize, at: u32| register(&flow, v, at);
    for (v, at) in flow.registers() {
        let _ = writeln!(declared, "    reg [{}:0] {};", bits - 1, of(v, at));
        let from = match flow.values[v].origin {
            _ if at > flow.values[v].ready => of(v, at - 1),
            Origin::Input(k) => coordinates[k].to_owned(),
            _ => format!("v{v}"),
        };
        let _ = writeln!(moves, "        {} <= {from};", of(v, at));
    }
    for (v, value) in flow.values.iter().enumerate() {
        let begins = |a: usize, b: usize| flow.values[a].ready.max(flow.values[b].ready);
        let kind = match value.origin {
            Origin::Input(_) => continue,
            Origin::Sum(_, _, false) => "add",
            Origin::Sum(_, _, true) => "sub",
            Origin::Product(..) => "product",
        };
        let (Origin::Sum(a, b, _) | Origin::Product(a, b)) = value.origin else { continue };
        let (left, right) = (of(a, begins(a, b)), of(b, begins(a, b)));
        let _ = writeln!(declared, "    wire [{}:0] v{v};", bits - 1);
        let _ = match kind {
            "product" => writeln!(
                logic,
                "    wire [0:0] there_{v};\n    {} product_{v} (.clk(clk), .rst(rst), .en(en), .in_valid(valid[{}]), .a({left}), .b({right}), \
                 .out_valid(there_{v}), .c(v{v}));",
                product.name,
                begins(a, b),
            ),
            _ => writeln!(logic, "    {name}_{kind} {kind}_{v} (.a({left}), .b({right}), .c(v{v}));"),
        };
    }
    let mut ends = String::new();
    for (name, v) in ["x3", "y3", "z3"].iter().zip(flow.outputs) {
        let _ = writeln!(declared, "    reg [{}:0] end_{name};", bits - 1);
        let _ = writeln!(moves, "        end_{name} <= {};", of(v, flow.depth));
        let _ = writeln!(ends, "    assign {name} = end_{name};");
    }
    let text = format!(
        "{product}
{add}
{sub}
module {name} (
{ports}
);
    reg [{last}:0] valid;
{declared}{logic}    always @(posedge clk) begin
        if (rst) valid <= {latency}'d0;
        else if (en) valid <= {{valid[{before}:0], in_valid}};
    end
    always @(posedge clk) if (en) begin
{moves}    end
    assign out_valid = valid[{last}];
    assign out_to = to_{last};
    assign busy = valid != {latency}'d0;
{ends}endmodule
",
        product = product.text,
        add = m.combined(false, &format!("{name}_add"))?,
        sub = m.combined(true, &format!("{name}_sub"))?,
        ports = ports(&inputs, &outputs),
        before = last - 1,
    );
    let mut registers = vec![Signal::new("valid", latency)];
    registers.extend((0..latency).map(|k| Signal::new(format!("to_{k}"), TAG)));
    registers.extend(flow.registers().map(|(v, at)| Signal::new(of(v, at), bits)));
    registers.extend(["x3", "y3", "z3"].map(|name| Signal::new(format!("end_{name}"), bits)));
    for (v, ..) in flow.products() {
        registers.extend(product.data_registers().map(|r| r.inside(&format!("product_{v}"))));
    }
    Ok(Block {
        name: name.to_owned(),
        title: format!("Complete addition of points over a prime of {bits} bits, a pair a cycle."),
        inputs,
        outputs,
        registers,
        latency,
        interval: 1,
        text,
        parts: vec![(product.name, "mm_381")],
        kernels: Vec::new(),
    })
}

/// The name of the register or wire that holds a value at a position of the pipeline.
fn register(flow: &Dataflow, v: usize, at: u32) -> String {
    let own = matches!(flow.values[v].origin, Origin::Product(..)) && at == flow.values[v].ready;
    if own { format!("v{v}") } else { format!("v{v}_{at}") }
}

/// The register contents of an adder: a pair's destination and all values of the formula, register by register.
pub(super) struct Contents<F: Datapath> {
    flow: Dataflow,
    design: MmDesign,
    /// The multipliers, each with its register contents.
    multipliers: Vec<(Array, Stages)>,
    pub(super) pipe: Pipe<(u32, Vec<F>)>,
}

impl<F: Datapath> Contents<F> {
    /// An adder with nothing in flight.
    ///
    /// # Panics
    /// For a field whose modulus has no digit steps; printing its block refuses such a field.
    pub(super) fn new(spec: &MsmSpec) -> Self {
        let flow = Dataflow::complete(spec);
        let design = product_design::<F>(spec);
        Self {
            multipliers: flow
                .products()
                .map(|_| (Array::new::<F>(design), Stages::of::<F>(&design)))
                .collect(),
            pipe: Pipe::new(flow.depth + spec.registers),
            flow,
            design,
        }
    }

    /// Drops everything in flight.
    pub(super) fn clear(&mut self) {
        self.pipe = Pipe::new(self.pipe.latency());
        for (array, stages) in &mut self.multipliers {
            *array = Array::new::<F>(self.design);
            stages.clear();
        }
    }

    /// The destination and the sum at the output.
    pub(super) fn out(&self) -> Option<(u32, [F; 3])> {
        let (to, values) = self.pipe.front()?;
        Some((*to, self.flow.outputs.map(|v| values[v])))
    }

    /// The clock edge; a pair may enter.
    pub(super) fn tick(&mut self, pair: Option<(u32, [F; 6])>) {
        let held: Vec<Option<&(u32, Vec<F>)>> = self.pipe.registers().collect();
        for ((_, operands, begins), (array, stages)) in self.flow.products().zip(&mut self.multipliers) {
            let pair = held[begins as usize].map(|(_, values)| operands.map(|v| values[v].digits()));
            array.tick([pair.map(|[a, b]| (a, b)), None, None, None]);
            stages.keep(array.registers(0));
        }
        let entering = pair.map(|(to, inputs)| (to, self.flow.evaluate(&inputs)));
        self.pipe.tick(entering);
    }

    /// Writes the expected registers from index `at` on, in the order of the block. Returns the index after the last
    /// one.
    pub(super) fn expect(&self, mut at: usize, out: &mut Expected) -> usize {
        let held: Vec<Option<&(u32, Vec<F>)>> = self.pipe.registers().collect();
        let bits = held.iter().rev().fold(0, |bits, pair| bits << 1 | u64::from(pair.is_some()));
        out.value(at, &[bits]);
        at += 1;
        for pair in &held {
            any(pair.map(|(to, _)| [u64::from(*to)]), at, out);
            at += 1;
        }
        let mut value = |v: usize, place: u32, at: &mut usize| {
            let digits = held[place as usize].map(|(_, values)| values[v].digits());
            any(digits, *at, out);
            *at += 1;
        };
        self.flow.registers().for_each(|(v, place)| value(v, place, &mut at));
        self.flow.outputs.iter().for_each(|v| value(*v, self.flow.depth + 1, &mut at));
        self.multipliers.iter().fold(at, |at, (_, stages)| stages.expect(at, out))
    }
}

/// A point of the curve, often infinity or an earlier one, with randomly scaled coordinates.
pub(super) fn any_point<C: Curve>(rng: &mut ChaCha20Rng, before: Projective<C>) -> Projective<C> {
    let point = match rng.next_u32() % 8 {
        0 => Projective::INFINITY,
        1 => before,
        2 => -before,
        3 => before + before,
        _ => before + before + Projective::from(C::GENERATOR),
    };
    let scale = C::Base::random(rng);
    let scale = if scale.is_zero() { C::Base::ONE } else { scale };
    Projective { x: point.x * scale, y: point.y * scale, z: point.z * scale }
}

/// The sum of two affine points by chord and tangent, `None` for infinity: the reference for the complete formula.
pub(super) fn chord<F: Field>(a: Option<[F; 2]>, b: Option<[F; 2]>) -> Option<[F; 2]> {
    let (Some([x1, y1]), Some([x2, y2])) = (a, b) else { return a.or(b) };
    let slope = if x1 != x2 {
        (y2 - y1) * (x2 - x1).invert()?
    } else if y1 == y2 {
        (x1.square().double() + x1.square()) * y1.double().invert()?
    } else {
        return None;
    };
    let x3 = slope.square() - x1 - x2;
    Some([x3, slope * (x1 - x3) - y1])
}

/// The affine coordinates of a projective point, `None` for infinity.
pub(super) fn affine<F: Field>([x, y, z]: [F; 3]) -> Option<[F; 2]> {
    let inverse = z.invert()?;
    Some([x * inverse, y * inverse])
}

/// The model of a single adder.
pub struct Adder<C: Curve>
where
    C::Base: Datapath,
{
    contents: Contents<C::Base>,
    before: Projective<C>,
    /// Sums that are due, in order.
    due: VecDeque<Option<[C::Base; 2]>>,
    stalls: Stalls,
    oracle: Oracle,
}

impl<C: Curve> Adder<C>
where
    C::Base: Datapath,
{
    /// The model with nothing in flight.
    pub fn new(spec: &MsmSpec) -> Self {
        Self {
            contents: Contents::new(spec),
            before: Projective::INFINITY,
            due: VecDeque::new(),
            stalls: Stalls::default(),
            oracle: Oracle::default(),
        }
    }
}

impl<C: Curve> Bench for Adder<C>
where
    C::Base: Datapath,
{
    fn stimulus(&mut self, rng: &mut ChaCha20Rng, input: &mut Inputs) {
        self.stalls.stimulus(rng, input);
        input.set(3, &[u64::from(rng.next_u32() % (1 << TAG))]);
        let a = any_point(rng, self.before);
        let b = any_point(rng, a);
        self.before = b;
        for (at, coordinate) in (4..).zip([a.x, a.y, a.z, b.x, b.y, b.z]) {
            input.set(at, &coordinate.digits());
        }
    }

    fn outputs(&self, out: &mut Expected) {
        let sum = self.contents.out();
        out.flag(0, sum.is_some());
        any(sum.map(|(to, _)| [u64::from(to)]), 1, out);
        out.flag(2, !self.contents.pipe.is_empty());
        for k in 0..3 {
            any(sum.map(|(_, sum)| sum[k].digits()), 3 + k, out);
        }
    }

    fn edge(&mut self, input: &Inputs) {
        let [rst, en, valid] = input.flags();
        if rst {
            self.contents.clear();
            self.due.clear();
        } else if en {
            if let Some((_, sum)) = self.contents.out()
                && let Some(want) = self.due.pop_front()
            {
                self.oracle.judge(Some(affine(sum) == want));
            }
            let pair = valid.then(|| {
                let inputs = [4, 5, 6, 7, 8, 9].map(|at| residue::<C::Base>(input.get(at)));
                let [x1, y1, z1, x2, y2, z2] = inputs;
                self.due.push_back(chord(affine([x1, y1, z1]), affine([x2, y2, z2])));
                (input.get(3)[0] as u32, inputs)
            });
            self.contents.tick(pair);
        }
    }

    fn registers(&self, out: &mut Expected) {
        self.contents.expect(0, out);
    }

    fn oracle(&self) -> Oracle {
        self.oracle
    }
}
