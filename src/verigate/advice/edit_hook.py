"""Answer ``gate hook HOST edit``: one line if the edit weakens a check or touches a policy file.

Agents edit often, so that this loads next to nothing: no regular expressions, no click, no parser. Where anything goes
wrong there is no advice: the end of the turn is verified in any case.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from verigate.advice.changed_lines import Weakening

    _Note = tuple[str, Weakening]

_EDIT = 2
_MOST_INPUT = 32 << 20
_MOST_FILES = 5
_SHOWN = 200
_JUDGES = (
    "this is a policy file, and a change of it is refuted (gate.judges). Unless you were asked for it, put it back."
)


def run(arguments: Sequence[str]) -> int | None:
    """Answer the hook; return the exit code, None for what isn't an edit of a host that has such a hook."""
    if len(arguments) != _EDIT or arguments[1] != "edit":
        return None
    from verigate.advice.host_calls import HOSTS

    if arguments[0] not in HOSTS:
        return None
    host = HOSTS[arguments[0]]
    from verigate.advice.json_reader import load_json

    _, encode = load_json()
    try:
        text = _advise(arguments[0], _read_input(), os.environ)
    except (OSError, ValueError, RecursionError):
        text = ""
    sys.stdout.write(host.render(text, encode) if text else host.quiet)
    return 0


def _advise(name: str, sent: str, environ: Mapping[str, str]) -> str:
    """Return the lines for the agent, "" for none."""
    from verigate.advice.host_calls import HOSTS, MARKER
    from verigate.advice.json_reader import load_json
    from verigate.config.root import find_root_folder

    parse, _ = load_json()
    document = parse(sent)
    if not isinstance(document, dict):
        return ""
    call = HOSTS[name].read(document, environ, parse)
    folder = call.folder if call.folder and os.path.isdir(call.folder) else os.getcwd()  # noqa: PTH109, PTH112 - as below
    root = find_root_folder(folder)
    if name == "claude" and "cursor_version" in document and _holds(f"{root}/.cursor/hooks.json", MARKER):
        # Cursor runs claude's hooks too: its own ask as well, and twice is not better.
        return ""
    found: list[_Note] = []
    for path in dict.fromkeys(call.paths[:_MOST_FILES]):
        above, file = os.path.split(os.path.join(folder, path))  # noqa: PTH118 - a path of an agent, as written
        place = f"{os.path.realpath(above)}/{file}"
        inner = place.removeprefix(f"{root}/")
        if inner != place and file not in {"", ".", ".."} and not inner.startswith(".git/"):
            found += _look(root, place, inner, environ)
    if not found:
        return ""
    from verigate.advice.said import list_new

    session = f"{name}\n{call.session}\n{call.agent or ''}"
    new = list_new([f"{path}\t{weakening[1]}" for path, weakening in found], root, session, environ)
    by_path: dict[str, list[Weakening]] = {}
    for is_new, (path, weakening) in zip(new, found, strict=True):
        if is_new:
            by_path.setdefault(path, []).append(weakening)
    return "\n".join(_render(path, weakenings) for path, weakenings in by_path.items())


def _look(root: str, place: str, inner: str, environ: Mapping[str, str]) -> list[_Note]:
    """List what has to be said of a file."""
    from verigate.advice.versions import read_file, read_head
    from verigate.advice.weaker import find_weaker, may_weaken
    from verigate.domain.policy_names import is_policy_file

    judges = is_policy_file(
        inner,
        lambda path: os.path.lexists(f"{root}/{path}"),
        lambda path: os.path.islink(f"{root}/{path}"),  # noqa: PTH114 - as above
    )
    after = read_file(place)
    if not judges and ((after is None and os.path.lexists(place)) or not may_weaken(inner, after)):
        return []
    before = read_head(root, inner, environ)
    if judges:
        return [(inner, (None, _JUDGES))] if before is None or before != after else []
    # What is new can't be weaker than it was.
    if before is None or before == after:
        return []
    return [(inner, weakening) for weakening in find_weaker(inner, before, after or "")]


def _render(path: str, found: Sequence[Weakening]) -> str:
    number, text = found[0]
    if text == _JUDGES:
        return f"verigate: {_show(path)}: {_JUDGES}"
    place = f"{path}:{number}" if number is not None else path
    more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
    return (
        f"verigate: {_show(place)}: this may check less than at HEAD: {_show(text)}{more}. If it does, put it back and "
        "fix what it checks. If the check itself is wrong, tell the person which and why: it is for them to accept."
    )


def _show(text: str) -> str:
    if len(text) <= _SHOWN and text.isascii() and text.isprintable():
        return text
    from verigate.reporting.escape import escape

    return escape(text, limit=_SHOWN)


def _holds(place: str, marker: bytes) -> bool:
    from verigate.advice.versions import read_file

    return marker.decode() in (read_file(place) or "")


def _read_input() -> str:
    chunks, size = [], 0
    while size <= _MOST_INPUT and (chunk := os.read(0, 1 << 20)):
        chunks.append(chunk)
        size += len(chunk)
    if size > _MOST_INPUT:
        raise ValueError("too much input")
    # Hosts cut long texts, also in the middle of a character.
    return b"".join(chunks).decode("utf-8", "replace").removeprefix("\ufeff")
