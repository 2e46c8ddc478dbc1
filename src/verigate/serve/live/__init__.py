"""What happens while pages are open: events, runs of the gate's own commands, and the look at task folders."""
