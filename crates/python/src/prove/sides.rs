//! Implements the trait objects of this folder for each protocol with one macro; functions of fixed names hold the differences.

macro_rules! sides {
    ($name:ident, $prover:ident, $verifier:ident, $calldata:ident, $($formats:ident)::+, {$($hooks:item)*}) => {
        mod $name {
            use super::super::{
                About, AllowUnsafe, How, Proved, Proven, Prover, Verifier, Witness, on_board, precomputed,
                same, written,
            };
            use crate::work::Watch;
            use pairwright::Boards;
            use pairwright::curve::Pairing;
            use pairwright::device::{Device, Session};
            use pairwright::formats::solidity::$calldata;
            use $($formats)::+::{
                ZkeyFile, read_proof, read_verifying_key, write_proof, write_verifying_key,
            };
            use pairwright::formats::{CurveId, FileBytes, read_public_of, write_public};
            use pairwright::protocols::$name::{
                InSubgroup, PreparedVerifyingKey, Proof, ProvingKey, VerifyError, VerifyingKey, prove,
                verify_with_unsafe_key,
            };
            use pairwright_cli::{Failure, randomness};
            use std::path::Path;

            const PROTOCOL: &str = stringify!($name);

            $($hooks)*

            struct ProvingSide<E: Pairing> {
                curve: CurveId,
                file: ZkeyFile<E>,
                key: ProvingKey<E>,
                host: Device<E>,
                allow: AllowUnsafe,
            }

            /// Reads a proving key.
            pub(in super::super) fn $prover<E: Boards>(
                file: FileBytes,
                curve: CurveId,
                allow: AllowUnsafe,
            ) -> Result<Box<dyn Prover>, Failure> {
                let file = ZkeyFile::<E>::read(file)?;
                let key = judged(&file, allow)?;
                Ok(Box::new(ProvingSide { curve, file, key, host: E::host(), allow }))
            }

            impl<E: Boards> Prover for ProvingSide<E> {
                fn about(&self) -> About {
                    About { protocol: PROTOCOL, curve: self.curve, public: self.file.public() }
                }
                fn sizes(&self) -> (usize, usize) {
                    (self.file.wires(), self.file.domain().size())
                }

                fn prove(
                    &self,
                    witness: &Witness,
                    how: &How<'_>,
                    watch: &Watch<'_>,
                ) -> Result<Proved, Failure> {
                    let name = self.file.file().name().as_path();
                    let witness = witness.for_key::<E>(name, self.curve, self.file.wires())?;
                    let vk = &self.key.vk;
                    let mut rng = match how.seed {
                        None => randomness::system()?,
                        Some(hex) => {
                            let bytes = written(|out| write_verifying_key(out, vk))?;
                            randomness::seeded(hex, &bytes, witness)?
                        }
                    };
                    let (proof, report) = on_board::<E, _>(how, |device| {
                        let mut on = watch.session(device);
                        let proof = prove(&mut on, &self.key, witness, &mut rng)?;
                        Ok((proof, pairwright_cli::account(&on.finish())?))
                    })?;
                    let public = witness.get(1..=self.file.public()).unwrap_or_default().to_vec();
                    // The proof is verified on this computer, whichever device made it. The safety of the key was checked when
                    // it was read.
                    let mut on = watch.quiet(&self.host);
                    verify_with_unsafe_key(&mut on, vk, &public, &proof).map_err(|why| match why {
                        VerifyError::Device(why) => why.into(),
                        _ => Failure::proof_fails(),
                    })?;
                    let proof = proof.check().map_err(|why| Failure::Internal(why.into()))?;
                    Ok(Proved { proof: Box::new(Claim::<E> { curve: self.curve, public, proof }), report })
                }

                fn precompute(&self, most: usize, watch: &Watch<'_>) -> Result<u64, Failure> {
                    multiples(&self.key, most, watch)
                }

                fn verifier(&self) -> Result<Box<dyn Verifier>, Failure> {
                    let key = self.file.verifying_key()?.check().map_err(Failure::bad)?;
                    verifying_side(self.curve, self.file.file().name().as_path(), key, self.allow)
                }

                fn check(&self, watch: &Watch<'_>) -> Result<usize, Failure> {
                    let mut on = watch.session(&self.host);
                    Ok(self.file.check(&mut on, &mut randomness::system()?)?.elements())
                }
            }

            struct VerifyingSide<E: Pairing> {
                curve: CurveId,
                key: InSubgroup<VerifyingKey<E>>,
                prepared: PreparedVerifyingKey<E>,
                host: Device<E>,
            }

            /// Reads a verifying key from snarkjs' JSON.
            pub(in super::super) fn $verifier<E: Boards>(
                file: FileBytes,
                curve: CurveId,
                allow: AllowUnsafe,
            ) -> Result<Box<dyn Verifier>, Failure> {
                let name = file.name().clone();
                verifying_side::<E>(curve, name.as_path(), read_verifying_key(file)?, allow)
            }

            fn verifying_side<E: Boards>(
                curve: CurveId,
                name: &Path,
                key: InSubgroup<VerifyingKey<E>>,
                allow: AllowUnsafe,
            ) -> Result<Box<dyn Verifier>, Failure> {
                judge(name, &key, allow)?;
                let host = E::host();
                let prepared = prepare(&mut Session::new(&host), &key)?;
                Ok(Box::new(VerifyingSide { curve, key, prepared, host }))
            }

            impl<E: Boards> Verifier for VerifyingSide<E> {
                fn about(&self) -> About {
                    About { protocol: PROTOCOL, curve: self.curve, public: self.prepared.public() }
                }

                fn proof(&self, proof: FileBytes, public: FileBytes) -> Result<Box<dyn Proven>, Failure> {
                    let public = read_public_of(public, self.prepared.public()).map_err(Failure::of_proof)?;
                    let proof = read_proof(proof).map_err(Failure::of_proof)?;
                    Ok(Box::new(Claim::<E> { curve: self.curve, public, proof }))
                }

                fn verify(&self, proof: &dyn Proven, watch: &Watch<'_>) -> Result<(), Failure> {
                    let claim = same::<Claim<E>>(self.about(), proof)?;
                    let mut on = watch.quiet(&self.host);
                    Ok(self.prepared.verify(&mut on, &claim.public, &claim.proof)?)
                }

                fn verify_many(
                    &self,
                    proofs: &[&dyn Proven],
                    watch: &Watch<'_>,
                ) -> Result<(), (Option<usize>, Failure)> {
                    let one = |(i, proof): (usize, &&dyn Proven)| {
                        let claim = same::<Claim<E>>(self.about(), *proof).map_err(|why| (Some(i), why))?;
                        Ok((claim.public.clone(), claim.proof))
                    };
                    let claims = proofs.iter().enumerate().map(one).collect::<Result<Vec<_>, _>>()?;
                    let verdict = together(&self.prepared, &mut watch.quiet(&self.host), &claims);
                    verdict.map_err(|why| (None, why))?.map_err(|why| match why {
                        VerifyError::InBatch { index, why } if matches!(*why, VerifyError::Device(_)) => {
                            (Some(index), (*why).into())
                        }
                        VerifyError::InBatch { index, .. } => (Some(index), why.into()),
                        other => (None, other.into()),
                    })
                }

                fn json(&self) -> Result<Vec<u8>, Failure> {
                    written(|out| write_verifying_key(out, &self.key))
                }
            }

            struct Claim<E: Pairing> {
                curve: CurveId,
                public: Vec<E::Fr>,
                proof: InSubgroup<Proof<E>>,
            }

            impl<E: Pairing> Proven for Claim<E> {
                fn about(&self) -> About {
                    About { protocol: PROTOCOL, curve: self.curve, public: self.public.len() }
                }
                fn json(&self) -> Result<Vec<u8>, Failure> {
                    written(|out| write_proof(out, &self.proof))
                }
                fn public_json(&self) -> Result<Vec<u8>, Failure> {
                    written(|out| write_public(out, &self.public))
                }
                fn calldata(&self) -> Result<String, Failure> {
                    $calldata::<E>(&self.proof, &self.public).map_err(Failure::bad)
                }
            }
        }
        pub(super) use $name::{$prover, $verifier};
    };
}

sides!(groth16, groth16_prover, groth16_verifier, groth16_calldata, pairwright::formats, {
    /// The proving key of a file; fails if anybody can forge proofs under it, unless `allow` is set.
    fn judged<E: Pairing>(file: &ZkeyFile<E>, allow: AllowUnsafe) -> Result<ProvingKey<E>, Failure> {
        let key = file.proving_key()?;
        judge(file.file().name().as_path(), &key.vk, allow)?;
        Ok(key)
    }

    /// Fails for a key under which anybody can forge proofs, unless `allow` is set.
    fn judge<E: Pairing>(name: &Path, key: &VerifyingKey<E>, allow: AllowUnsafe) -> Result<(), Failure> {
        match key.expect_safe() {
            Err(weakness) if !allow.0 => Err(Failure::unsafe_key(name, weakness)),
            _ => Ok(()),
        }
    }

    /// Precomputes multiples of the points of every section; returns the memory that they take, in bytes.
    fn multiples<E: Pairing>(key: &ProvingKey<E>, most: usize, watch: &Watch<'_>) -> Result<u64, Failure> {
        let ProvingKey { a, b_g1, b_g2, c, h, .. } = key;
        let mut bytes = precomputed(b_g2, most, watch)?;
        for section in [a, b_g1, c, h] {
            bytes += precomputed(section, most, watch)?;
        }
        Ok(bytes)
    }

    fn prepare<E: Pairing>(
        on: &mut Session<'_, E>,
        key: &InSubgroup<VerifyingKey<E>>,
    ) -> Result<PreparedVerifyingKey<E>, Failure> {
        Ok(PreparedVerifyingKey::of_unsafe_key(on, key)?)
    }

    fn together<E: Pairing>(
        key: &PreparedVerifyingKey<E>,
        on: &mut Session<'_, E>,
        claims: &[(Vec<E::Fr>, InSubgroup<Proof<E>>)],
    ) -> Result<Result<(), VerifyError>, Failure> {
        Ok(key.batch_verify(on, claims, &mut randomness::system()?))
    }
});

/// [`sides!`] for Plonk and fflonk.
macro_rules! gates {
    ($name:ident, $prover:ident, $verifier:ident, $calldata:ident) => {
        sides!($name, $prover, $verifier, $calldata, pairwright::formats::$name, {
            use pairwright::protocols::$name::{Claim as Both, batch_verify};

            /// The proving key of a file; fails if anybody can forge proofs under it, unless `allow` is set.
            fn judged<E: Pairing>(file: &ZkeyFile<E>, allow: AllowUnsafe) -> Result<ProvingKey<E>, Failure> {
                judge(file.file().name().as_path(), &file.verifying_key()?, allow)?;
                Ok(file.proving_key())
            }

            /// Fails for a key under which anybody can forge proofs, unless `allow` is set.
            fn judge<E: Pairing>(
                name: &Path,
                key: &VerifyingKey<E>,
                allow: AllowUnsafe,
            ) -> Result<(), Failure> {
                match key.weakness() {
                    Some(weakness) if !allow.0 => Err(Failure::worthless_key(name, weakness)),
                    _ => Ok(()),
                }
            }

            /// Precomputes multiples of the powers of tau; returns the memory that they take, in bytes.
            fn multiples<E: Pairing>(
                key: &ProvingKey<E>,
                most: usize,
                watch: &Watch<'_>,
            ) -> Result<u64, Failure> {
                precomputed(&key.powers, most, watch)
            }

            fn prepare<E: Pairing>(
                on: &mut Session<'_, E>,
                key: &InSubgroup<VerifyingKey<E>>,
            ) -> Result<PreparedVerifyingKey<E>, Failure> {
                Ok(PreparedVerifyingKey::of_unsafe_key(on, key))
            }

            fn together<E: Pairing>(
                key: &PreparedVerifyingKey<E>,
                on: &mut Session<'_, E>,
                claims: &[(Vec<E::Fr>, InSubgroup<Proof<E>>)],
            ) -> Result<Result<(), VerifyError>, Failure> {
                let batch: Vec<Both<'_, E>> =
                    claims.iter().map(|(public, proof)| Both { key, public, proof }).collect();
                Ok(batch_verify(on, &batch, &mut randomness::system()?))
            }
        });
    };
}
gates!(plonk, plonk_prover, plonk_verifier, plonk_calldata);
gates!(fflonk, fflonk_prover, fflonk_verifier, fflonk_calldata);
