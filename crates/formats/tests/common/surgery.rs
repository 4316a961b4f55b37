//! Good files made bad at a named place, and readers that go through all of a file.
#![allow(dead_code, unreachable_pub)]

use crate::common::rng;
use pairwright_curve::{Affine, Curve, Pairing};
use pairwright_device::{Session, reference};
use pairwright_field::{Extension, PrimeField};
use pairwright_formats::{
    FileBytes, FormatError, MpcParameters, PtauFile, R1csFile, WtnsFile, ZkeyFile, fflonk, plonk, read_proof,
    read_public, read_verifying_key,
};
use pairwright_poly::{Source, SourceError};
use pairwright_protocols::groth16::PowersOfTau;

/// The variant of an error.
pub fn kind(error: &FormatError) -> String {
    format!("{error:?}").chars().take_while(|c| c.is_alphanumeric()).collect()
}

fn inner(error: SourceError) -> FormatError {
    *error.0.downcast::<FormatError>().expect("sources of files fail with errors of files")
}

fn points<C: Curve>(source: &dyn Source<Affine<C>>) -> Result<(), FormatError> {
    source.read(0..source.len(), &mut Vec::new()).map_err(inner)
}

pub fn r1cs<F: PrimeField>(file: FileBytes) -> Result<(), FormatError> {
    R1csFile::<F>::read(file)?.check()
}
pub fn wtns<F: PrimeField>(file: FileBytes) -> Result<(), FormatError> {
    WtnsFile::<F>::read(file)?.witness().map(drop)
}
/// The fast load, and every element decoded as a prover does.
pub fn zkey<E: Pairing>(file: FileBytes) -> Result<(), FormatError> {
    let zkey = ZkeyFile::<E>::read(file)?;
    let key = zkey.proving_key()?;
    points(key.a.as_ref())?;
    points(key.b_g1.as_ref())?;
    points(key.b_g2.as_ref())?;
    points(key.c.as_ref())?;
    points(key.h.as_ref())?;
    key.coefficients.read(0..key.coefficients.len(), &mut |_| {}).map_err(inner)?;
    zkey.contributions().map(drop)
}
pub fn zkey_checked<E: Pairing>(file: FileBytes) -> Result<(), FormatError> {
    ZkeyFile::<E>::read(file)?.check(&mut Session::new(&reference::board()), &mut rng(1)).map(drop)
}
pub fn zkey_vk<E: Pairing>(file: FileBytes) -> Result<(), FormatError> {
    ZkeyFile::<E>::read(file)?.verifying_key().map(drop)
}
pub fn ptau<E: Pairing>(file: FileBytes) -> Result<(), FormatError> {
    let ptau = PtauFile::<E>::read(file)?;
    points(ptau.tau_g1())?;
    points(ptau.tau_g2())?;
    points(ptau.alpha_tau_g1())?;
    points(ptau.beta_tau_g1())?;
    let Some(lagrange) = ptau.lagrange() else { return Ok(()) };
    points(lagrange.tau_g1)?;
    points(lagrange.tau_g2)?;
    points(lagrange.alpha_tau_g1)?;
    points(lagrange.beta_tau_g1)
}
pub fn ptau_checked<E: Pairing>(file: FileBytes) -> Result<(), FormatError> {
    PtauFile::<E>::read(file)?.check(&mut Session::new(&reference::board()), &mut rng(1)).map(drop)
}
pub fn mpc_parameters<E: Pairing>(file: FileBytes) -> Result<(), FormatError> {
    MpcParameters::<E>::read(file)?.check(&mut Session::new(&reference::board()), &mut rng(1))
}
pub fn vk<E: Pairing>(file: FileBytes) -> Result<(), FormatError> {
    read_verifying_key::<E>(file).map(drop)
}
pub fn proof<E: Pairing>(file: FileBytes) -> Result<(), FormatError> {
    read_proof::<E>(file).map(drop)
}
/// Everything of a Plonk key that a prover reads, and its points.
pub fn plonk_zkey<E: Pairing>(file: FileBytes) -> Result<(), FormatError> {
    plonk::ZkeyFile::<E>::read(file)?.check(&mut Session::new(&reference::board()), &mut rng(1)).map(drop)
}
pub fn plonk_vk<E: Pairing>(file: FileBytes) -> Result<(), FormatError> {
    plonk::read_verifying_key::<E>(file).map(drop)
}
pub fn plonk_proof<E: Pairing>(file: FileBytes) -> Result<(), FormatError> {
    plonk::read_proof::<E>(file).map(drop)
}
/// Everything of a fflonk key that a prover reads, and its points.
pub fn fflonk_zkey<E: Pairing>(file: FileBytes) -> Result<(), FormatError> {
    fflonk::ZkeyFile::<E>::read(file)?.check(&mut Session::new(&reference::board()), &mut rng(1)).map(drop)
}
pub fn fflonk_vk<E: Pairing>(file: FileBytes) -> Result<(), FormatError> {
    fflonk::read_verifying_key::<E>(file).map(drop)
}
pub fn fflonk_proof<E: Pairing>(file: FileBytes) -> Result<(), FormatError> {
    fflonk::read_proof::<E>(file).map(drop)
}
pub fn public<F: PrimeField>(file: FileBytes) -> Result<(), FormatError> {
    read_public::<F>(file).map(drop)
}

/// The container taken apart.
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

/// A point as zkey and ptau files hold it.
pub fn montgomery<C: Curve>(p: &Affine<C>) -> Vec<u8> {
    let coords = [&p.x, &p.y].into_iter().flat_map(|c| (0..C::Base::DEGREE).map(|i| c.coord(i)));
    coords.flat_map(|c| c.to_montgomery().as_ref().to_vec()).flat_map(u64::to_le_bytes).collect()
}
