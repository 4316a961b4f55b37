//! The macro that reads the table of operators in [`crate::ops`].
//!
//! It generates the operator traits, the slots and the fields of a board, the methods of a session, the provider
//! [`OrHost`](crate::OrHost), which runs calls on the host that a machine has no memory for, and
//! [`Operator`](crate::Operator). The conformance suite matches on the latter without a wildcard, so a new row does not
//! compile before every implementation and its conformance case exist.

/// Expands the table; the syntax is that of [`crate::ops`].
macro_rules! operators {
    (
        slots {$(
            $(#[$slot_doc:meta])*
            $Slot:ident $slot:ident $with:ident: $provider:ty;
        )+}
        $(
            $(#[$trait_doc:meta])*
            trait $Trait:ident<$P:ident: $Bound:ident> {$(
                $(#[$doc:meta])*
                fn $method:ident $args:tt -> $ret:ty, size $size:expr,
                    as $($Op:ident $name:literal on $at:ident $(=> $session:ident)?),+ $({ $($body:tt)+ })?;
            )+}
        )+
    ) => {
        $(
            $(#[$trait_doc])*
            pub trait $Trait<$P: $Bound>: Send + Sync {$(
                operator! { [$(#[$doc])*] $method $args [$ret] $({ $($body)+ })? }
            )+}
        )+

        $(
            impl<$P: $Bound, D: $Trait<$P>, H: $Trait<$P> + ?Sized> $Trait<$P> for OrHost<D, H> {$(
                or_host! { $method $args $ret }
            )+}
        )+

        /// A slot of a board.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Slot {$(
            $(#[$slot_doc])*
            $Slot,
        )+}

        impl Slot {
            /// Every slot, in the order of the board.
            pub const ALL: &'static [Self] = &[$(Self::$Slot),+];

            /// The name of the slot on the command line.
            pub const fn name(self) -> &'static str {
                match self {$(Self::$Slot => stringify!($slot)),+}
            }
        }

        /// An operator of a board, as sessions record it. An operator that exists in both groups has two variants.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Operator {$($($(
            #[doc = concat!("[`", stringify!($Trait), "::", stringify!($method), "`] in the slot `", stringify!($at), "`.")]
            $Op,
        )+)+)+}

        impl Operator {
            /// Every operator, in the order of the table.
            pub const ALL: &'static [Self] = &[$($($(Self::$Op),+),+),+];

            /// The name of the operator in reports.
            pub const fn name(self) -> &'static str {
                match self {$($($(Self::$Op => $name),+),+),+}
            }
        }

        /// A board: the machine as protocols see it, with a provider in every slot.
        ///
        /// A board is a value: `cpu::board::<E>().with_g1(other)` mixes machines without a new type.
        #[derive(Clone)]
        pub struct Device<E: Pairing> {
            /// Name in reports and on the command line.
            pub name: &'static str,
            $(
                $(#[$slot_doc])*
                pub $slot: Arc<$provider>,
            )+
            /// Logs of the machines with memories of their own.
            pub logs: Vec<MachineLog>,
        }

        impl<E: Pairing> Device<E> {
            $(
                #[doc = concat!("The board with another provider in the slot `", stringify!($slot), "`.")]
                #[must_use]
                pub fn $with(mut self, provider: Arc<$provider>) -> Self {
                    self.$slot = provider;
                    self
                }
            )+

            /// Replaces the provider of a slot by that of another board.
            #[must_use]
            pub fn with_slot_of(mut self, slot: Slot, other: &Self) -> Self {
                match slot {$(Slot::$Slot => self.$slot = Arc::clone(&other.$slot)),+}
                other.logs.iter().cloned().fold(self, Self::with_log)
            }
        }

        /// The reference board for the groups of a pairing.
        pub(crate) fn reference_board<E: Pairing>() -> Device<E> {
            let provider = Arc::new(reference::Reference);
            Device { name: reference::NAME, $($slot: provider.clone(),)+ logs: Vec::new() }
        }

        $($(session_methods! {
            { [$(#[$doc])*] $method $args [$ret] [$size] } $({ $Op $at $($session)? })+
        })+)+
    };
}

/// The method of an operator's trait for a row, with the default implementation if the row has one.
macro_rules! operator {
    ([$($doc:tt)*] $method:ident $args:tt [$ret:ty]) => {
        $($doc)*
        fn $method $args -> Done<$ret>;
    };
    ([$($doc:tt)*] $method:ident $args:tt [$ret:ty] $body:block) => {
        $($doc)*
        fn $method $args -> Done<$ret> $body
    };
}

/// The method of [`OrHost`](crate::OrHost) for a row.
macro_rules! or_host {
    ($method:ident (&self $(, $arg:ident: $ty:ty)* $(,)?) $ret:ty) => {
        fn $method(&self $(, $arg: $ty)*) -> Done<$ret> {
            self.or(self.machine.$method($($arg),*), || self.host.$method($($arg),*))
        }
    };
}

/// The methods of [`Session`](crate::Session) for a row, one per slot. Rows that name no method have a hand-written one in
/// `session.rs`.
macro_rules! session_methods {
    ($row:tt) => {};
    ($row:tt { $Op:ident $at:ident } $($rest:tt)*) => { session_methods! { $row $($rest)* } };
    ($row:tt { $Op:ident $at:ident $session:ident } $($rest:tt)*) => {
        session_method! { $at $Op $session $row }
        session_methods! { $row $($rest)* }
    };
}

macro_rules! session_method {
    (g1 $($row:tt)*) => { session_method! { [C: Curve, E: Pairing<G1 = C>] g1 $($row)* } };
    (g2 $($row:tt)*) => { session_method! { [C: Curve, E: Pairing<G2 = C>] g2 $($row)* } };
    (points_g1 $($row:tt)*) => { session_method! { [C: Curve, E: Pairing<G1 = C>] points_g1 $($row)* } };
    (points_g2 $($row:tt)*) => { session_method! { [C: Curve, E: Pairing<G2 = C>] points_g2 $($row)* } };
    (pairing $($row:tt)*) => { session_method! { [E: Pairing] pairing $($row)* } };
    ($scalars:ident $($row:tt)*) => { session_method! { [F: PrimeField, E: Pairing<Fr = F>] $scalars $($row)* } };
    (
        [$($generics:tt)*] $at:ident $Op:ident $session:ident
        { [$(#[$doc:meta])*] $method:ident (&self $(, $arg:ident: $ty:ty)* $(,)?) [$ret:ty] [$size:expr] }
    ) => {
        impl<$($generics)*> Session<'_, E> {
            $(#[$doc])*
            pub fn $session(&mut self $(, $arg: $ty)*) -> Result<$ret, DeviceError> {
                self.run(Operator::$Op, $size, |device| device.$at.$method($($arg),*))
            }
        }
    };
}
