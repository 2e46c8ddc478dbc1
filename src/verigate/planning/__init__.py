"""From task, plan file, rules and registry to the capabilities that must run."""
