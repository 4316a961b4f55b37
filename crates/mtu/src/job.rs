//! Jobs: the tree that a unit computes, the number of its leaves, and the source and destination of its words.

use serde::{Deserialize, Serialize};

/// A tree workload (\[MTU\] §3.1). Leaves are level 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Workload {
    /// `eq(x, r)` at every corner of the hypercube: a forward tree.
    BuildMle,
    /// The value of a multilinear extension at a point: an inverted tree with two operands per node and one challenge per
    /// level.
    MleEval,
    /// The product of all leaves: an inverted tree of which only the root is written.
    Product,
    /// The product of all leaves, with every inner node written.
    ProductMle,
    /// The root of a SHA3 Merkle tree over digests: an inverted tree of hashes of which only the root is written.
    Merkle,
    /// A SHA3 Merkle tree with every inner node written, as openings need.
    MerkleLevels,
}

/// The direction in which a tree is computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum TreeDir {
    /// From the root to the leaves.
    Forward,
    /// From the leaves to the root.
    Inverted,
}

/// A workload with its size, computed from memory to memory or between neighbouring stages.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Job {
    /// The tree that is computed.
    pub workload: Workload,
    /// log2 of the number of leaves.
    pub log_size: u32,
    /// Whether the leaves of a Merkle tree are data that are hashed first, with one permutation each (\[MTU\] §3.1.3:
    /// "Level 1 consists of hash values of the original data"); otherwise they are digests.
    pub hash_leaves: bool,
    /// Words per cycle of a stage upstream that gives the leaves in the order of their indices; `None` if they come from
    /// memory.
    pub upstream: Option<u32>,
    /// Words per cycle of a stage downstream that takes the leaves of a forward tree in the order of their indices;
    /// `None` if they go to memory.
    pub downstream: Option<u32>,
}

impl Job {
    /// A job from memory to memory.
    pub fn new(workload: Workload, log_size: u32) -> Self {
        Self { workload, log_size, hash_leaves: false, upstream: None, downstream: None }
    }

    /// The same job with leaves that are hashed first.
    #[must_use]
    pub fn hashing_leaves(self) -> Self {
        Self { hash_leaves: true, ..self }
    }

    /// The number of leaves.
    pub fn size(&self) -> u64 {
        1 << self.log_size
    }
}

impl Workload {
    /// All workloads, those of the paper and the variants.
    pub const ALL: [Self; 6] =
        [Self::BuildMle, Self::MleEval, Self::Product, Self::ProductMle, Self::Merkle, Self::MerkleLevels];

    /// The four workloads that \[MTU\] measures, in its order.
    pub const PAPER: [Self; 4] = [Self::BuildMle, Self::MleEval, Self::ProductMle, Self::Merkle];

    /// The name of the workload on the command line and in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::BuildMle => "build-mle",
            Self::MleEval => "mle-eval",
            Self::Product => "product",
            Self::ProductMle => "product-mle",
            Self::Merkle => "merkle",
            Self::MerkleLevels => "merkle-levels",
        }
    }

    /// The direction in which the workload's tree grows.
    pub fn direction(self) -> TreeDir {
        if self == Self::BuildMle { TreeDir::Forward } else { TreeDir::Inverted }
    }

    /// Whether every inner node is a result.
    pub fn keeps_levels(self) -> bool {
        matches!(self, Self::ProductMle | Self::MerkleLevels)
    }

    /// Whether the nodes are hashes.
    pub fn hashes(self) -> bool {
        matches!(self, Self::Merkle | Self::MerkleLevels)
    }
}
