"""Installing the gate in other tools: git hooks and, later, other hosts."""
