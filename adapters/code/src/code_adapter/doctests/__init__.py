"""Read which doctests a project's own calls of pytest run."""
