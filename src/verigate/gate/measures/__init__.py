"""What a fact of a statement is measured by: one function per standard artifact. Loaded only for a statement."""
