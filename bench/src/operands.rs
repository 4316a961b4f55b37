//! Operands for peers in other processes, in temporary files that are deleted when their handle is dropped.
//!
//! Elements are written as they are in memory: little-endian limbs of 64 bits in Montgomery form with radix `2^(64 N)`,
//! which is also the representation of gnark-crypto. Elements of extensions and points are written as their coordinates in order.

use crate::peers::{Peer, Skipped, gnark};
use pairwright_curve::{Affine, Curve};
use pairwright_field::{Extension, PrimeField};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A new folder in the system's folder for temporary files, which is removed when this is dropped.
pub struct Scratch(PathBuf);

impl Scratch {
    /// Makes the folder.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn new() -> io::Result<Self> {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("pairwright-bench-{}-{count}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder)?;
        Ok(Self(folder))
    }

    /// The folder's path.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A file of operands, or the error that occurred while it was written.
pub struct Operands(io::Result<(Scratch, BufWriter<File>)>);

impl Operands {
    /// A new file, which begins with the number of operands as a 64-bit integer.
    pub fn new(count: usize) -> Self {
        let begun = Scratch::new().and_then(|folder| {
            let mut out = BufWriter::new(File::create(folder.path().join("operands"))?);
            out.write_all(&(count as u64).to_le_bytes())?;
            Ok((folder, out))
        });
        Self(begun)
    }

    /// Appends elements of a prime field.
    #[must_use]
    pub fn scalars<'f, F: PrimeField>(self, elements: impl IntoIterator<Item = &'f F>) -> Self {
        self.each(elements.into_iter().copied())
    }

    /// Appends elements of a field by their coordinates.
    #[must_use]
    pub fn elements<'f, F: Extension>(self, elements: impl IntoIterator<Item = &'f F>) -> Self {
        self.each(elements.into_iter().flat_map(|x| (0..F::DEGREE).map(|i| x.coord(i))))
    }

    fn each<F: PrimeField>(self, elements: impl Iterator<Item = F>) -> Self {
        Self(self.0.and_then(|(folder, mut out)| {
            let mut bytes = vec![0; F::BYTES];
            for x in elements {
                x.write_montgomery_le(&mut bytes);
                out.write_all(&bytes)?;
            }
            Ok((folder, out))
        }))
    }

    /// Appends points by their affine coordinates; infinity is (0, 0).
    #[must_use]
    pub fn points<'p, C: Curve>(self, points: impl IntoIterator<Item = &'p Affine<C>>) -> Self {
        self.elements(points.into_iter().flat_map(|p| [&p.x, &p.y]))
    }

    /// Starts gnark-crypto with an operator on these operands; when it is ready, it has read them and run the operator once.
    ///
    /// # Errors
    /// The errors of [`gnark`], and an error if the file could not be written.
    pub fn gnark(self, curve: &str, operator: &str) -> Result<Peer, Skipped> {
        let written = self.0.and_then(|(folder, mut out)| out.flush().map(|()| folder));
        let folder = written.map_err(|why| format!("no file of operands: {why}"))?;
        gnark(curve, operator, folder.path().join("operands"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::peers::go;
    use pairwright_curve::bls12_381::{Bls12_381, Fr, G1, G2};
    use pairwright_curve::{Jacobian, Pairing};
    use pairwright_field::{Field, Ring};

    /// For every operator, gnark-crypto accepts our result and refuses a different one.
    #[test]
    fn gnark_compares() {
        if go().is_none() {
            println!("SKIPPED: there is no Go here, or it cannot build the program");
            return;
        }
        let (g, h) = (G1::GENERATOR, G2::GENERATOR);
        let two = Fr::from(2);
        let (twice_g, twice_h) =
            (Jacobian::from(g).double().to_affine(), Jacobian::from(h).double().to_affine());
        let g1 = |sum| Operands::new(2).points([&g, &g]).scalars([&Fr::ONE, &Fr::ONE]).points::<G1>([&sum]);
        let g2 = |sum| Operands::new(1).points([&h]).scalars([&two]).points::<G2>([&sum]);
        let value = Bls12_381::multi_pairing(&[(g, twice_h), (twice_g, -h)]);
        let pairs = |v| Operands::new(2).points([&g, &twice_g]).points([&twice_h, &-h]).elements([&v]);
        assert!(value == <Bls12_381 as Pairing>::Gt::ONE);
        // The values 2 + x at 1 and -1.
        let ntt = |last| Operands::new(2).scalars([&two, &Fr::ONE, &Fr::ONE]).scalars([&Fr::from(3), &last]);
        for (name, right, wrong) in [
            ("msm-g1", g1(twice_g), g1(g)),
            ("msm-g2", g2(twice_h), g2(h)),
            ("pairing", pairs(value), pairs(value.double())),
            ("ntt", ntt(Fr::ONE), ntt(two)),
        ] {
            right.gnark("BLS12-381", name).expect(name);
            assert!(wrong.gnark("BLS12-381", name).is_err(), "{name}");
        }
    }
}
