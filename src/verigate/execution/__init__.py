"""Run a plan: check the subject out, run capabilities in isolation, clean up after them."""
