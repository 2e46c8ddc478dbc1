"""The commands of ``gate``: one module each, imported only when the command is called."""
