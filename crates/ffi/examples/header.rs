//! Prints `include/pairwright.h`, for `cargo x gen`.

use std::io::Write;
use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(folder.join("cbindgen.toml"))?;
    let sources = ["status", "memory", "keys", "proofs", "bls"];
    let builder = cbindgen::Builder::new().with_config(config);
    let builder = sources
        .iter()
        .fold(builder, |builder, name| builder.with_src(folder.join("src").join(name).with_extension("rs")));
    let mut text = Vec::new();
    builder.generate()?.write(&mut text);
    // rustdoc's heading has no meaning in C.
    let text = String::from_utf8(text)?.replace("# Safety", "What the caller promises:");
    std::io::stdout().write_all(text.as_bytes())?;
    Ok(())
}
