//! Damages valid files at known positions, and provides readers that go through a whole file.
#![allow(dead_code, unreachable_pub)]

#[path = "../../../../fuzz/properties/files.rs"]
mod files;

pub use files::*;
use pairwright_curve::{Affine, Curve};
use pairwright_field::{Extension, PrimeField};
use pairwright_formats::FormatError;

/// The variant of an error.
pub fn kind(error: &FormatError) -> String {
    format!("{error:?}").chars().take_while(|c| c.is_alphanumeric()).collect()
}

/// A container split into its parts.
#[derive(Clone)]
pub struct Parts {
    pub head: Vec<u8>,
    pub sections: Vec<(u32, Vec<u8>)>,
}

impl Parts {
    pub fn of(bytes: &[u8]) -> Self {
        let (mut at, mut sections) = (12, Vec::new());
        while at < bytes.len() {
            let id = u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
            let len = u64::from_le_bytes(bytes[at + 4..at + 12].try_into().unwrap()) as usize;
            sections.push((id, bytes[at + 12..at + 12 + len].to_vec()));
            at += 12 + len;
        }
        Self { head: bytes[..8].to_vec(), sections }
    }
    pub fn section(&mut self, id: u32) -> &mut Vec<u8> {
        &mut self.sections.iter_mut().find(|(i, _)| *i == id).unwrap().1
    }
    pub fn put(mut self, id: u32, at: usize, bytes: &[u8]) -> Vec<u8> {
        self.section(id)[at..at + bytes.len()].copy_from_slice(bytes);
        self.join()
    }
    pub fn put_u32(self, id: u32, at: usize, x: u32) -> Vec<u8> {
        self.put(id, at, &x.to_le_bytes())
    }
    pub fn without(mut self, id: u32) -> Vec<u8> {
        self.sections.retain(|(i, _)| *i != id);
        self.join()
    }
    pub fn with(mut self, id: u32, bytes: &[u8]) -> Vec<u8> {
        self.sections.push((id, bytes.to_vec()));
        self.join()
    }
    pub fn resized(mut self, id: u32, len: usize) -> Vec<u8> {
        self.section(id).resize(len, 0);
        self.join()
    }
    pub fn join(&self) -> Vec<u8> {
        let mut out = self.head.clone();
        out.extend((self.sections.len() as u32).to_le_bytes());
        for (id, bytes) in &self.sections {
            out.extend(id.to_le_bytes());
            out.extend((bytes.len() as u64).to_le_bytes());
            out.extend(bytes);
        }
        out
    }
}

pub fn modulus<F: PrimeField>() -> Vec<u8> {
    F::MODULUS.as_ref().iter().flat_map(|l| l.to_le_bytes()).collect()
}

/// Encodes a point as in zkey and ptau files.
pub fn montgomery<C: Curve>(p: &Affine<C>) -> Vec<u8> {
    let coords = [&p.x, &p.y].into_iter().flat_map(|c| (0..C::Base::DEGREE).map(|i| c.coord(i)));
    coords.flat_map(|c| c.to_montgomery().as_ref().to_vec()).flat_map(u64::to_le_bytes).collect()
}
