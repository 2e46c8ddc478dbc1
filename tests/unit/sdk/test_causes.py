"""The line that names the cause, from what real tools printed (shortened in the middle)."""

from __future__ import annotations

import string
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verigate.formats.visible import escape_invisible
from verigate.sdk.causes import MAX_CAUSE, find_cause

NODE_LOADER = b"""node:internal/modules/cjs/loader:1228
  throw err;
  ^

Error: Cannot find module 'lodash'
Require stack:
- /srv/shop/src/cart.js
    at Module._resolveFilename (node:internal/modules/cjs/loader:1225:15)
    at node:internal/main/run_main_module:28:49 {
  code: 'MODULE_NOT_FOUND',
  requireStack: [ '/srv/shop/src/cart.js' ]
}

Node.js v20.19.2
"""
NODE_ESM = b"""node:internal/modules/esm/resolve:873
  throw new ERR_MODULE_NOT_FOUND(packageName, fileURLToPath(base), null);
        ^

Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'vitest' imported from /srv/shop/vitest.config.js
    at packageResolve (node:internal/modules/esm/resolve:873:9)

Node.js v20.19.2
"""
JEST = b"""\x1b[31m\x1b[1m\xe2\x97\x8f \x1b[22m\x1b[1mValidation Error\x1b[22m:\x1b[39m

\x1b[31m  Preset \x1b[1mts-jest\x1b[22m not found relative to rootDir /srv/shop.\x1b[39m

\x1b[31m  \x1b[1mConfiguration Documentation:\x1b[22m\x1b[39m
\x1b[31m  https://jestjs.io/docs/configuration\x1b[39m
"""
ESLINT = b"""
Oops! Something went wrong! :(

ESLint: 9.14.0

ESLint couldn't find an eslint.config.(js|mjs|cjs) file.

From ESLint v9.0.0, the default configuration file is now eslint.config.js.
"""
NPM = b"""npm error code ENOENT
npm error syscall open
npm error path /srv/shop/package.json
npm error errno -2
npm error enoent Could not read package.json: Error: ENOENT: no such file or directory
npm error A complete log of this run can be found in: /root/.npm/_logs/debug-0.log
"""
UVU = b"""
> shop@2.1.0 test
> uvu test

index.js  \xe2\x80\xa2 \xe2\x80\xa2 \xe2\x9c\x98   (1 / 3)

   FAIL  "strings"
    Expected values to be strictly equal:  (is)

  Total:     3
"""
TAP = b"""> shop@1.0.0 test
> tap
ok 1 - adds
not ok 2 - subtracts
# failed 1 of 2 tests
"""
NPM_SHELL = b"""sh: 1: ts-scripts: not found
npm error code 127
npm error path /srv/shop
npm error command sh -c ts-scripts test
"""
CONFTEST = b"""ImportError while loading conftest '/srv/shop/tests/conftest.py'.
tests/conftest.py:1: in <module>
    import yaml
E   ModuleNotFoundError: No module named 'yaml'
"""
CONFTEST_SYNTAX = b"""ImportError while loading conftest '/srv/shop/tests/conftest.py'.
E     File "/srv/shop/tests/conftest.py", line 1
E       def x(:
E             ^
E   SyntaxError: invalid syntax
"""
PYTEST_9_USAGE = b"""ERROR: usage: python -m pytest [options] [file_or_dir] [file_or_dir] [...]
python -m pytest: error: unrecognized arguments: --no-such-option
  inifile: /srv/shop/pytest.ini
"""
PYTEST_USAGE = b"""ERROR: usage: __main__.py [options] [file_or_dir] [file_or_dir] [...]
__main__.py: error: unrecognized arguments: --cov=shop
  inifile: /srv/shop/pyproject.toml
  rootdir: /srv/shop
"""
PYTEST_INTERNAL = b"""INTERNALERROR> Traceback (most recent call last):
INTERNALERROR>   File "/srv/pytest/main.py", line 283, in wrap_session
INTERNALERROR>     config.hook.pytest_sessionstart(session=session)
INTERNALERROR> PermissionError: [Errno 13] Permission denied: 'data'
"""
TRACEBACK = b"""Traceback (most recent call last):
  File "/srv/shop/run.py", line 3, in <module>
    main()
shop.errors.StartError: no port is free
"""
CARGO = b"""   Compiling shop v0.1.0 (/srv/shop)
\x1b[0m\x1b[1m\x1b[38;5;9merror[E0425]\x1b[0m\x1b[0m\x1b[1m: cannot find value `x` in this scope\x1b[0m
 --> src/lib.rs:3:5
  |
3 |     x
  |     ^ not found in this scope

error: could not compile `shop` (lib) due to 1 previous error
"""
CARGO_OFFLINE = b"""error: no matching package named `serde` found
location searched: crates.io index
"""
GO = b"""# example.com/shop
./cart.go:7:9: undefined: totl
FAIL\texample.com/shop [build failed]
FAIL
"""
GO_MODULE = b"""go: downloading github.com/spf13/pflag v1.0.5
go: github.com/spf13/pflag@v1.0.5: Get "https://proxy.golang.org/x.zip": dial tcp: lookup proxy.golang.org: no such host
"""
CGO = b'# runtime/cgo\ncgo: C compiler "gcc" not found: exec: "gcc": executable file not found in $PATH\n'
MAVEN = b"""[INFO] BUILD FAILURE
[ERROR] COMPILATION ERROR :
[ERROR] /srv/shop/src/main/java/Cart.java:[7,16] cannot find symbol
[ERROR] Failed to execute goal org.apache.maven.plugins:maven-compiler-plugin:3.11.0:compile (default-compile)
[ERROR] To see the full stack trace of the errors, re-run Maven with the -e switch.
"""
MAVEN_OFFLINE = b"""[INFO] BUILD FAILURE
[ERROR] Failed to execute goal on project shop: Could not resolve dependencies for project shop: offline
[ERROR] -> [Help 1]
[ERROR] To see the full stack trace of the errors, re-run Maven with the -e switch.
"""
MAVEN_SETTINGS = b"""[ERROR] Error executing Maven.
[ERROR] 1 problem was encountered while building the effective settings
[FATAL] Non-readable settings /home/x/.m2/settings.xml: /home/x/.m2/settings.xml (Permission denied)
"""
GRADLE = b"""
FAILURE: Build failed with an exception.

* What went wrong:
Could not determine the dependencies of task ':test'.
> Could not resolve junit:junit:4.13.

* Try:
> Run with --info option to get more log output.
"""
JAVAC = b"src/Cart.java:7: error: ';' expected\n    return 1\n            ^\n1 error\n"
RUFF = b"ruff failed\n  Cause: Failed to parse /srv/shop/ruff.toml\n  Cause: unknown field `lien-length`\n"


@pytest.mark.parametrize(
    ("argv", "stdout", "stderr", "cause"),
    [
        (["node", "a.js"], b"", NODE_LOADER, "Cannot find module 'lodash'"),
        (["npm", "test"], b"", NODE_ESM, "Cannot find package 'vitest' imported from /srv/shop/vitest.config.js"),
        (["/srv/shop/node_modules/.bin/jest"], b"", JEST, "Preset ts-jest not found relative to rootDir /srv/shop."),
        (["eslint", "."], b"", ESLINT, "ESLint couldn't find an eslint.config.(js|mjs|cjs) file."),
        (["npm", "test"], b"", NPM, "enoent Could not read package.json: Error: ENOENT: no such file or directory"),
        (["npm", "test"], b"> test\n", NPM_SHELL, "ts-scripts: not found"),
        (["npm", "test"], UVU, b"", 'FAIL  "strings"'),
        (["npm", "test"], TAP, b"", "not ok 2 - subtracts"),
        (["python", "-m", "pytest"], b"", CONFTEST, "ModuleNotFoundError: No module named 'yaml'"),
        (["python", "-m", "pytest"], b"", CONFTEST_SYNTAX, "SyntaxError: invalid syntax"),
        (["python", "-m", "pytest"], b"", PYTEST_9_USAGE, "unrecognized arguments: --no-such-option"),
        (["python3.11", "-m", "pytest"], b"", PYTEST_USAGE, "unrecognized arguments: --cov=shop"),
        (["pytest"], PYTEST_INTERNAL, b"", "PermissionError: [Errno 13] Permission denied: 'data'"),
        (["python", "run.py"], b"", TRACEBACK, "shop.errors.StartError: no port is free"),
        (["cargo", "test"], b"", CARGO, "src/lib.rs:3:5: error[E0425]: cannot find value `x` in this scope"),
        (["cargo", "test"], b"", CARGO_OFFLINE, "error: no matching package named `serde` found"),
        (["go", "test", "./..."], GO, b"", "./cart.go:7:9: undefined: totl"),
        (["go", "test"], b"", GO_MODULE, GO_MODULE.decode().split("\n")[1].removeprefix("go: ")),
        (["go", "test"], b"", CGO, 'cgo: C compiler "gcc" not found: exec: "gcc": executable file not found in $PATH'),
        (
            ["mvn", "test"],
            MAVEN_SETTINGS,
            b"",
            "Non-readable settings /home/x/.m2/settings.xml: /home/x/.m2/settings.xml (Permission denied)",
        ),
        (["mvn", "test"], MAVEN, b"", "/srv/shop/src/main/java/Cart.java:[7,16] cannot find symbol"),
        (
            ["mvn", "test"],
            MAVEN_OFFLINE,
            b"",
            "Failed to execute goal on project shop: Could not resolve dependencies for project shop: offline",
        ),
        (
            ["./gradlew", "test"],
            b"",
            GRADLE,
            "Could not determine the dependencies of task ':test'. > Could not resolve junit:junit:4.13.",
        ),
        (["javac", "a"], b"", JAVAC, "src/Cart.java:7: error: ';' expected"),
        (["ruff", "check"], b"", RUFF, "Failed to parse /srv/shop/ruff.toml"),
        # A command that is no known tool starts one.
        (["make", "test"], b"", CONFTEST, "ModuleNotFoundError: No module named 'yaml'"),
        (["make", "test"], GO, b"make: *** [Makefile:2: test] Error 1\n", "./cart.go:7:9: undefined: totl"),
        (["tool"], b"", b"fatal: not a git repository\nbye\n", "fatal: not a git repository"),
        (["tool"], b"one\ntwo\n\n", b"", "two"),
        (["tool"], b"out\n", b"err\n \n", "err"),
        (["tool"], b"", b"", ""),
        ([], b"", b"\r\n\r\n", ""),
    ],
)
def test_the_cause(argv: list[str], stdout: bytes, stderr: bytes, cause: str) -> None:
    assert find_cause(argv, stdout, stderr) == cause


def test_the_first_error_counts_not_the_advice_at_the_end() -> None:
    flood = b"at Object.<anonymous> (x.js:1:1)\n" * 20_000
    assert find_cause(["node"], b"", b"TypeError: x is not a function\n" + flood) == "TypeError: x is not a function"
    assert find_cause(["node"], b"", flood + b"TypeError: at the end\n") == "TypeError: at the end"


def test_a_long_cause_is_cut_between_words() -> None:
    """A half of a secret couldn't be redacted by the gate, which knows only the whole."""
    secret = "s3cr3t" * 10
    for padding in range(200, MAX_CAUSE + 10):
        cause = find_cause(["node"], b"", f"Error: {'x' * padding} {secret} {'y ' * 100}".encode())
        assert len(cause) <= MAX_CAUSE
        assert secret in cause or "s3c" not in cause
    assert find_cause(["node"], b"", b"Error: " + b"z" * 10_000) == "Error:…"


def test_escape_sequences_are_removed_and_no_line_is_added() -> None:
    cause = find_cause(["tool"], b"", b"\x1b]0;title\x07\x1b[31merror: red\x1b[0m\n")
    assert cause == "error: red"
    assert (
        find_cause(["tool"], b"", "error: \x07a\u202eb\u200b\x9b2J\r".encode()) == "error: \\x07a\\u202eb\\u200b\\x9b2J"
    )


@pytest.mark.parametrize(
    "pattern", [b"Error: ", b"a: error: ", b" ", b"\t\xe2\x97\x8f Error:\n", b"(1,1): error TS1: ", b"\x1b["]
)
def test_a_hostile_flood_takes_no_long(pattern: bytes) -> None:
    begun = time.process_time()
    find_cause(["node"], pattern * 200_000, pattern * 200_000 + b"x")
    assert time.process_time() - begun < 5


@given(st.binary(max_size=400), st.lists(st.text(string.printable, max_size=9), max_size=5))
def test_any_output_has_a_bounded_cause_of_one_line(stream: bytes, argv: list[str]) -> None:
    cause = find_cause(argv, b"", stream)
    assert len(cause) <= MAX_CAUSE
    assert cause == escape_invisible(cause)
    assert "\n" not in cause
