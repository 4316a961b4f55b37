//! The list of curves, one row each. Ids, names, boards and types in other crates are generated from it.

/// Calls a macro with the list of curves, and with the tokens that follow the macro's name.
///
/// The macro is called as `callback! { curves { ROW… } fixtures { ROW… } TOKENS }`, where a row is
/// `Id [pairing type] "name" "other name" "what it is";`. The name is that of snarkjs and circom. A fixture is a curve
/// without security for tests: no command and no file format accepts it, and no board is built for it.
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
/// Generic functions are compiled in the crates that use them. If a dependency has already compiled an instance, a crate uses
/// that one instead of compiling its own: in test builds for every function, in optimised builds for functions with
/// `#[inline(never)]`. So the long functions that other crates call are named in calls of this macro and have that attribute.
/// Each is then in a program once, and is compiled once for all tests and programs. In a crate's own unit tests the macro does
/// nothing, since no other crate links them. A function with `#[inline]` is compiled again in every crate that calls it, whether
/// it is named in such a call or not.
///
/// The function has the form `fn NAME<E: Pairing>()`. It is never called; its body names the functions to be compiled.
#[macro_export]
macro_rules! compile_for_each_curve {
    ($function:ident) => {
        $crate::for_each_curve! { compile_for_each_curve $function }
    };
    (curves { $($id:ident [$pairing:ty] $($about:literal)+;)+ } fixtures $fixtures:tt $function:ident) => {$(
        // A static is compiled even if it is not used; an unused constant is only checked. The linker drops the static.
        #[cfg(not(test))]
        const _: () = {
            #[allow(dead_code, reason = "it is there for the compiler")]
            static INSTANCE: fn() = $function::<$pairing>;
        };
        #[cfg(test)]
        const _: fn() = $function::<$pairing>;
    )+};
}
