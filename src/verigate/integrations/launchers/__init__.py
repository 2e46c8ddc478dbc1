"""The text of the hook launchers: portable sh, put together from the bodies beside this file.

Three parts: where the gate is, the hook that was there before (installed hooks only), what the hook asks of the gate.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence

HOOKS = ("pre-commit", "pre-push", "post-commit")
"""The git hooks that can be installed, githooks(5)."""

MARKER = "# verigate-hook v1"
"""Begins the second line of every installed hook; a digest of what follows that line stands behind it."""

_ADVISORY = "# Advisory: this reports and never blocks."

_MARKER_LINE = re.compile(rb"#!/bin/sh\n# verigate-hook v\d+ ([a-z-]+) sha256:([0-9a-f]{64})\n")


def kept_name(hook: str) -> str:
    """The file name under which a hook that was there before is kept."""
    return f"{hook}.before-verigate"


def installed_hook(
    hook: str, launcher: Sequence[str], interpreter: Sequence[str] = (), *, advisory: bool = False
) -> str:
    """The text of an installed ``hook``.

    ``launcher`` is the argument vector that starts the gate, its first word an absolute path. ``interpreter`` runs the
    hook that was there before; without one it is executed if it is executable, as git does. An ``advisory`` hook
    reports and never blocks. Text with surrogateescape.
    """
    words = " ".join(quote(word) for word in launcher)
    program = quote(launcher[0])
    remedy = "Install verigate again, or remove this hook with: gate uninstall"
    rest = "".join(
        (
            "# Written by `gate install`. `gate uninstall` takes it away and puts back what was here before.\n",
            # Hook runners start hooks with `sh -e`; every exit code is looked at here.
            "set +e -u\n\n",
            f'run_gate() {{\n    if [ -x {program} ]; then\n        {words} "$@"\n        return\n    fi\n',
            _fallback(program, remedy),
            "\n",
            _chain(hook, interpreter),
            "\n",
            _advises(hook) if advisory else _asks(hook),
        )
    )
    digest = hashlib.sha256(rest.encode("utf-8", "surrogateescape")).hexdigest()
    return f"#!/bin/sh\n{MARKER} {hook} sha256:{digest}\n{rest}"


def checkout_hook(hook: str) -> str:
    """The text of ``hooks/<hook>`` of a checkout: it calls the checkout's own ``bin/gate``, else ``gate`` on PATH."""
    remedy = "Install verigate, or put bin/gate back."
    return "".join(
        (
            "#!/bin/sh\n# Generated from src/verigate/integrations/launchers, which a test holds equal.\n",
            "set +e -u\n\n",
            # The hook may be a link in .git/hooks.
            'self=$(readlink -f -- "$0" 2>/dev/null) || self=$0\n',
            "case $self in */*) folder=${self%/*} ;; *) folder=. ;; esac\n\n",
            'run_gate() {\n    if [ -x "$folder/../bin/gate" ]; then\n        "$folder/../bin/gate" "$@"\n',
            "        return\n    fi\n",
            _fallback('"$folder/../bin/gate"', remedy),
            "\n",
            "input=$(cat)\n\n" if hook == "pre-push" else "",
            _asks(hook),
            'verify_task "$@"\n' if hook == "post-hook" else "",
        )
    )


def hook_of(content: bytes) -> str | None:
    """Which hook this installed launcher is, None if it is somebody else's file."""
    found = _MARKER_LINE.match(content)
    return found[1].decode() if found else None


def is_advisory(content: bytes) -> bool:
    """Whether an installed launcher reports and never blocks."""
    return hook_of(content) is not None and f"\n{_ADVISORY}\n".encode() in content


def is_edited(content: bytes) -> bool:
    """Whether an installed launcher was changed by hand since."""
    found = _MARKER_LINE.match(content)
    return found is not None and hashlib.sha256(content[found.end() :]).hexdigest() != found[2].decode()


def quote(word: str) -> str:
    """``word`` as one word of sh, whatever is in it. A NUL can't be in it: no path has one."""
    return "'" + word.replace("'", "'\\''") + "'"


def _fallback(place: str, remedy: str) -> str:
    return f"""\
    gate=$(command -v gate 2>/dev/null)
    case $gate in
    /*) "$gate" "$@" ;;
    *)
        printf 'verigate: there is no gate at %s and none on PATH, so nothing can be verified.\\n' {place} >&2
        echo 'verigate: {remedy}' >&2
        return 3
        ;;
    esac
}}
"""


def _asks(hook: str) -> str:
    text = _body(hook)
    return _body("post-hook") + "\n" + text if hook == "post-commit" else text


def _advises(hook: str) -> str:
    asks = _asks(hook).replace("run_gate verify", "run_gate verify --advisory")
    told = "echo 'verigate: advisory: not verified, and nothing is blocked' >&2"
    return f"{_ADVISORY}\n(\n{asks}) || {told}\nexit 0\n"


def _body(name: str) -> str:
    from importlib.resources import files

    return (files(__name__) / f"{name}.sh").read_text("utf-8")


def _chain(hook: str, interpreter: Sequence[str]) -> str:
    runner = "".join(f"{quote(word)} " for word in interpreter)
    test = '[ -f "$before" ]' if interpreter else '[ -f "$before" ] && [ -x "$before" ]'
    lines = [
        "# The hook that was here before runs first, with the same arguments and input; its failure is final.",
        "case $0 in */*) folder=${0%/*} ;; *) folder=. ;; esac",
        f"before=$folder/{kept_name(hook)}",
    ]
    if hook == "pre-push":
        # The shell drops newlines at the end of $(...); the x keeps them.
        lines += [
            "input=$(cat && printf x)",
            "input=${input%x}",
            f"if {test}; then",
            f"""    printf '%s' "$input" 2>/dev/null | {runner}"$before" "$@" || exit""",
        ]
    else:
        lines += [f"if {test}; then", f'    {runner}"$before" "$@" || exit']
    return "\n".join([*lines, "fi", ""])
