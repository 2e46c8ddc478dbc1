"""Many verifications: shards of a range, and jobs that run beside each other."""
