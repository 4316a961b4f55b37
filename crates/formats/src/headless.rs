//! Files that do not say what they are: the challenges and responses of ceremonies, and keys in bellman's form. They are known
//! by their sizes and their first points.

use crate::container::widen;
use crate::hexadecimal::to_hex;
use crate::probe::FileKind;
use crate::ptau::power_told;
use crate::zkey::MpcParameters;
use crate::{CurveId, FileBytes, Inspection};
use pairwright_curve::{Pairing, for_each_curve};

macro_rules! of_any_curve {
    (curves { $($id:ident [$pairing:ty] $($text:literal)+;)+ } fixtures $fixtures:tt) => {
        /// What a file without a header is, if it is one of those that are known.
        pub(crate) fn headless(file: &FileBytes) -> Option<Inspection> {
            None $(.or_else(|| of::<$pairing>(file, CurveId::$id)))+
        }
    };
}
for_each_curve!(of_any_curve);

fn of<E: Pairing>(file: &FileBytes, curve: CurveId) -> Option<Inspection> {
    let bare = |kind| Inspection { curve: Some(curve.name()), ..Inspection::of(kind) };
    for (kind, is_response) in [(FileKind::Challenge, false), (FileKind::Response, true)] {
        if let Some(power) = power_told::<E>(file, is_response) {
            return Some(Inspection { power: Some(power), ..bare(kind) });
        }
    }
    let key = MpcParameters::<E>::read(file.clone()).ok()?;
    Some(Inspection {
        wires: Some(widen(key.wires())),
        public: Some(widen(key.public())),
        domain: Some(widen(key.domain_size())),
        contributions: Some(widen(key.contributions())),
        circuit_hash: Some(to_hex(key.circuit_hash())),
        ..bare(FileKind::MpcParameters)
    })
}
