//! The list of curves: one row each, from which ids, names, boards and types of other crates follow.

/// Calls a macro with the list of curves, and with the tokens that follow the macro's name.
///
/// The macro is called as `callback! { curves { ROW… } fixtures { ROW… } TOKENS }`, where a row is
/// `Id [pairing type] "name" "other name" "what it is";`. The name is snarkjs' and circom's. A fixture is a curve
/// without security for tests: no command and no file format takes it, and no board is built for it.
#[macro_export]
macro_rules! for_each_curve {
    ($callback:ident $($tokens:tt)*) => {
        $callback! {
            curves {
                Bn254 [$crate::bn254::Bn254] "bn128" "bn254" "BN254, which circom and snarkjs call bn128";
                Bls12_381 [$crate::bls12_381::Bls12_381] "bls12381" "bls12-381" "BLS12-381";
                Bls12_377 [$crate::bls12_377::Bls12_377] "bls12377" "bls12-377"
                    "BLS12-377, in the layout of the others; circom and snarkjs do not know it";
            }
            fixtures {
                TinyBls12 [$crate::tiny_bls12::TinyBls12] "tinybls12" "tiny-bls12" "a BLS12 curve over 34 bits";
            }
            $($tokens)*
        }
    };
}

/// Compiles a generic function for every listed curve in the crate that calls this macro.
///
/// Generics are compiled where they are used. A crate takes an instance that a crate below it has compiled instead of
/// compiling its own: in builds for tests for every function, in optimised builds for functions with `#[inline(never)]`.
/// So the long functions that other crates call are named here and have that attribute. Each then is in a program once, and
/// is compiled once for all tests and programs. In a crate's own unit tests the macro does nothing,
/// since no other crate links them. A function with `#[inline]` is compiled again in every crate that calls it, whether
/// it is named here or not.
///
/// The function has the form `fn NAME<E: Pairing>()`. It is never called: it names the functions to be compiled.
#[macro_export]
macro_rules! compile_for_each_curve {
    ($function:ident) => {
        $crate::for_each_curve! { compile_for_each_curve $function }
    };
    (curves { $($id:ident [$pairing:ty] $($about:literal)+;)+ } fixtures $fixtures:tt $function:ident) => {$(
        // A static is compiled whether it is used or not, an unused constant is only checked. No program keeps it.
        #[cfg(not(test))]
        const _: () = {
            #[allow(dead_code, reason = "it is there for the compiler")]
            static INSTANCE: fn() = $function::<$pairing>;
        };
        #[cfg(test)]
        const _: fn() = $function::<$pairing>;
    )+};
}
