//! A test fixture: a key and a witness in files, and proofs with them.

use pairwright_curve::Pairing;
use pairwright_device::{Device, Session};
use pairwright_field::PrimeField;
use pairwright_formats::{Contributions, WtnsFile, ZkeyFile, write_wtns, write_zkey};
use pairwright_poly::Buf;
use pairwright_protocols::groth16::{Blinding, Proof, blind, prove, setup_local, verify};
use pairwright_protocols::r1cs::R1cs;
use pairwright_scale::{
    Digest, Ledger, Manifest, Plan, ScaleError, Sizes, WitnessRange, execute, in_order, plan,
};
use pairwright_scale::{shard, sums};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::SeedableRng;
use std::fs;
use std::path::PathBuf;
use tempfile::TempDir;

pub struct Workshop<E: Pairing> {
    pub dir: TempDir,
    pub device: Device<E>,
    pub key: ZkeyFile<E>,
    witness: Vec<E::Fr>,
}

impl<E: Pairing> Workshop<E> {
    pub fn new(system: &R1cs<E::Fr>, witness: Vec<E::Fr>) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let device = pairwright_cpu::board::<E>();
        let mut rng = ChaCha20Rng::seed_from_u64(7);
        let key = setup_local(&mut Session::new(&device), system, &mut rng).unwrap();
        let path = dir.path().join("key.zkey");
        write_zkey(&mut fs::File::create(&path).unwrap(), &key, &Contributions::none()).unwrap();
        let wtns = dir.path().join("w.wtns");
        write_wtns(&mut fs::File::create(wtns).unwrap(), &witness).unwrap();
        let key = ZkeyFile::open(path).unwrap();
        Self { dir, device, key, witness }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// Computes the proof with a session in memory.
    pub fn in_memory(&self) -> Proof<E> {
        let key = self.key.proving_key().unwrap();
        let (witness, mut rng) = (Buf::from(self.witness.clone()), ChaCha20Rng::seed_from_u64(9));
        let proof = prove(&mut Session::new(&self.device), &key, &witness, &mut rng).unwrap();
        let public = &self.witness[1..=key.public];
        verify(&mut Session::new(&self.device), &key.vk, public, &proof).unwrap();
        proof
    }

    /// Makes the plan for a sharded key with `blocks` blocks in `shards` and ranges of `points` points.
    pub fn plan(&self, blocks: usize, points: usize, cache: u64) -> Plan {
        let shards = self.path("shards");
        let manifest = shard(&self.key, blocks, &shards, &mut |_| {}).unwrap();
        assert_eq!(Manifest::read(&shards).unwrap(), manifest);
        manifest.expect_key(&shards, &self.key).unwrap();
        self.plan_of(&manifest, points, cache)
    }

    pub fn plan_of(&self, manifest: &Manifest, points: usize, cache: u64) -> Plan {
        let wtns = WtnsFile::<E::Fr>::open(self.path("w.wtns")).unwrap();
        let section = wtns.values();
        let witness = WitnessRange {
            path: self.path("w.wtns"),
            size: wtns.file().len() as u64,
            offset: section.offset(),
            digests: section.bytes().chunks(manifest.sizes.piece() * E::Fr::BYTES).map(Digest::of).collect(),
        };
        let sizes = Sizes { blocks: manifest.layout.blocks(), g1_points: points, g2_points: points, cache };
        let work = self.path("work");
        fs::create_dir_all(&work).unwrap();
        plan(manifest, [&self.path("key.zkey"), &self.path("shards"), &work], &witness, &sizes)
    }

    /// Computes the proof of a plan whose tasks are finished.
    pub fn finish(&self, plan: &Plan, ledger: &Ledger) -> Result<Proof<E>, ScaleError> {
        let key = self.key.proving_key().unwrap();
        let blinding = Blinding::random(&mut ChaCha20Rng::seed_from_u64(9));
        Ok(blind(&key, &sums(plan, ledger)?, &blinding))
    }

    /// Runs a plan from the beginning, in its order.
    pub fn run(&self, plan: &Plan) -> Result<Proof<E>, ScaleError> {
        let mut ledger = Ledger::in_memory();
        execute(plan, &mut ledger, &self.device, &mut in_order, &mut |_| {})?;
        self.finish(plan, &ledger)
    }

    pub fn clear(&self) {
        fs::remove_dir_all(self.path("work")).unwrap();
        fs::create_dir_all(self.path("work")).unwrap();
    }
}

/// A chain of squarings with its witness.
pub fn chain<E: Pairing>(steps: usize) -> Workshop<E> {
    let witness = pairwright_testkit::circuits::chain_witness(steps, E::Fr::from(3));
    Workshop::new(&pairwright_testkit::circuits::chain(steps), witness)
}
