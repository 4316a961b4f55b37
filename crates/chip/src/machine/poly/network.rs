//! The connector between the banks and the butterfly units: four layers of 2-to-1 multiplexers (\[CP\] Fig. 14 and 16).
//!
//! Two layers are on the read side and two on the write side; a layer has one select for all its multiplexers. With the
//! letters of [`super::map`], a port of the units is `4·z + 2·x + y`, two ports per unit. Then
//!
//! - the *swap* layers exchange banks `b` and `b ⊕ 4` if the row's bit `c` is set: eight multiplexers;
//! - the *turn* layers connect bank `4·x + 2·y + z` to port `4·z + 2·x + y` (or back), or pass all words straight: six
//!   multiplexers, because 0 and 7 are fixed points.
//!
//! An NTT reads through the turn and writes through the swap, an INTT reads through the swap and writes through the turn,
//! and a vector operation reads and writes through the turn. That makes 2·(8 + 6) = 28 multiplexers and a path through two
//! of them on either side, the figures which the paper's table prints (with its two rows exchanged).

/// Number of words that pass the connector per cycle.
pub const WIDTH: usize = 8;

/// The driver of an output of a layer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// One input, without a multiplexer.
    Wire(u8),
    /// The first input, or the second when the layer is selected.
    Mux(u8, u8),
}

/// A layer: a source for each output, and one select.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layer {
    /// Its name in drawings.
    pub name: &'static str,
    /// The source of each output.
    pub outputs: [Source; WIDTH],
}

impl Layer {
    /// The layer that passes all words straight, or moves input `from[o]` to output `o` when it is selected.
    const fn new(name: &'static str, from: [u8; WIDTH]) -> Self {
        let mut outputs = [Source::Wire(0); WIDTH];
        let mut o = 0;
        while o < WIDTH {
            outputs[o] =
                if from[o] as usize == o { Source::Wire(o as u8) } else { Source::Mux(o as u8, from[o]) };
            o += 1;
        }
        Self { name, outputs }
    }

    /// Passes words through the layer.
    #[inline]
    pub fn pass<T: Copy>(&self, words: &[T; WIDTH], selected: bool) -> [T; WIDTH] {
        core::array::from_fn(|output| {
            let input = match self.outputs[output] {
                Source::Wire(input) => input,
                Source::Mux(first, second) => {
                    if selected {
                        second
                    } else {
                        first
                    }
                }
            };
            words[usize::from(input)]
        })
    }

    /// Returns the number of multiplexers of the layer.
    pub fn multiplexers(&self) -> u32 {
        self.outputs.iter().filter(|source| matches!(source, Source::Mux(..))).count() as u32
    }
}

/// Exchanges `b` and `b ⊕ 4`.
const SWAP: [u8; WIDTH] = [4, 5, 6, 7, 0, 1, 2, 3];
/// Output `4·z + 2·x + y` from input `4·x + 2·y + z`.
const TURN: [u8; WIDTH] = [0, 2, 4, 6, 1, 3, 5, 7];
/// Output `4·x + 2·y + z` from input `4·z + 2·x + y`.
const TURN_BACK: [u8; WIDTH] = [0, 4, 1, 5, 2, 6, 3, 7];

/// The layers of the read side, from the banks to the units.
pub const READ: [Layer; 2] = [Layer::new("read swap", SWAP), Layer::new("read turn", TURN)];
/// The layers of the write side, from the units to the banks.
pub const WRITE: [Layer; 2] = [Layer::new("write turn", TURN_BACK), Layer::new("write swap", SWAP)];

/// The selects of the four layers.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Selects {
    /// The selects of [`READ`].
    pub read: [bool; 2],
    /// The selects of [`WRITE`].
    pub write: [bool; 2],
}

/// The multiplexers of an interconnect.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NetworkCost {
    /// Number of multiplexers.
    pub multiplexers: u32,
    /// Inputs of each multiplexer.
    pub inputs: u32,
    /// Multiplexers in series on the longest path of one side.
    pub path: u32,
}

impl NetworkCost {
    /// Number of 2-to-1 multiplexers that implement it: a tree of `inputs - 1` for each multiplexer.
    pub fn two_to_one(&self) -> u32 {
        self.multiplexers * (self.inputs - 1)
    }

    /// Length of the longest path in 2-to-1 multiplexers.
    pub fn two_to_one_path(&self) -> u32 {
        self.path * self.inputs.next_power_of_two().ilog2()
    }
}

/// Number of multiplexers on the longest path through layers.
fn path(layers: &[Layer]) -> u32 {
    let mut depth = [0u32; WIDTH];
    for layer in layers {
        let before = depth;
        for (output, source) in layer.outputs.iter().enumerate() {
            depth[output] = match *source {
                Source::Wire(input) => before[usize::from(input)],
                Source::Mux(a, b) => 1 + before[usize::from(a)].max(before[usize::from(b)]),
            };
        }
    }
    depth.into_iter().max().unwrap_or(0)
}

/// The multiplexers of the connector of one group, counted from its layers.
pub fn cost() -> NetworkCost {
    let multiplexers = READ.iter().chain(&WRITE).map(Layer::multiplexers).sum();
    NetworkCost { multiplexers, inputs: 2, path: path(&READ).max(path(&WRITE)) }
}

/// The multiplexers of a full crossbar, for comparison: every word on either side is selected from all eight inputs.
pub fn fully_connected() -> NetworkCost {
    NetworkCost { multiplexers: 2 * WIDTH as u32, inputs: WIDTH as u32, path: 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_papers_counts() {
        assert_eq!(cost(), NetworkCost { multiplexers: 28, inputs: 2, path: 2 });
        assert_eq!(fully_connected(), NetworkCost { multiplexers: 16, inputs: 8, path: 1 });
        assert_eq!((cost().two_to_one(), fully_connected().two_to_one()), (28, 112));
        assert_eq!((cost().two_to_one_path(), fully_connected().two_to_one_path()), (2, 3));
    }

    #[test]
    fn layers_permute_and_the_turn_is_undone() {
        let words: [u8; WIDTH] = core::array::from_fn(|i| i as u8);
        for layer in READ.iter().chain(&WRITE) {
            assert_eq!(layer.pass(&words, false), words, "{}", layer.name);
            let mut moved = layer.pass(&words, true);
            assert_ne!(moved, words);
            moved.sort();
            assert_eq!(moved, words, "{}", layer.name);
        }
        assert_eq!(WRITE[0].pass(&READ[1].pass(&words, true), true), words);
        assert_eq!(WRITE[1].pass(&READ[0].pass(&words, true), true), words);
    }

    #[test]
    fn the_turn_is_the_one_of_the_map() {
        let banks: [u8; WIDTH] = core::array::from_fn(|i| i as u8);
        let ports = READ[1].pass(&banks, true);
        for (port, bank) in ports.into_iter().enumerate() {
            let unit = super::super::map::unit(u32::from(bank)) as usize;
            assert_eq!(port, 2 * unit + usize::from(bank >> 1 & 1));
        }
    }
}
