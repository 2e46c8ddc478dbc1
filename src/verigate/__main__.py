"""``python -m verigate`` is ``gate``."""

from verigate.cli import main

main()
