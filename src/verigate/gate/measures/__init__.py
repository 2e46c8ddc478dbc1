"""Compare the facts of a statement with artifacts, one function per standard artifact. Imported on demand."""
