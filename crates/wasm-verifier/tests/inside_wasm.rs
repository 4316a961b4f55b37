//! The module, run by an interpreter, gives the same verdicts as native code. `cargo x verifier` builds the module and runs this
//! test with its path.

use pairwright_wasm_verifier::{ACCEPTED, REJECTED, UNREADABLE, judge};
use wasmi::{Engine, Instance, Linker, Memory, Module, Store};

/// The module, loaded in an interpreter.
struct Inside {
    store: Store<()>,
    instance: Instance,
    memory: Memory,
}

impl Inside {
    fn new(module: &[u8]) -> Self {
        let engine = Engine::default();
        let module = Module::new(&engine, module).unwrap();
        assert_eq!(module.imports().count(), 0, "the verifier asks nothing of its host");
        let mut store = Store::new(&engine, ());
        let instance = Linker::new(&engine).instantiate_and_start(&mut store, &module).unwrap();
        let memory = instance.get_memory(&store, "memory").unwrap();
        Self { store, instance, memory }
    }

    fn judge(&mut self, files: [&[u8]; 3]) -> i32 {
        let room = self.instance.get_typed_func::<(u32, u32), u32>(&self.store, "room").unwrap();
        for (file, bytes) in (0..).zip(files) {
            let at = room.call(&mut self.store, (file, bytes.len() as u32)).unwrap();
            self.memory.write(&mut self.store, at as usize, bytes).unwrap();
        }
        let verify = self.instance.get_typed_func::<(), i32>(&self.store, "verify").unwrap();
        verify.call(&mut self.store, ()).unwrap()
    }
}

fn vector(name: &str) -> Vec<u8> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../vectors/circom/cube/");
    std::fs::read(format!("{folder}{name}")).unwrap()
}

/// Tests a proof of snarkjs, then the same with another public value, with two points exchanged, truncated, and with a key of another
/// curve.
#[test]
fn verdicts_are_those_of_native_code() {
    let Ok(path) = std::env::var("PAIRWRIGHT_VERIFIER") else {
        println!("SKIPPED: PAIRWRIGHT_VERIFIER does not name the module, which `cargo x verifier` builds");
        return;
    };
    let mut inside = Inside::new(&std::fs::read(path).unwrap());
    let [key, public, proof] =
        ["bn128/verification_key.json", "bn128/public.json", "bn128/proof.json"].map(vector);
    let text = String::from_utf8(proof.clone()).unwrap();
    let swapped = text.replace("pi_a", "pi_x").replace("pi_c", "pi_a").replace("pi_x", "pi_c").into_bytes();
    let other_key = vector("bls12381/verification_key.json");
    let cases: [([&[u8]; 3], i32); 5] = [
        ([&key, &public, &proof], ACCEPTED),
        ([&key, b"[\"36\"]", &proof], REJECTED),
        ([&key, &public, &swapped], REJECTED),
        ([&key, &public, &proof[..proof.len() / 2]], UNREADABLE),
        ([&other_key, &public, &proof], UNREADABLE),
    ];
    for (i, (files, expected)) in cases.into_iter().enumerate() {
        let [key, public, proof] = files.map(<[u8]>::to_vec);
        assert_eq!(judge(key, public, proof), expected, "native, case {i}");
        assert_eq!(inside.judge(files), expected, "inside WebAssembly, case {i}");
    }
}
