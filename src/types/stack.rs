//! A persistent stack: a copy shares its items with the original.
//!
//! Copying, pushing and popping cost as much as copying a pointer, however many items the stack holds,
//! because all copies share the items that were pushed before. The history of a match is such a stack, so a
//! program can keep the table of many moments without storing the whole history for each.

use std::fmt;
use std::sync::Arc;

/// A stack whose copies share their items in memory.
pub struct Stack<T>(Option<Arc<Link<T>>>);

/// The topmost item and the stack below it.
struct Link<T> {
    item: T,
    below: Stack<T>,
    /// The number of items, including this one.
    count: usize,
}

impl<T> Stack<T> {
    /// The empty stack.
    pub const EMPTY: Self = Self(None);

    /// Pushes an item on top of the stack.
    pub fn push(&mut self, item: T) {
        let count = self.len() + 1;
        let below = Self(self.0.take());
        self.0 = Some(Arc::new(Link { item, below, count }));
    }

    /// The topmost item; `None` if the stack is empty.
    pub fn top(&self) -> Option<&T> {
        self.0.as_deref().map(|link| &link.item)
    }

    /// The stack without its topmost item; the empty stack if there is no item.
    #[must_use]
    pub fn below(&self) -> Self {
        self.0.as_deref().map_or(Self::EMPTY, |link| link.below.clone())
    }

    /// The number of items on the stack.
    pub fn len(&self) -> usize {
        self.0.as_deref().map_or(0, |link| link.count)
    }

    /// Whether the stack is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// Iterates over the items, the newest first.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        let mut next = self.0.as_deref();
        std::iter::from_fn(move || {
            let link = next?;
            next = link.below.0.as_deref();
            Some(&link.item)
        })
    }

    /// Iterates over the items, the oldest first.
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
    /// Drops the items in a loop: dropping them recursively would overflow the call stack for a long stack.
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
