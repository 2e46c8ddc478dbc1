"""What an agent's tool call is refused for: going past the hooks, and editing what judges the work.

A refusal says the honest way. It stops what is written openly and no more; what lands is verified again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from verigate.integrations.agents.shell_calls import ShellCall, list_calls

HONEST = (
    "Let the hooks run. If they refuse the commit, fix what they name, or tell the person what they refuse and why: "
    "they decide whether it goes past them."
)
HONEST_EDIT = (
    "Leave the file as it is. If it has to change, show the person the change and the reason: they review it and "
    "commit it by itself."
)

_NO_VERIFY = "--no-verify"
_HOOKED = frozenset({"commit", "push", "merge", "am", "rebase", "pull", "cherry-pick", "revert"})
_SHORT_WITH_VALUE = "mFCctSu"
_VALUES = frozenset(
    {
        *(
            "-m",
            "-F",
            "-C",
            "-c",
            "-t",
            "-o",
            "-s",
            "-X",
            "-x",
            "--message",
            "--file",
            "--author",
            "--date",
            "--template",
        ),
        *("--reuse-message", "--reedit-message", "--fixup", "--squash", "--cleanup", "--trailer", "--exec", "--onto"),
        *("--pathspec-from-file", "--push-option", "--repo", "--receive-pack", "--strategy", "--into-name"),
    }
)
_GIT_VALUES = frozenset({"-C", "--git-dir", "--work-tree", "--namespace", "--exec-path", "--super-prefix"})
_HOOKS_PATH = "core.hookspath"
_OFF = {"HUSKY": {"0"}, "HUSKY_SKIP_HOOKS": {"1", "true"}, "LEFTHOOK": {"0", "false"}}
_SKIPS = frozenset({"SKIP", "PREK_SKIP", "LEFTHOOK_EXCLUDE"})
_WRITERS = frozenset({"rm", "mv", "cp", "tee", "truncate", "chmod", "ln", "install", "sed", "perl", "dd", "patch"})
_GIT_WRITERS = frozenset({"rm", "mv"})


def find_refusal(command: str | None, paths: Sequence[str], is_guarded: Callable[[str], bool]) -> str | None:
    """Return why a tool call is refused, and the honest way; None if it isn't.

    ``command`` is the shell text that would run, ``paths`` are the files that would be written. ``is_guarded`` answers
    whether a path, as written, is one of the judges' own files or a hook.
    """
    for path in paths:
        if is_guarded(path):
            return f"{path} is part of what judges the work. {HONEST_EDIT}"
    for call in list_calls(command) if command else ():
        why = _find_bypass(call)
        if why is not None:
            return f"{why}. {HONEST}"
        written = next(filter(is_guarded, _list_written(call)), None)
        if written is not None:
            return f"{written} is part of what judges the work. {HONEST_EDIT}"
    return None


def _find_bypass(call: ShellCall) -> str | None:
    for assignment in call.assignments:
        name, _, value = assignment.partition("=")
        if name in _OFF and value.lower() in _OFF[name]:
            return f"{assignment} switches the hooks off"
        if name in _SKIPS and "verigate" in value:
            return f"{assignment} leaves the gate out of the hooks"
        if name.startswith("GIT_CONFIG") and _HOOKS_PATH in value.lower():
            return f"{name} turns core.hooksPath away from the hooks"
    if call.program == "git":
        return _find_git_bypass(call.words[1:])
    if call.program == "gate" and call.words[1:2] == ("uninstall",):
        return "gate uninstall takes the gate out of the hooks"
    return None


def _find_git_bypass(words: Sequence[str]) -> str | None:
    rest = list(words)
    while rest and rest[0].startswith("-"):
        option, value = rest.pop(0), ""
        if option in {"-c", "--config-env"} and rest:
            value = rest.pop(0)
        elif option.startswith("--config-env="):
            value = option.partition("=")[2]
        elif option in _GIT_VALUES and rest:
            rest.pop(0)
        if value.lower().startswith(_HOOKS_PATH):
            return f"git {option} {value} turns core.hooksPath away from the hooks"
    command, options = (rest[0], rest[1:]) if rest else ("", [])
    if command == "config":
        return _find_config_bypass(options)
    if command in _HOOKED:
        found = next((option for option in _list_options(options) if _skips_hooks(command, option)), None)
        return None if found is None else f"git {command} {found} goes past the hooks"
    return None


def _find_config_bypass(words: Sequence[str]) -> str | None:
    names = [index for index, word in enumerate(words) if word.lower() == _HOOKS_PATH]
    asks = any(word in {"--get", "--get-all", "--get-regexp", "--show-origin", "get", "list", "-l"} for word in words)
    changes = any(word.startswith(("--unset", "--remove", "--replace", "--add", "unset", "set")) for word in words)
    if names and not asks and (changes or names[0] + 1 < len(words)):
        return "git config core.hooksPath turns git away from the hooks"
    return None


def _list_options(words: Sequence[str]) -> Iterator[str]:
    """List the options of a command, without their values."""
    rest = iter(words)
    for word in rest:
        if word == "--":
            return
        if word in _VALUES:
            next(rest, None)
        if word.startswith("-"):
            yield word


def _skips_hooks(command: str, option: str) -> bool:
    if option.startswith("--"):
        # git takes a beginning that only one option has.
        return len(option) >= len("--no-ve") and _NO_VERIFY.startswith(option)
    if command != "commit":
        return False
    for letter in option[1:]:
        if letter == "n":
            return True
        if letter in _SHORT_WITH_VALUE:
            return False
    return False


def _list_written(call: ShellCall) -> Iterator[str]:
    """List the paths that a call seems to write: what it redirects to, and the words of programs that write files."""
    yield from call.written
    words = call.words
    if call.program in {"sed", "perl"} and not any(word.startswith("-") and "i" in word for word in words[1:3]):
        return
    if call.program in _WRITERS or (call.program == "git" and words[1:2] and words[1] in _GIT_WRITERS):
        yield from (word.removeprefix("of=") for word in words[1:] if not word.startswith("-"))
