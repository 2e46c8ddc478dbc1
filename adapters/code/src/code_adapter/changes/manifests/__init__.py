"""Read what manifests, lock files, workflows and hook configurations pin: one module per ecosystem."""
