//! Files that do not say what they are: the challenges and responses of ceremonies, and keys in bellman's form. They are known
//! by their sizes and their first points.

use crate::container::widen;
use crate::probe::FileKind;
use crate::ptau::power_told;
use crate::zkey::MpcParameters;
use crate::{CurveId, FileBytes};
use pairwright_curve::{Pairing, for_each_curve};

/// What such a file is. Members that its kind does not have are `None`.
#[derive(Clone, Copy)]
pub(crate) struct Headless {
    pub(crate) kind: FileKind,
    pub(crate) curve: CurveId,
    pub(crate) power: Option<u32>,
    pub(crate) wires: Option<u64>,
    pub(crate) public: Option<u64>,
    pub(crate) domain: Option<u64>,
    pub(crate) contributions: Option<u64>,
    pub(crate) circuit_hash: Option<[u8; 64]>,
}

macro_rules! of_any_curve {
    (curves { $($id:ident [$pairing:ty] $($text:literal)+;)+ } fixtures $fixtures:tt) => {
        /// What a file without a header is, if it is one of those that are known.
        pub(crate) fn headless(file: &FileBytes) -> Option<Headless> {
            None $(.or_else(|| of::<$pairing>(file, CurveId::$id)))+
        }
    };
}
for_each_curve!(of_any_curve);

fn of<E: Pairing>(file: &FileBytes, curve: CurveId) -> Option<Headless> {
    let bare = |kind| Headless {
        kind,
        curve,
        power: None,
        wires: None,
        public: None,
        domain: None,
        contributions: None,
        circuit_hash: None,
    };
    for (kind, is_response) in [(FileKind::Challenge, false), (FileKind::Response, true)] {
        if let Some(power) = power_told::<E>(file, is_response) {
            return Some(Headless { power: Some(power), ..bare(kind) });
        }
    }
    let key = MpcParameters::<E>::read(file.clone()).ok()?;
    Some(Headless {
        wires: Some(widen(key.wires())),
        public: Some(widen(key.public())),
        domain: Some(widen(key.domain_size())),
        contributions: Some(widen(key.contributions())),
        circuit_hash: Some(*key.circuit_hash()),
        ..bare(FileKind::MpcParameters)
    })
}
