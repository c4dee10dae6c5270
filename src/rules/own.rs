//! How a game's own values pass the seam: wrapped, so that only that game looks inside.

/// Makes the wrapper of what a trait of the seam asks of a game's own values: cheap to clone, printed as the value
/// prints itself, and equal to another where both are of one type and equal.
macro_rules! own {
    ($(#[$doc:meta])* $own:ident of $data:ident) => {
        $(#[$doc])*
        #[derive(Clone)]
        pub struct $own {
            data: ::std::sync::Arc<dyn $data>,
            same: fn(&Self, &Self) -> bool,
        }

        impl $own {
            /// Wraps a game's own value.
            pub fn new<T: $data + PartialEq>(own: T) -> Self {
                let same = |one: &Self, other: &Self| one.of::<T>() == other.of::<T>();
                Self { data: ::std::sync::Arc::new(own), same }
            }

            /// The game's own value, if it is of that type.
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
