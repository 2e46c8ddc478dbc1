"""From words to a command: the tools on the search path, the capability that is meant, what it would do.

Apart from ``composition``, because a request in words needs neither pipeline nor evidence, and is answered at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from verigate import __version__
from verigate.config.builtin import builtin_folder
from verigate.config.root import root_above
from verigate.discovery.search_path import shelves
from verigate.discovery.tool_index import ToolIndex, tool_files, tool_index
from verigate.errors import Fault
from verigate.execution.direct_run import CommandPreview, build_preview
from verigate.requests.fitting import Fit
from verigate.requests.outcome import Selection
from verigate.requests.selection import route_request
from verigate.requests.tokenizer import read_stemmer_version, stem_text
from verigate.requests.working_folder import WorkingFolder
from verigate.user_folders import UserFolders


def index_tools(folder: str, environ: Mapping[str, str]) -> tuple[ToolIndex, tuple[str, ...]]:
    """The tools that can be asked for in ``folder``, and warnings. Raises ConfigError for an adapter that is broken."""
    root = root_above(folder)
    builtin = builtin_folder()
    files = tool_files(shelves(root, builtin, environ), f"{builtin}/adapters")
    kept = UserFolders(environ, root).cache("tools")
    return tool_index(files, _read, stem_text, f"{__version__} {read_stemmer_version()}", kept)


def _read(content: bytes, file: str) -> tuple[Any, tuple[Fault, ...]]:
    from verigate.config.tool_definition import read_tool

    return read_tool(content, file)


def select_capability(words: str, tools: ToolIndex, folder: str, using: str | None = None) -> Selection:
    """What the words mean in this folder. Nothing is run."""
    return route_request(words, tools, WorkingFolder(folder), using)


def preview_command(chosen: Fit, folder: str, *, is_trusted: bool) -> CommandPreview:
    """What would be run. Raises SlotsError.

    What a repository's own adapter does needs a yes like what is destructive: it came with the repository, and says
    itself whether it is.
    """
    capability = chosen.capability if is_trusted else chosen.capability._replace(destructive=True)
    return build_preview(capability, chosen.given, folder)
