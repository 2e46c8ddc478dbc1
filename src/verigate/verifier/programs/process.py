"""``process``: any command that reads a prompt from stdin and prints an answer."""

from __future__ import annotations

from verigate.verifier.program import Program

_DOCUMENT = """\
# process

Use when: a program of your own, or a script around a local model, reads the prompt from stdin and prints the answer.
Don't use when: one of the other engines knows the program: it says more about what it can do.

Core fields: command (an argument vector, required), env_from (names of variables that it gets), arguments, settings,
timeout_s, silence_s. It declares no flags, so it is asked for nothing but the prompt: instruction and questions.
"""

PROGRAM = Program(type="process", label="Any command", configuration_doc=_DOCUMENT, version=())
