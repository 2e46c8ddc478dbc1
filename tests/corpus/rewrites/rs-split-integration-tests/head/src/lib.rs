//! Multisets and counters.

use std::collections::BTreeMap;

#[derive(Debug, Default, Clone, PartialEq)]
pub struct Bag {
    counts: BTreeMap<String, usize>,
}

impl Bag {
    pub fn add(&mut self, item: &str) {
        *self.counts.entry(item.to_string()).or_default() += 1;
    }

    pub fn count(&self, item: &str) -> usize {
        self.counts.get(item).copied().unwrap_or(0)
    }

    pub fn len(&self) -> usize {
        self.counts.values().sum()
    }

    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    pub fn most_common(&self) -> Option<&str> {
        self.counts.iter().rev().max_by_key(|(_, count)| **count).map(|(item, _)| item.as_str())
    }
}

impl<'a> FromIterator<&'a str> for Bag {
    fn from_iter<I: IntoIterator<Item = &'a str>>(items: I) -> Self {
        let mut bag = Bag::default();
        for item in items {
            bag.add(item);
        }
        bag
    }
}
