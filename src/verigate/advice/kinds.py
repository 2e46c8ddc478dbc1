"""What kind of file a path names: tests, settings of checks, or other code."""

from __future__ import annotations

_TESTS = ("test", "spec", "conftest", "fixture", "testdata")
_TESTS_CAPITAL = ("Test", "Spec")
_SETTINGS = (
    *(
        "pyproject.toml",
        "cargo.toml",
        "ruff.toml",
        ".ruff.toml",
        "clippy.toml",
        "tox.",
        "pytest.",
        "setup.",
        "noxfile.",
    ),
    *(
        "package.json",
        "tsconfig",
        "jsconfig",
        "pyrightconfig",
        "mypy.",
        ".mypy",
        "biome.",
        "deno.",
        "nx.",
        "turbo.",
        "lerna.",
    ),
    *(
        "jest.",
        "vitest.",
        "karma.",
        "playwright.",
        "cypress.",
        "eslint.",
        "oxlint",
        "babel.",
        "vite.",
        "webpack.",
        "rollup.",
    ),
    *(
        ".coveragerc",
        ".flake8",
        ".pylintrc",
        ".eslint",
        ".oxlint",
        ".prettier",
        ".stylelint",
        ".mocharc",
        ".nycrc",
        ".c8rc",
    ),
    *(
        ".rspec",
        ".rubocop",
        ".golangci",
        ".pre-commit",
        "prek.",
        "lefthook",
        ".lefthook",
        "codecov.",
        ".codecov",
        ".travis",
    ),
    *(
        ".gitlab-ci",
        "azure-pipelines",
        "appveyor",
        ".drone",
        "bitbucket-pipelines",
        "jenkinsfile",
        "makefile",
        "gnumakefile",
    ),
    *(
        "justfile",
        "rakefile",
        "gemfile",
        "dockerfile",
        "taskfile",
        "pom.xml",
        "build.gradle",
        "settings.gradle",
        "detekt",
    ),
    *(
        "gradle.properties",
        "phpunit",
        "phpstan",
        "psalm",
        "composer.json",
        "infection",
        ".php-cs",
        "checkstyle",
        "spotbugs",
    ),
    *(
        "pmd",
        "directory.build",
        ".editorconfig",
        "coverlet",
        "stryker",
        "nextest",
        "bunfig",
        "wdio.",
        "wtr.",
        "mise.",
        "hatch.",
    ),
)
_SETTINGS_ENDS = (
    *(
        ".cfg",
        ".ini",
        ".sh",
        ".bash",
        ".mk",
        ".pth",
        ".csproj",
        ".props",
        ".targets",
        ".gemspec",
        ".rake",
        ".runsettings",
    ),
    *(".gradle", ".gradle.kts"),
)
_PIPELINES = (
    ".github/",
    ".gitlab/",
    ".circleci/",
    ".buildkite/",
    ".husky/",
    ".githooks/",
    "ci/",
    ".ci/",
    ".forgejo/",
    ".gitea/",
)


def is_test(path: str) -> bool:
    """Whether a part of the path begins with a word for tests: neither ``latest`` nor ``inspector`` does."""
    lower = path.lower()
    if any(word in path for word in _TESTS_CAPITAL):
        return True
    for word in _TESTS:
        at = lower.find(word)
        while at >= 0:
            if not at or not lower[at - 1].isalpha():
                return True
            at = lower.find(word, at + 1)
    return False


def is_settings(path: str) -> bool:
    """Whether the path is one of settings, of a script or of a pipeline by which checks run."""
    lower = path.lower()
    name = lower.rpartition("/")[2]
    return name.startswith(_SETTINGS) or name.endswith(_SETTINGS_ENDS) or lower.startswith(_PIPELINES)
