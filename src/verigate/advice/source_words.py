"""Words of any code, in lower case; see ``test_words``."""

from __future__ import annotations

SUPPRESSIONS = (
    *("noqa", "nosec", "type: ignore", "type:ignore", "pylint: disable", "pylint:disable", "pragma: no cover"),
    *("pragma: no branch", "pragma: no mutate", "ruff: ignore", "mypy: ignore", "mypy: disable", "pyright: ignore"),
    *("pyright: basic", "flake8: noqa", "eslint-disable", "@ts-ignore", "@ts-nocheck", "@ts-expect-error"),
    *("biome-ignore", "oxlint-disable", "istanbul ignore", "c8 ignore", "v8 ignore", "nolint", "#[allow(", "#![allow("),
    *(
        "#[expect(",
        "#![expect(",
        "rubocop:disable",
        "@suppresswarnings",
        "@suppress(",
        "phpstan-ignore",
        "phpcs:ignore",
    ),
    *("phpcs:disable", "@psalm-suppress", "nosonar", "checkstyle:off", "pragma warning disable", "coverage:ignore"),
    *(
        "coveragestart",
        "codecoverageignore",
        "nocov",
        "noinspection",
        "prettier-ignore",
        "stylelint-disable",
        "shellcheck disable",
    ),
    *(
        "suppressmessage(",
        "swiftlint:disable",
        "tslint:disable",
        "#lint:ignore",
        "lint:ignore",
        "bandit:",
        "semgrep:",
        "nosemgrep",
    ),
    *("excludefromcodecoverage", "go:nocover", "mypy: allow", "@no_type_check", "no_type_check"),
)
"""What silences a linter, a type checker or a measurement of coverage."""

DETECTIONS = (
    *(
        "pytest_current_test",
        '"pytest" in',
        "'pytest' in",
        '"unittest" in',
        "'unittest' in",
        "_getframe",
        "inspect.stack",
        "inspect.currentframe",
    ),
    *(
        "f_globals",
        "f_back",
        "node_test_context",
        "jest_worker_id",
        "process.env.vitest",
        "import.meta.vitest",
        "testing.testing(",
    ),
    *("cfg!(test)", "import.meta.env.test", "org.junit", "surefire", "typeof expect", "typeof jest", "typeof it "),
    *("typeof describe", "globalthis.expect", "new error().stack", "getstacktrace", "get_referrers"),
    *("testing.verbose", 'flag.lookup("test', "settrace", "__main__.__file__", "currentthread().getstack"),
)
"""In code: what asks whether it is being tested."""

HIDDEN = (
    "\u200b",
    "\u202a",
    "\u202b",
    "\u202d",
    "\u202e",
    "\u2066",
    "\u2067",
    "\u2068",
    "\u200e",
    "\u200f",
    "\\u000a",
    "\\u000d",
)
"""Characters that show code other than it is."""

REASONED = (" - ", " -- ", "because", "# ", "//", ": the", ": a")
"""Between a suppression and its reason."""

NARROWED = (
    ("noqa", "noqa:"),
    ("type: ignore", "type: ignore["),
    ("nolint", "nolint:"),
    ("pyright: ignore", "pyright: ignore["),
)
"""A suppression of everything, and of named rules."""
