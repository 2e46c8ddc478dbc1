"""Words of settings, scripts and pipelines, in lower case; see ``test_words``."""

from __future__ import annotations

THRESHOLDS = (
    *("fail_under", "fail-under", "lines", "branches", "functions", "statements", "threshold", "minimum", "min_"),
    *("min-", "msi", "min_coverage", "minscore", "target", "coverage", "level", "timeout_min"),
)
"""Keys whose number must not fall."""

LIMITS = ("max-", "max_", "maxwarnings", "max:", "maximum", "retries", "reruns", "allowed")
"""Keys whose number must not rise."""

STRICT = (
    *(
        "strict",
        "error",
        "deny",
        "forbid",
        "-werror",
        "-d warnings",
        "check-coverage",
        "fail_under",
        "fail-under",
        "coveragethreshold",
        "minimum_coverage",
        "branch = true",
        "branch: true",
    ),
    *("disallow_", "warn_", "no_implicit", "xfail_strict", "check_untyped", "noimplicit", "nounused", "nounchecked"),
    *(
        "failonviolation",
        "failonerror",
        "haltonfailure",
        "set -e",
        "pipefail",
        "treatwarningsaserrors",
        "failifnotests",
    ),
)
"""In settings: what asks for more."""

LAX = (
    *("|| true", "|| :", "|| exit 0", "|| echo", "; true", "; exit 0", "set +e", "continue-on-error", "exit-zero"),
    *("allow_failure", "soft_fail", "ignore-failure", "ignore_errors", "ignore_missing_imports", "passwithnotests"),
    *("skiptests", "maven.test.skip", "testfailureignore", "--no-verify", "if: false", "if: ${{ false", "exit 0"),
    *("skip:", "skip =", "--skip", "--deselect", "--ignore", "ignore", "exclude", "omit", "disable", '"off"', "'off'"),
    *(
        ": off",
        '"warn"',
        "allow",
        "follow_imports",
        "noemit",
        "nocheck",
        "isolatedmodules",
        "skiplibcheck",
        "per-file-ignores",
    ),
    *(
        "-k ",
        '-m "not',
        "--co",
        "--collect-only",
        "--maxfail",
        "--reruns",
        "retries",
        "p no:",
        "-p no",
        "--no-cov",
        "--quiet-level",
    ),
    *(
        "test = false",
        "harness = false",
        "doctest = false",
        "autotests = false",
        "when: manual",
        "when: never",
        "only:",
        "except:",
    ),
    *(
        "paths:",
        "paths-ignore:",
        "branches-ignore:",
        "fail_ci_if_error: false",
        "fail-fast: false",
        "--lf",
        "--last-failed",
    ),
    *(
        "testignorepatterns",
        "testpathignorepatterns",
        "modulepathignorepatterns",
        "coveragepathignorepatterns",
        "nocheck",
    ),
    *(
        "--shard",
        "--changed",
        "--onlychanged",
        "--only-",
        "--bail",
        "returnstatus: true",
        "catcherror",
        "try {",
        "|| exit",
    ),
    *('level = "allow"', '"allow"', "-a ", "--cap-lints", "-w ", "false"),
)
"""In settings: what asks for less."""

COMMANDS = (
    *("pytest", "ruff", "mypy", "pyright", "flake8", "pylint", "black", "isort", "bandit", "tox", "nox", "unittest"),
    *(
        "eslint",
        "tsc",
        "jest",
        "vitest",
        "mocha",
        "prettier",
        "biome",
        "npm test",
        "npm run",
        "yarn ",
        "pnpm ",
        "node --test",
    ),
    *("go test", "go vet", "golangci-lint", "staticcheck", "cargo test", "cargo clippy", "cargo fmt", "cargo check"),
    *("mvn ", "gradle", "gradlew", "rspec", "rubocop", "rake", "minitest", "phpunit", "phpstan", "psalm", "pest"),
    *(
        "dotnet test",
        "dotnet build",
        "shellcheck",
        "bats",
        "coverage",
        "codecov",
        "pre-commit",
        "make test",
        "make lint",
        "make check",
    ),
    *("ctest", "swift test", "markdownlint", "hadolint", "yamllint", "actionlint", "semgrep", "- id:", "id:"),
)
"""In settings: commands and hooks that check."""

CONDITIONS = (
    "if:",
    "when:",
    "if [",
    "if (",
    "rules:",
    "needs:",
    "cron",
    "schedule",
    "workflow_dispatch",
    "workflow_call",
)
"""In settings: on what a step or a job depends."""

CHOICES = (
    *(
        "select",
        "extend-select",
        "enable",
        "testpaths",
        "testmatch",
        "testregex",
        "plugins",
        "extends",
        "on",
        "addopts",
    ),
    *("disallow", "source", "collectcoveragefrom", "files"),
)
"""Keys of lists that choose what is checked, and when."""

EXCLUSIONS = (
    *(
        "ignore",
        "extend-ignore",
        "exclude",
        "extend-exclude",
        "omit",
        "disable",
        "deselect",
        "ignores",
        "exclude_lines",
    ),
    *(
        "exclude_also",
        "testpathignorepatterns",
        "coveragepathignorepatterns",
        "modulepathignorepatterns",
        "ignorepatterns",
    ),
    *(
        "paths-ignore",
        "branches-ignore",
        "norecursedirs",
        "collect_ignore",
        "skip",
        "allow",
        "unfixable",
        "paths",
        "except",
    ),
)
"""Keys of lists that leave something out."""

VERSIONS = (
    ">=",
    "==",
    "~=",
    '": "^',
    '": "~',
    '": "1',
    '": "2',
    '": "3',
    '": "4',
    '": "5',
    '": "6',
    '": "7',
    '": "8',
    '": "9',
    "@v",
)
"""What stands before the version of a package."""
