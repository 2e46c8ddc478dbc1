"""The languages with a template for ``gate adapter new``, and their differences."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct


class Language(Struct, frozen=True):
    """``folders`` are those of its templates; ``tools`` the manifest's declaration, ``timeout`` in seconds.

    ``source`` is the file that the author edits next. ``test`` is a line of sh that runs its own tests in the
    adapter's folder, empty without tests. ``compile`` is one that makes ``$program`` in the adapter's folder, and
    ``compile_here`` precedes it where it is made for one call, with a scratch folder ``$made``; ``compiler`` is the
    program that it needs.
    """

    title: str
    folders: tuple[str, ...]
    tools: tuple[str, ...]
    source: str
    test: str = ""
    timeout: int = 30
    compile: str = ""
    compile_here: str = ""
    compiler: str = ""
    make_test: str = ""


_COMPILED = "make --silent test"

LANGUAGES: Mapping[str, Language] = {
    "python": Language(
        "Python, with verigate.sdk",
        ("python",),
        ("git",),
        "src/scan.py",
        '"${GATE_PYTHON:-python3}" checks/scan_checks.py',
    ),
    "node": Language("JavaScript on Node", ("node",), ("git", "node"), "src/scan.js", "node --test checks/scan.js"),
    "bash": Language("Bash, with jq", ("bash",), ("bash", "git", "grep", "jq"), "bin/adapter-NAME"),
    "perl": Language("Perl", ("perl",), ("git", "perl"), "lib/Scan.pm", "prove t"),
    "ruby": Language("Ruby", ("ruby",), ("git", "ruby"), "lib/scan.rb", "ruby checks/scan_checks.rb"),
    "go": Language(
        "Go",
        ("compiled", "go"),
        ("git", "go"),
        "src/scan.go",
        _COMPILED,
        120,
        # Without trimmed paths and with cgo, or Go compiles its own library again instead of using the compiled one.
        'go build -o "$program" ./src',
        'GOCACHE="$made/cache" ',
        "go",
        "go test ./src",
    ),
    "rust": Language(
        "Rust, without crates",
        ("compiled", "rust"),
        ("as", "cc", "git", "ld", "rustc"),
        "src/scan.rs",
        _COMPILED,
        60,
        'rustc --edition 2021 -O -o "$program" src/main.rs',
        "",
        "rustc",
        "rustc --edition 2021 --test -o build/tests src/main.rs && build/tests --quiet",
    ),
    "c": Language(
        "C",
        ("compiled", "c"),
        ("as", "cc", "git", "ld"),
        "src/scan.c",
        _COMPILED,
        30,
        'cc -std=gnu11 -D_GNU_SOURCE -O2 -Wall -Wextra -o "$program" src/main.c src/scan.c',
        "",
        "cc",
        "cc -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -o build/tests src/test_scan.c src/scan.c && build/tests",
    ),
}
"""Name -> language, in the order of display."""
