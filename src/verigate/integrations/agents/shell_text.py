"""Fold what the shell folds before it splits words: continued lines, ``$'...'``, the names of the present folder."""

from __future__ import annotations

import re
import shlex

HERE = "$PWD"
"""What stands for the present folder in words."""

_ANSI = re.compile(r"\$'((?:[^'\\]|\\.)*)'", re.DOTALL)
_ESCAPE = re.compile(r"\\(x[0-9A-Fa-f]{1,2}|u[0-9A-Fa-f]{1,4}|U[0-9A-Fa-f]{1,8}|[0-7]{1,3}|.)", re.DOTALL)
_HERE = re.compile(r"\$\([ \t]*pwd[ \t]*\)|`[ \t]*pwd[ \t]*`|\$\{PWD\}")
_HOME = re.compile(r"\$\{HOME\}|\$HOME\b")
_LETTERS = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v", "e": "\x1b", "E": "\x1b"}
_OPERATORS = re.compile(r"&>>|&>|<<<|<<-?|<>|>>|>\||>&|<&|[<>]|[;&|()`\n]+?")


def fold(text: str) -> str:
    """Fold continued lines, strings with escapes, and the ways to write the present folder and the home."""
    text = text.replace("\\\n", "")
    text = _ANSI.sub(lambda found: shlex.quote(_ESCAPE.sub(_read_escape, found[1])), text)
    text = text.replace('$"', '"')
    return _HOME.sub("~", _HERE.sub(HERE, text))


def split_operators(token: str) -> list[str]:
    """Split a run of operators as ``)>|`` into its parts."""
    return _OPERATORS.findall(token)


def _read_escape(found: re.Match[str]) -> str:
    letter = found[1]
    try:
        if letter[0] in "xuU" and len(letter) > 1:
            return chr(int(letter[1:], 16))
        if letter[0] in "01234567":
            return chr(int(letter, 8) & 0xFF)
    except (ValueError, OverflowError):
        return found[0]
    return _LETTERS.get(letter, letter)
