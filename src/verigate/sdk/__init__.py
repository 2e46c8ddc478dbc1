"""What a Python adapter author imports, and nothing else."""
