"""Make the file of a new tool adapter in TOML: grep, for markers that a merge left behind."""

from __future__ import annotations

from verigate.errors import UsageError

LANGUAGE = "toml"
_TEMPLATE = """\
# A command-line tool as an adapter, without code: see docs/tool-adapters.md.
# For editors: write "#:schema PATH" into the first line, PATH a file that "gate schema adapter" printed.

[adapter]
name = "@NAME@"
aliases = ["@NAME@"]
version = "0.1.0"
description = "Conflict markers that a merge left behind"
install = "apt-get install grep"

[[domains]]
name = "text"
description = "Texts"
extensions = [".txt", ".md"]

[[capabilities]]
domain = "text"
name = "@ACTION@"
triggers = ["@ACTION@", "look for markers"]
description = "Find lines that begin with a conflict marker"
destructive = false
command = { base = "grep", args = ["--line-number", "--with-filename"], positional_order = ["pattern", "source"], end_of_options = "--" }

# The exit codes of grep: 1 is "nothing found".
[capabilities.report]
format = "lines"
clean = [1]
found = [0]

[capabilities.slots]
pattern = { category = "CONSTRAINT", type = "string", required = false, default = "^<<<<<<<", render = "positional", desc = "The regular expression of a marker" }
source = { category = "TARGET", type = "filepath", required = true, cardinality = "many", expansion = "inline", effect = "reads", render = "positional", desc = "Texts to look at" }
ignore_case = { category = "ARGUMENT", type = "boolean", required = false, default = false, keywords = ["ignoring case"], render = "flag", flag = "--ignore-case", desc = "Upper and lower case are the same" }
"""  # noqa: E501 - a slot is one line


def plan_toml_tool(name: str, capability: str | None) -> str:
    """Return the text of ``<name>.toml``. Raises UsageError for a capability without the adapter's name."""
    domain, _, action = (capability or f"{name}:check").partition(":")
    if domain != name or not action:
        hint = f"{name}:{action or 'check'}"
        raise UsageError("a tool's capabilities begin with its alias", where="--capability", hint=hint)
    return _TEMPLATE.replace("@NAME@", name).replace("@ACTION@", action)
