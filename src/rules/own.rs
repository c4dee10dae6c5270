//! Wrapper types for values that only one kind of game understands.

/// Defines a type that wraps data of one kind of game, behind a trait object. The wrapper is cheap to clone and prints
/// like its data. Two wrappers are equal if their data has the same type and is equal.
macro_rules! own {
    ($(#[$doc:meta])* $own:ident of $data:ident) => {
        $(#[$doc])*
        #[derive(Clone)]
        pub struct $own {
            data: ::std::sync::Arc<dyn $data>,
            same: fn(&Self, &Self) -> bool,
        }

        impl $own {
            /// Wraps a value of one game.
            pub fn new<T: $data + PartialEq>(own: T) -> Self {
                let same = |one: &Self, other: &Self| one.of::<T>() == other.of::<T>();
                Self { data: ::std::sync::Arc::new(own), same }
            }

            /// The wrapped value; `None` if it has another type than `T`.
            pub fn of<T: $data>(&self) -> Option<&T> {
                let data: &dyn ::std::any::Any = &*self.data;
                data.downcast_ref()
            }
        }

        impl ::std::ops::Deref for $own {
            type Target = dyn $data;
            fn deref(&self) -> &Self::Target {
                &*self.data
            }
        }

        impl ::std::fmt::Debug for $own {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                self.data.fmt(f)
            }
        }

        impl PartialEq for $own {
            fn eq(&self, other: &Self) -> bool {
                (self.same)(self, other)
            }
        }
    };
}

pub(super) use own;
