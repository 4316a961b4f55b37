//! Attribute-based encryption compared with CIRCL, which computes on one thread: encryption of a message of 1 KiB under an `and` of some
//! literals, and its decryption with a key that has them. The time of a decryption includes reading the ciphertext, as in CIRCL's
//! function.

use crate::operands::Scratch;
use crate::peers::{self, Skipped, rows_beside};
use crate::{Options, Row, Table, bridge};
use pairwright_curve::bls12_381::Bls12_381;
use pairwright_device::{Device, Session};
use pairwright_protocols::schemes::abe::{AttributeKey, Attributes, Ciphertext, Policy, PublicKey, setup};
use std::time::Duration;

const BUDGET: Duration = Duration::from_secs(5);
/// Numbers of literals of the policies.
const LITERALS: [usize; 3] = [1, 5, 20];
/// Length of the message in bytes.
const MESSAGE: usize = 1 << 10;
/// The names of the rows.
const NAMES: [&str; 2] = ["ABE encrypt", "ABE decrypt"];

/// A system, a policy, a key that satisfies it, and a ciphertext under it.
struct Case {
    device: Device<Bls12_381>,
    public: PublicKey,
    policy: Policy,
    key: AttributeKey,
    ciphertext: Vec<u8>,
}

impl Case {
    fn new(literals: usize) -> Self {
        let device = pairwright_cpu::board::<Bls12_381>();
        let (mut on, mut rng) = (Session::new(&device), bridge::rng(19));
        let (public, master) = setup(&mut on, &mut rng).expect("a system");
        let mut attributes = Attributes::new();
        let mut texts = Vec::new();
        for i in 0..literals {
            attributes.insert(&format!("name{i}"), &format!("value{i}")).expect("an attribute");
            texts.push(format!("name{i}: value{i}"));
        }
        let policy: Policy = texts.join(" and ").parse().expect("a policy");
        let key = master.derive(&mut on, &attributes, &mut rng).expect("a key");
        let sealed = public.encrypt(&mut on, &policy, &[7; MESSAGE], &mut rng).expect("encrypted");
        let ciphertext = sealed.to_bytes();
        drop(on);
        let case = Self { public, policy, key, ciphertext, device };
        assert_eq!(case.decrypt(), [7; MESSAGE], "the ciphertext opens");
        case
    }

    fn encrypt(&self) -> Vec<u8> {
        let on = &mut Session::new(&self.device);
        let sealed = self.public.encrypt(on, &self.policy, &[7; MESSAGE], &mut bridge::rng(20));
        sealed.expect("encrypted").to_bytes()
    }

    fn decrypt(&self) -> Vec<u8> {
        let ciphertext = Ciphertext::from_bytes(&self.ciphertext).expect("a ciphertext");
        self.key.decrypt(&mut Session::new(&self.device), &ciphertext).expect("satisfied").to_vec()
    }

    /// Writes the files that CIRCL reads; it decrypts our ciphertext with our key before it is measured.
    fn files(&self) -> Result<Scratch, Skipped> {
        let write = || {
            let folder = Scratch::new()?;
            let policy = self.policy.to_string();
            let files: [(&str, &[u8]); 5] = [
                ("public", &self.public.to_bytes()),
                ("key", &self.key.to_bytes()),
                ("policy", policy.as_bytes()),
                ("message", &[7; MESSAGE]),
                ("ciphertext", &self.ciphertext),
            ];
            for (name, bytes) in files {
                std::fs::write(folder.path().join(name), bytes)?;
            }
            Ok(folder)
        };
        write().map_err(|why: std::io::Error| format!("the files cannot be written: {why}"))
    }
}

/// Rows compared with CIRCL, on one thread.
pub fn against_circl(options: &Options, table: &mut Table) {
    let options = &options.on_threads(1);
    for literals in LITERALS {
        let case = Case::new(literals);
        for (name, work) in NAMES.iter().zip(["abe-encrypt", "abe-decrypt"]).filter(|(n, _)| options.wants(n))
        {
            let files = case.files();
            let peer =
                files.as_ref().map_err(Clone::clone).and_then(|folder| peers::circl(work, folder.path()));
            let ours = |()| if work == "abe-encrypt" { case.encrypt() } else { case.decrypt() };
            let size = format!("{literals} literals");
            rows_beside(
                peer,
                (options, table),
                BUDGET,
                || (),
                ours,
                |threads, peer, pair| Row::new(*name, size.clone(), threads, peer, pair, 1),
            );
        }
    }
}
