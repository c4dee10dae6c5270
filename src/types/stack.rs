//! A stack that shares what lies below with its copies.
//!
//! A copy costs as much as a pointer, however many items lie on the stack, and so do a push and a pop: what
//! was pushed before belongs to all copies. A match's history is one, so that a table can be kept as it was at
//! many moments without being kept many times.

use std::fmt;
use std::sync::Arc;

/// A stack whose copies share their items.
pub struct Stack<T>(Option<Arc<Link<T>>>);

/// The topmost item and what lies below it.
struct Link<T> {
    item: T,
    below: Stack<T>,
    /// How many items there are, this one included.
    count: usize,
}

impl<T> Stack<T> {
    /// Nothing.
    pub const EMPTY: Self = Self(None);

    /// Puts an item on top.
    pub fn push(&mut self, item: T) {
        let count = self.len() + 1;
        let below = Self(self.0.take());
        self.0 = Some(Arc::new(Link { item, below, count }));
    }

    /// The topmost item.
    pub fn top(&self) -> Option<&T> {
        self.0.as_deref().map(|link| &link.item)
    }

    /// All below the topmost item.
    #[must_use]
    pub fn below(&self) -> Self {
        self.0.as_deref().map_or(Self::EMPTY, |link| link.below.clone())
    }

    /// How many items there are.
    pub fn len(&self) -> usize {
        self.0.as_deref().map_or(0, |link| link.count)
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// The items from the top down.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        let mut next = self.0.as_deref();
        std::iter::from_fn(move || {
            let link = next?;
            next = link.below.0.as_deref();
            Some(&link.item)
        })
    }

    /// The items from the bottom up: the first that was pushed comes first.
    pub fn oldest_first(&self) -> std::iter::Rev<std::vec::IntoIter<&T>> {
        let items: Vec<&T> = self.iter().collect();
        items.into_iter().rev()
    }
}

impl<T> Clone for Stack<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T> Default for Stack<T> {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl<T> Drop for Stack<T> {
    /// One item after the other: a long stack is not let go by a call within a call for each item.
    fn drop(&mut self) {
        let mut next = self.0.take();
        while let Some(link) = next.and_then(Arc::into_inner) {
            let Link { item, mut below, .. } = link;
            drop(item);
            next = below.0.take();
        }
    }
}

impl<T: PartialEq> PartialEq for Stack<T> {
    fn eq(&self, other: &Self) -> bool {
        let same = |(mine, theirs): (&Arc<Link<T>>, &Arc<Link<T>>)| Arc::ptr_eq(mine, theirs);
        let shared = self.0.as_ref().zip(other.0.as_ref()).is_some_and(same);
        shared || (self.len() == other.len() && self.iter().eq(other.iter()))
    }
}

impl<T: Eq> Eq for Stack<T> {}

impl<T: fmt::Debug> fmt::Debug for Stack<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.oldest_first()).finish()
    }
}

impl<T> FromIterator<T> for Stack<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let mut stack = Self::EMPTY;
        items.into_iter().for_each(|item| stack.push(item));
        stack
    }
}

#[cfg(test)]
mod tests {
    use super::Stack;

    #[test]
    fn a_copy_goes_its_own_way_and_shares_what_lies_below() {
        let mut stack: Stack<u32> = [1, 2].into_iter().collect();
        let copy = stack.clone();
        stack.push(3);
        assert_eq!((stack.len(), copy.len()), (3, 2));
        assert_eq!(stack.below(), copy);
        assert_eq!(stack.oldest_first().copied().collect::<Vec<_>>(), [1, 2, 3]);
        assert_eq!(stack.top(), Some(&3));
        assert_eq!(format!("{copy:?}"), "[1, 2]");
        assert!(Stack::<u32>::EMPTY.below().is_empty());
    }

    #[test]
    fn a_very_long_stack_can_be_let_go() {
        let long: Stack<u32> = (0..1_000_000).collect();
        let other = long.clone();
        drop(long);
        assert_eq!(other.len(), 1_000_000);
    }
}
