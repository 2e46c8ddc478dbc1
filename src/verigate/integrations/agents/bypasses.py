"""Calls that go past the hooks: their options, settings of git, switches of hook managers, taking them out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from verigate.integrations.agents.shell_calls import ShellCall

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
_OURS = re.compile(r"verigate|\bgate-(?:verify|trailer)\b")
_MANAGERS = frozenset({"pre-commit", "prek", "lefthook", "husky"})
_GATE_VALUES = frozenset({"-C"})
_INCLUDES = re.compile(r"include(?:if\..*)?\.path(?:=.*)?", re.IGNORECASE | re.DOTALL)


def find_bypass(call: ShellCall) -> str | None:
    """Return why a call goes past the hooks; None if it doesn't, as far as its words say."""
    switched = next(filter(None, map(_find_switch, call.assignments)), None)
    if switched is not None:
        return switched
    if call.program == "git":
        return _find_git_bypass(call.words[1:])
    if call.program == "gate":
        return _find_own_bypass(call.words[1:])
    if call.program in _MANAGERS and "uninstall" in call.words[1:]:
        return f"{call.program} uninstall takes the gate out of the hooks"
    return None


def _find_switch(assignment: str) -> str | None:
    name, _, value = assignment.partition("=")
    if name in _OFF and value.lower() in _OFF[name]:
        return f"{assignment} switches the hooks off"
    if name in _SKIPS and _OURS.search(value):
        return f"{assignment} leaves the gate out of the hooks"
    if name.startswith("GIT_CONFIG") and _HOOKS_PATH in value.lower():
        return f"{name} turns core.hooksPath away from the hooks"
    return None


def _find_own_bypass(words: Sequence[str]) -> str | None:
    rest = list(words)
    while rest and rest[0].startswith("-"):
        if rest.pop(0) in _GATE_VALUES and rest:
            rest.pop(0)
    if rest[:1] == ["uninstall"]:
        return "gate uninstall takes the gate out of the hooks"
    if rest[:1] == ["install"] and "--advisory" in rest:
        return "gate install --advisory lets the hooks report and no longer refuse"
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
        if _INCLUDES.fullmatch(value):
            return f"git {option} {value} reads settings that nobody sees here, core.hooksPath may be among them"
    command, options = (rest[0], rest[1:]) if rest else ("", [])
    if command == "config":
        return _find_config_bypass(options)
    if command == "update-ref" and any(option.startswith("refs/remotes/") for option in options):
        return "git update-ref writes what the remote is said to have, which a push is compared with"
    if command in _HOOKED:
        found = next((option for option in _list_options(options) if _skips_hooks(command, option)), None)
        return None if found is None else f"git {command} {found} goes past the hooks"
    return None


def _find_config_bypass(words: Sequence[str]) -> str | None:
    names = [index for index, word in enumerate(words) if word.lower() == _HOOKS_PATH or _INCLUDES.fullmatch(word)]
    asks = any(word in {"--get", "--get-all", "--get-regexp", "--show-origin", "get", "list", "-l"} for word in words)
    changes = any(word.startswith(("--unset", "--remove", "--replace", "--add", "unset", "set")) for word in words)
    if names and not asks and (changes or names[0] + 1 < len(words)):
        return f"git config {words[names[0]]} can turn git away from the hooks"
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
