"""Many verifications: shards of a range, and jobs that run at the same time."""
