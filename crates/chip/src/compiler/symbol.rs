//! Symbolic evaluation of a formula: a [`Sym`] stands for an Fp2 value and records the operations on it.

use super::graph::{Graph, Input, Node, NodeId, Output};
use crate::isa::{Fp2, L2Op, Loc};
use pairwright_curve::bls12_381::Fq2;
use pairwright_field::{Cubic, NonResidue, Quad, Ring};
use std::cell::RefCell;
use std::ops::{Add, Mul, Neg, Range, Sub};
use std::rc::Rc;

/// The non-residue of `v³ = ξ` over any type of Fp2 values: the tower of BLS12-381, also for symbols.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Xi;
impl<R: Fp2> NonResidue<R> for Xi {
    fn mul(x: R) -> R {
        x.mul_xi()
    }
}

/// The non-residue of `w² = v`, the upper step of the tower.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Root;
impl<R: Fp2> NonResidue<Cubic<R, Xi>> for Root {
    fn mul(x: Cubic<R, Xi>) -> Cubic<R, Xi> {
        x.mul_by_root()
    }
}

/// Fp6 over any type of Fp2 values.
pub type Fp6<R> = Cubic<R, Xi>;
/// Fp12 over any type of Fp2 values.
pub type Fp12<R> = Quad<Cubic<R, Xi>, Root>;

/// The six Fp2 coordinates as an element of Fp12, in tower order `c0.c0, c0.c1, c0.c2, c1.c0, c1.c1, c1.c2`.
pub fn fp12<R>([a, b, c, d, e, f]: [R; 6]) -> Fp12<R> {
    Quad::new(Cubic::new(a, b, c), Cubic::new(d, e, f))
}

/// The coordinates of an element of Fp12, in tower order.
pub fn coordinates<R>(f: Fp12<R>) -> [R; 6] {
    [f.c0.c0, f.c0.c1, f.c0.c2, f.c1.c0, f.c1.c1, f.c1.c2]
}

/// An element of Fp12 of the host as coordinates, in tower order.
pub fn coordinates_of(f: &pairwright_curve::bls12_381::Fq12) -> [Fq2; 6] {
    [f.c0.c0, f.c0.c1, f.c0.c2, f.c1.c0, f.c1.c1, f.c1.c2]
}

/// A symbol: a node of the graph that is being recorded.
#[derive(Clone, Debug)]
pub struct Sym {
    node: NodeId,
    tape: Rc<RefCell<Graph>>,
}

impl Sym {
    fn then(&self, op: L2Op, other: Option<&Self>) -> Self {
        let operands = [self.node, other.map_or(self.node, |o| o.node)];
        let mut graph = self.tape.borrow_mut();
        graph.nodes.push(Node::Op(op, operands));
        Self { node: graph.nodes.len() - 1, tape: Rc::clone(&self.tape) }
    }
}

macro_rules! binary {
    ($trait:ident, $method:ident, $op:ident) => {
        impl $trait for Sym {
            type Output = Self;
            fn $method(self, other: Self) -> Self {
                self.then(L2Op::$op, Some(&other))
            }
        }
    };
}
binary!(Add, add, Add);
binary!(Sub, sub, Sub);
binary!(Mul, mul, Mm);
impl Neg for Sym {
    type Output = Self;
    fn neg(self) -> Self {
        self.then(L2Op::Neg, None)
    }
}
impl Ring for Sym {
    type Wide = Self;
}
impl Fp2 for Sym {
    fn conj(self) -> Self {
        self.then(L2Op::Conj, None)
    }
    fn mul_xi(self) -> Self {
        self.then(L2Op::MulXi, None)
    }
    fn inv_fp(self) -> Self {
        self.then(L2Op::Inv, None)
    }
}

/// The recorder of a formula: it hands out inputs and takes outputs. Rows are given as linear addresses ([`Loc::linear`]).
pub struct Trace {
    tape: Rc<RefCell<Graph>>,
}

impl Trace {
    /// Records a formula as a graph.
    pub fn graph(formula: impl FnOnce(&Trace)) -> Graph {
        let trace = Self { tape: Rc::default() };
        formula(&trace);
        trace.tape.take()
    }

    fn take(&self, name: &str, at: u8, kept: bool) -> Sym {
        let mut graph = self.tape.borrow_mut();
        let index = graph.inputs.len();
        graph.inputs.push(Input { name: name.to_owned(), at: Loc::linear(at), kept });
        graph.nodes.push(Node::Input(index));
        Sym { node: graph.nodes.len() - 1, tape: Rc::clone(&self.tape) }
    }

    /// `N` inputs at consecutive addresses, whose rows the routine may reuse.
    pub fn inputs<const N: usize>(&self, name: &str, at: u8) -> [Sym; N] {
        std::array::from_fn(|i| self.take(&format!("{name}{i}"), at + i as u8, false))
    }

    /// `N` inputs at consecutive addresses, whose rows keep their values.
    pub fn kept<const N: usize>(&self, name: &str, at: u8) -> [Sym; N] {
        std::array::from_fn(|i| self.take(&format!("{name}{i}"), at + i as u8, true))
    }

    /// Records outputs, which go to rows at consecutive addresses.
    pub fn outputs<const N: usize>(&self, name: &str, at: u8, values: [Sym; N]) {
        let mut graph = self.tape.borrow_mut();
        for (i, value) in values.into_iter().enumerate() {
            let (name, at) = (format!("{name}{i}"), Loc::linear(at + i as u8));
            graph.outputs.push(Output { name, node: value.node, at });
        }
    }

    /// Reserves addresses that hold values of the surrounding program and must not be written.
    pub fn reserve(&self, addresses: Range<u8>) {
        self.tape.borrow_mut().reserved.extend(addresses.map(Loc::linear));
    }
}
