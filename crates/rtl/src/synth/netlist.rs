//! Mapped modules, read from the BLIF files that Yosys writes.

use std::collections::BTreeMap;

/// A module that consists of cells and submodules.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Netlist {
    /// Nets of the inputs.
    pub inputs: Vec<String>,
    /// Nets of the outputs.
    pub outputs: Vec<String>,
    /// The cells and submodules.
    pub instances: Vec<Instance>,
    /// Outputs that are aliases of other nets: (output, driving net).
    pub names: Vec<(String, String)>,
}

/// An instance of a cell or module.
#[derive(Clone, PartialEq, Debug)]
pub struct Instance {
    /// Name of the cell or module.
    pub of: String,
    /// Pins with their nets.
    pub pins: Vec<(String, String)>,
}

/// The modules of a BLIF file by name.
pub(super) fn parse(text: &str) -> BTreeMap<String, Netlist> {
    let mut modules = BTreeMap::new();
    let (mut name, mut module) = (String::new(), Netlist::default());
    let joined = text.replace("\\\n", " ");
    for line in joined.lines() {
        let mut words = line.split_whitespace().map(str::to_owned);
        match words.next().as_deref() {
            Some(".model") => name = words.next().unwrap_or_default(),
            Some(".inputs") => module.inputs.extend(words),
            Some(".outputs") => module.outputs.extend(words),
            Some(".subckt" | ".gate") => {
                let of = words.next().unwrap_or_default();
                let pins = words.filter_map(|pin| {
                    let (pin, net) = pin.split_once('=')?;
                    Some((pin.to_owned(), net.to_owned()))
                });
                module.instances.push(Instance { of, pins: pins.collect() });
            }
            Some(".names") => {
                let nets: Vec<String> = words.collect();
                if let [from, to] = &nets[..] {
                    module.names.push((to.clone(), from.clone()));
                }
            }
            Some(".end") => {
                modules.insert(std::mem::take(&mut name), std::mem::take(&mut module));
            }
            _ => {}
        }
    }
    modules
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_two_modules() {
        let text = "# Yosys\n.model row\n.inputs a[0] \\\n b\n.outputs y\n.names $false\n.subckt NAND A=a[0] B=b Y=y\n.end\n.model \
                    top\n.inputs a\n.outputs y\n.subckt row a[0]=a b=a y=n\n.names n y\n1 1\n.end\n";
        let modules = parse(text);
        let row = &modules["row"];
        assert_eq!((row.inputs.len(), &row.outputs[..]), (2, &["y".to_owned()][..]));
        assert_eq!((row.instances[0].of.as_str(), row.instances[0].pins.len()), ("NAND", 3));
        assert_eq!(modules["top"].names, [("y".to_owned(), "n".to_owned())]);
    }
}
