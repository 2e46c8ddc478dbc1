/// A buffer of a fixed size.
pub struct Ring {
    slots: Vec<u8>,
}

impl Ring {
    /// Panics for a size of zero.
    pub fn new(size: usize) -> Ring {
        let mut slots = vec![0; size];
        slots[0] = 1;
        Ring { slots }
    }

    pub fn len(&self) -> usize {
        self.slots.len()
    }
}
