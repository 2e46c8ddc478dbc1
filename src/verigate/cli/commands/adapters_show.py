"""``gate adapters show``: the triggers, parameters and example requests of a tool's capability."""

from __future__ import annotations

import os

import click

from verigate.cli.click_options import with_options
from verigate.cli.options import JSON
from verigate.cli.output import print_json, say, warn
from verigate.errors import UsageError


@click.command(name="show")
@click.argument("tool", metavar="TOOL[:ACTION]")
@with_options(JSON)
def command(tool: str, as_json: bool) -> int:
    """Show what `gate do` understands of a tool: triggers, parameters with their words, and example requests.

    TOOL is an alias. Without ACTION, show all that the tool can do.
    """
    from verigate.extras import find_lack
    from verigate.reporting.tool_capabilities import capability_document, render_capabilities
    from verigate.usecases import run_request

    if (lack := find_lack("do")) is not None:
        raise UsageError(lack.message, where="gate adapters show", hint=lack.command)
    alias, _, action = tool.partition(":")
    tools, warnings = run_request.index_tools(os.getcwd(), os.environ)  # noqa: PTH109 - as in gate do
    warn(warnings)
    numbers = tools.aliases.get(alias.lower())
    if numbers is None:
        from verigate.formats.near_names import suggest_name

        raise UsageError(f"no tool is called {alias!r}", hint=suggest_name(alias, tools.aliases) or "see gate adapters")
    known = [(tools.tool(n), each, tools.file(n)) for n in numbers for each in tools.tool(n).capabilities]
    found = [each for each in known if not action or each[1].name == action]
    if not found:
        from verigate.formats.near_names import suggest_name

        hint = suggest_name(action, {each.name for _, each, _ in known})
        raise UsageError(f"{alias} has no {action!r}", hint=hint)
    documents = [capability_document(owner, capability, file) for owner, capability, file in found]
    if as_json:
        print_json({"schema": "verigate:tool-capabilities.v1", "capabilities": documents})
    else:
        say(render_capabilities(documents))
    return 0
