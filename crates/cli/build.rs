//! Compresses the demo's compiled circuits, which the command carries: as they are, they would be a tenth of it.

use flate2::Compression;
use flate2::write::ZlibEncoder;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

fn main() -> io::Result<()> {
    let to = std::env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?;
    for curve in ["bn128", "bls12381"] {
        for extension in ["r1cs", "wasm"] {
            let from = format!("demo/{curve}/merkle20.{extension}");
            println!("cargo::rerun-if-changed={from}");
            let file = File::create(Path::new(&to).join(format!("{curve}.{extension}.zlib")))?;
            let mut compressed = ZlibEncoder::new(file, Compression::best());
            compressed.write_all(&fs::read(from)?)?;
            compressed.finish()?;
        }
    }
    Ok(())
}
