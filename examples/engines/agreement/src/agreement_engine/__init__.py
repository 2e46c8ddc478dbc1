"""An engine that asks a program twice."""
