//! The parameters of the kernels of a PTX text, for the check of a launch's arguments: the driver is given addresses of
//! arguments and no sizes.

use std::collections::BTreeMap;

/// Sizes of the parameters in bytes, in order, by kernel. A kernel whose list cannot be read is left out.
pub(crate) fn of_ptx(text: &str) -> BTreeMap<String, Vec<u32>> {
    let kernel = |entry: &str| {
        let (name, rest) = entry.split_once('(')?;
        let (list, _) = rest.split_once(')')?;
        let parameters = list.split(',').filter(|parameter| parameter.contains(".param"));
        Some((name.trim().to_owned(), parameters.map(size).collect::<Option<_>>()?))
    };
    text.split(".entry ").skip(1).filter_map(kernel).collect()
}

/// The size of a parameter such as `.param .u32 n` or `.param .align 4 .b8 constants[36]`.
fn size(parameter: &str) -> Option<u32> {
    let bits = |word: &str| word.strip_prefix('.')?.strip_prefix(['b', 'f', 's', 'u'])?.parse::<u32>().ok();
    let bytes = parameter.split_whitespace().find_map(bits)? / 8;
    let count = match parameter.split_once('[') {
        Some((_, count)) => count.split_once(']')?.0.trim().parse().ok()?,
        None => 1,
    };
    bytes.checked_mul(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_of_all_kinds_have_their_sizes() {
        let text = "// .version\n.visible .entry k(\n\t.param .u32 k_param_0,\n\t.param .u64 .ptr .global .align 1 k_param_1,\n\
                    \t.param .align 4 .b8 k_param_2[36]\n)\n.maxntid 32, 1, 1\n{ call (x), f; }\n.visible .entry none()\n{ }\n\
                    .visible .entry strange(\n\t.param .what x\n)\n{ }\n.entry cut(.param .u32 a";
        let found = of_ptx(text);
        assert_eq!(found["k"], [4, 8, 36]);
        assert_eq!(found["none"], [0u32; 0]);
        assert_eq!(found.len(), 2, "{found:?}");
    }
}
