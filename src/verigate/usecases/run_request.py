"""Turn a plain-English request into a command: index the tools, select a capability, preview its command.

Apart from ``composition``, because a request in words needs neither pipeline nor evidence, and is answered at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from verigate import __version__
from verigate.config.builtin import find_builtin_folder
from verigate.config.root import find_root_folder
from verigate.discovery.search_path import list_locations
from verigate.discovery.tool_index import ToolIndex, find_tool_files, load_tool_index
from verigate.errors import Fault
from verigate.execution.direct_run import CommandPreview, build_preview
from verigate.requests.fitting import Fit
from verigate.requests.outcome import Selection
from verigate.requests.selection import route_request
from verigate.requests.tokenizer import read_stemmer_version, stem_text
from verigate.requests.working_folder import WorkingFolder
from verigate.user_folders import UserFolders


def index_tools(folder: str, environ: Mapping[str, str]) -> tuple[ToolIndex, tuple[str, ...]]:
    """Index the tools that are available in ``folder``, with warnings, also for invalid ones."""
    root = find_root_folder(folder)
    builtin = find_builtin_folder()
    files = find_tool_files(list_locations(root, builtin, environ), f"{builtin}/adapters")
    kept = UserFolders(environ, root).cache("tools")
    return load_tool_index(files, _read_tool, stem_text, f"{__version__} {read_stemmer_version()}", kept)


def _read_tool(content: bytes, file: str) -> tuple[Any, tuple[Fault, ...]]:
    from verigate.config.tool_definition import read_tool

    return read_tool(content, file)


def select_capability(words: str, tools: ToolIndex, folder: str, using: str | None = None) -> Selection:
    """Select the capability that the words ask for in this folder. Nothing is run."""
    return route_request(words, tools, WorkingFolder(folder), using)


def preview_command(chosen: Fit, folder: str, *, is_trusted: bool) -> CommandPreview:
    """Preview what would be run. Raises SlotsError.

    What a repository's own adapter does needs a yes like what is destructive: it came with the repository, and says
    itself whether it is.
    """
    capability = chosen.capability if is_trusted else chosen.capability._replace(destructive=True)
    return build_preview(capability, chosen.given, folder)._replace(install=chosen.tool.install)
