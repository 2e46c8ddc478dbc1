"""How programs run: sandbox, environment, PATH, streams, time limits, and nothing left behind."""
