"""Run a tool's command for a person, in their own tree: preview its effects, and require a yes if it is destructive.

Source: the first source document, "Destructive operations".
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from verigate.errors import ExecutionError, Fault, UsageError
from verigate.execution.protected_paths import MAX_AFFECTED, find_protected, list_contents
from verigate.execution.written_paths import check_accepted, list_written_paths
from verigate.tools.effects import AffectedPath, find_folder_flag, list_affected_paths
from verigate.tools.matching import is_pattern
from verigate.tools.model import Category, Effect, Slot, SlotType, ToolCapability
from verigate.tools.render import Argv, render_commands
from verigate.tools.slots import Filled, SlotsError, fill_slots
from verigate.tools.values import unguard_path


class FileEffect(NamedTuple):
    """A file or folder that a command would touch: what to, and whether it is there now."""

    path: str
    effect: Effect
    exists: bool
    is_folder: bool

    @property
    def overwritten(self) -> bool:
        """Whether a file that is there would be written over."""
        return self.effect is Effect.WRITES and self.exists and not self.is_folder


class CommandPreview(NamedTuple):
    """What would be run in ``folder``, and its effects; ``install`` is what installs the program."""

    capability: ToolCapability
    filled: Filled
    lines: tuple[Argv, ...]
    effects: tuple[FileEffect, ...]
    folder: str
    install: str = ""


def build_preview(
    capability: ToolCapability,
    given: Mapping[str, Any],
    folder: str | os.PathLike[str],
    environ: Mapping[str, str] | None = None,
) -> CommandPreview:
    """Expand patterns against ``folder``, fill the slots, render the command lines, and list their effects.

    Nothing is written, and nothing is run but what lists the paths that a command would write (``command.writes``).
    Raises SlotsError for values that don't fit the slots, and for what no request may remove or change.
    """
    folder = os.fspath(folder)
    environ = os.environ if environ is None else environ
    wanted = _expand_patterns(capability, given, folder)
    _refuse_folders(capability, given, wanted, folder)
    filled = fill_slots(capability, wanted)
    lines = render_commands(capability, filled)
    destinations = (slot for slot in capability.slots_of(Category.DESTINATION) if slot.type is SlotType.FILEPATH)
    named = {str(value) for slot in destinations for value in filled.get(slot.name, ())}
    folders = frozenset(path for path in named if _is_folder(folder, path))
    affected = list_affected_paths(capability, filled, folders)
    if (protected := find_protected(capability, affected, folder, environ)) is not None:
        raise SlotsError([protected])
    check_accepted(capability, filled, folder, environ)
    effects = tuple(
        FileEffect(each.path, each.effect, _is_there(folder, each.path), _is_folder(folder, each.path))
        for each in _list_all(capability, filled, affected, folder, environ)
    )
    return CommandPreview(capability, filled, lines, effects, folder)


def _list_all(
    capability: ToolCapability,
    filled: Filled,
    affected: Sequence[AffectedPath],
    folder: str,
    environ: Mapping[str, str],
) -> tuple[AffectedPath, ...]:
    """List the affected paths with what is in folders that are removed, and what the tool says that it would write.

    Raises SlotsError for more than can be shown.
    """
    found: list[AffectedPath] = []
    for each in affected:
        found.append(each)
        removed = each.effect is Effect.REMOVES and capability.domain.match_any and find_folder_flag(capability)
        if removed and _is_folder(folder, each.path) and not _is_link(folder, each.path):
            whole = os.path.join(folder, each.path)  # noqa: PTH118 - as above
            found += (
                each._replace(path=os.path.join(each.path, name))  # noqa: PTH118 - as above
                for name in list_contents(whole, MAX_AFFECTED + 1)
            )
        if len(found) > MAX_AFFECTED:
            break
    found += list_written_paths(capability, filled, folder, environ)
    if capability.destructive and len(found) > MAX_AFFECTED:
        message = f"it would touch more than {MAX_AFFECTED} files, and all of them can't be shown"
        raise SlotsError([Fault(message, hint="name fewer at a time, or run the command yourself")])
    return tuple(dict.fromkeys(found))


def _is_link(folder: str, path: str) -> bool:
    return os.path.islink(os.path.join(folder, path))  # noqa: PTH114, PTH118 - as above


def _is_folder(folder: str, path: str) -> bool:
    return os.path.isdir(os.path.join(folder, path))  # noqa: PTH112, PTH118 - pathlib is slow to load


def _is_there(folder: str, path: str) -> bool:
    return os.path.lexists(os.path.join(folder, path))  # noqa: PTH118 - as above


def is_agreed(planned: CommandPreview, *, yes: bool, terminal: bool, ask: Callable[[CommandPreview], bool]) -> bool:
    """Whether a command may run: at once unless destructive, else by ``yes`` (``--yes``) or the answer of ``ask``.

    Raises UsageError for a destructive command without either: nobody is there to confirm it.
    """
    if not planned.capability.destructive or yes:
        return True
    if not terminal:
        raise UsageError(
            f"{planned.capability.name} is destructive, and there is no terminal to ask on",
            hint="preview it with --dry-run, then confirm with --yes",
        )
    return ask(planned)


def run_command(planned: CommandPreview, environ: Mapping[str, str]) -> int:
    """Run the command lines one after the other until one fails; return the exit code of the last.

    Where one fails, its result is removed if the tool's file says that it is then unfinished.
    stdin is closed; stdout and stderr are this process's. Raises ExecutionError for a missing program.
    """
    import shutil  # a dry run needs neither this nor what starts processes

    code = 0
    written = [each.path for each in planned.effects if each.effect is Effect.WRITES and not each.exists]
    for line in planned.lines:
        missing = [path for path in written if not _is_there(planned.folder, path)]
        program = shutil.which(line[0], path=environ.get("PATH", os.defpath))
        if program is None:
            how = f"install it: {planned.install}" if planned.install else "install it"
            raise ExecutionError(
                f"{line[0]} is not installed", hint=f"{how}; its command would be: {quote_command(line)}"
            )
        try:
            code = _wait(program, line, planned.folder, environ)
        except OSError as problem:
            raise ExecutionError(f"can't start {line[0]}: {problem.strerror}") from problem
        if code != 0:
            if planned.capability.command.removes_unfinished:
                _remove_unfinished(missing, planned.folder)
            return code
    return code


def _remove_unfinished(paths: Sequence[str], folder: str) -> None:
    """Remove the files among ``paths``, which weren't there before a command that failed."""
    for path in paths:
        whole = os.path.join(folder, path)  # noqa: PTH118 - as above
        if os.path.isfile(whole) and not os.path.islink(whole):  # noqa: PTH113, PTH114 - as above
            os.unlink(whole)  # noqa: PTH108 - as above


def _wait(program: str, line: Argv, folder: str, environ: Mapping[str, str]) -> int:
    import signal
    import subprocess

    with subprocess.Popen(
        line, executable=program, cwd=folder, env=dict(environ), stdin=subprocess.DEVNULL, start_new_session=True
    ) as process:
        try:
            code = process.wait()
        except BaseException:
            os.killpg(process.pid, signal.SIGTERM)
            process.wait()
            raise
    return code if code >= 0 else 128 - code


def quote_command(line: Sequence[str]) -> str:
    """Format a command line for people, quoted as a shell would need it. No shell ever runs it."""
    import shlex

    return shlex.join(line)


def _refuse_folders(
    capability: ToolCapability, given: Mapping[str, Any], wanted: Mapping[str, Any], folder: str
) -> None:
    """Refuse a pattern that matches folders, where the tool accepts them only with a flag that isn't given."""
    flag = find_folder_flag(capability)
    if flag is None or wanted.get(flag.name):
        return
    for slot in capability.slots_of(Category.TARGET):
        raw = wanted.get(slot.name)
        if slot.type is not SlotType.FILEPATH or raw is None or raw == given.get(slot.name):
            continue
        found = [str(path) for path in (raw if type(raw) in (list, tuple) else [raw]) if _is_folder(folder, str(path))]
        if found:
            hint = f"name the files, or add {flag.keywords[0]!r}: {flag.desc[:1].lower()}{flag.desc[1:]}"
            raise SlotsError([Fault(f"{found[0]} is a folder", pointer=f"/{slot.name}", hint=hint)])


def _expand_patterns(capability: ToolCapability, given: Mapping[str, Any], folder: str) -> dict[str, Any]:
    """Replace the patterns of targets in ``given`` by the files that match now, sorted."""
    wanted = dict(given)
    faults: list[Fault] = []
    for slot in capability.slots_of(Category.TARGET):
        raw = wanted.get(slot.name)
        is_given = raw is not None
        raw = raw if is_given else _find_patterns(slot)
        if slot.type is not SlotType.FILEPATH or raw is None:
            continue
        found: list[Any] = []
        for item in raw if type(raw) in (list, tuple) else [raw]:
            if not isinstance(item, str) or not is_pattern(item) or _is_there(folder, item):
                found.append(item)
                continue
            import glob

            paths = sorted(glob.glob(unguard_path(item), root_dir=folder, recursive=True))  # noqa: PTH207 - links, hidden
            if not paths and is_given:
                faults.append(Fault(f"no file matches {item!r}", pointer=f"/{slot.name}"))
            found += paths
        if not (is_given or found):
            faults.append(Fault(f"nothing is called {' or '.join(raw)}", pointer=f"/{slot.name}", hint="name one file"))
        several = slot.is_many or slot is capability.loop_slot or slot.cardinality != 1
        wanted[slot.name] = found if several or len(found) != 1 else found[0]
    if faults:
        raise SlotsError(faults)
    return wanted


def _find_patterns(slot: Slot) -> list[str] | None:
    """Return a default that has patterns, which match what exists; None for a literal one."""
    default = slot.default if isinstance(slot.default, list) else [slot.default]
    return default if any(isinstance(item, str) and is_pattern(item) for item in default) else None
