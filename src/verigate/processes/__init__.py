"""Run programs: sandbox, environment, PATH, streams, time limits, and no process left behind."""
