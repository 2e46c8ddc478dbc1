"""Analyse command lines that run checks: scripts of package.json, Makefile targets, CI steps, shell scripts.

A command weakens if it ran a test runner, linter, type checker or coverage report and no longer does, if its failure
no longer counts, or if it leaves something out.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from code_adapter.integrity.tools.narrowing import is_harmless_plugin, list_narrowing

_JUDGE = re.compile(
    r"(?<![\w./-])(?:(?:\S*/)?(?P<tool>pytest|py\.test|tox|nox|unittest|ruff|flake8|pylint|mypy|pyright|bandit|black|isort|"
    r"coverage|jest|vitest|mocha|ava|tap|c8|nyc|eslint|tsc|tsgo|vue-tsc|biome|prettier|oxlint|playwright|cypress|golangci-lint|staticcheck|"
    r"clippy|nextest|llvm-cov|tarpaulin|checkstyle|spotbugs|gradlew?|mvnw?|pre-commit|prek|gate|codecov|semgrep|"
    r"ctest|phpunit|rspec|rubocop)(?:(?<=golangci-lint)-action)?\b(?![.-]\w)|(?P<pair>(?:npm|yarn|pnpm|bun)\s+(?:run\s+ci\b|(?:run\s+)?(?:test|lint|check|coverage|typecheck)\b)"
    r"[\w:-]*|npm\s+t\b|node\s+--test|cargo\s+(?:test|check|fmt|clippy|nextest)|go\s+(?:test|vet)|make\s+(?:test|check|lint|"
    r"coverage|ci|verify)[\w-]*|python3?\s+-m\s+\w+))"
)
_INSTALLS = re.compile(
    r"\b(?:pip3?|pipx|uv|poetry|npm|yarn|pnpm|bun|cargo|go|apt-get|brew|conda)\s+(?:\w+\s+)?(?:install|add|i|get|sync)\b"
)
_SWALLOWED = re.compile(
    r"\|\|\s*(?:true\b|:(?=\s|$)|exit\s+0\b|echo\b|printf\b|/bin/true\b|return\s+0\b)|;\s*(?:true|exit\s+0|:)\s*$|"
    r"--reruns[= ][1-9]\d*|--retr(?:y|ies)=[1-9]\d*|"
    r"--exit-zero\b|--no-error-on-unmatched-pattern|--suppress-no-test-exit-code|--pass-?[wW]ith-?[nN]o-?[tT]ests|"
    r"--continue-on-collection-errors|--no-fail(?:-fast)?=true|-fae\b.*-Dmaven\.test\.failure\.ignore|"
    r"maven\.test\.failure\.ignore|-DskipTests|-Dmaven\.test\.skip|-x\s+test\b|^\s*set\s+\+e\b|set\s+\+o\s+errexit"
)
_CHANGES_STATE = re.compile(
    r"(?:^|(?<=&&)|(?<=[;\n]))[ \t]*(?:sudo )?"
    r"(?:git (?:push|tag|branch|commit|fetch|worktree|stash)|gh (?:release|label)|"
    r"docker (?:rm|stop|kill|network|volume)|rm|mkdir|kill|pkill|killall|"
    r"(?:(?:npx|bunx|yarn|pnpm(?: exec| dlx)?) )?playwright install)\b"
    r"(?:(?!\$\(|`|&&|\|)[^;\n])*\|\|\s*(?:true\b|:(?=\s|$))"
)
"""A command that judges nothing, and that may fail: one that tidies up, publishes, or fetches a browser."""

_NARROWED = re.compile(
    r"--ignore(?:-glob)?[= ]\S+|--deselect[= ]\S+|(?<=\s)-k[= ]?['\"]?not\b[^'\"]*|(?<=\s)-m[= ]?['\"]?not\b[^'\"]*|"
    r"--testPathIgnorePatterns[= ]\S+|--collect-only|--co(?=\s|$)|--no-cov(?=\s|$)|--skip[= ]\S+|--exclude[= ]\S+|"
    r"--test-skip-pattern[= ]\S+|--last-failed|--lf(?=\s|$)|(?P<plugin>-p\s+no:\S+)|--no-verify|SKIP=\S+|--listTests|"
    r"--dry-run|--no-run|--test-name-pattern[= ]\S+|--test-only|--testNamePattern[= ]\S+|--grep[= ]\S+|--shard[= ]\S+|"
    r"--setup-(?:plan|only)\b|--noCheck\b|--no-eslintrc\b|--no-config-lookup\b|--ignore-pattern[= ]\S+|"
    r"(?<=\btsc )--(?:version|help|init|showConfig)\b"
)
_ONLY = re.compile(
    r"(?<=\s)(?!-)[\w./@-]+[._-](?:test|spec)\.[cm]?[jt]sx?(?=\s|$)|(?<=\s)[\w./-]*test_\w+\.py(?=\s|:|$)"
)
"""A file of tests by its whole name."""

_FLOOR = re.compile(
    r"(?P<name>--cov-fail-under|--fail-under|--fail_under|--lines|--branches|--functions|--statements|"
    r"--min(?:imum)?-coverage|--fail-under-(?:lines|functions|regions)|--coverage\.thresholds\.\w+)"
    r"[= ](?P<value>\d+(?:\.\d+)?)"
)
_CEILING = re.compile(
    r"(?P<name>--max-warnings|--maxfail|--max-complexity|--fail-uncovered-(?:lines|functions|regions))"
    r"[= ](?P<value>\d+)"
)
_NOTHING = re.compile(r"(?:\s*(?:exit\s+0|true|:|echo\b[^&|;]*|printf\b[^&|;]*|@?#.*)\s*(?:&&|;|$))*")


def judges(command: str) -> Counter[str]:
    """List the tests, linters and other checks that a command runs, with repetitions."""
    found: Counter[str] = Counter()
    for part in re.split(r"&&|\|\||;|\n", command):
        if _INSTALLS.search(part):
            continue
        for match in _JUDGE.finditer(part):
            found[" ".join((match["tool"] or match["pair"]).split())] += 1
    return found


def is_nothing(command: str) -> bool:
    """Whether a command does nothing and always succeeds."""
    return bool(command.strip()) and bool(_NOTHING.fullmatch(command.strip()))


def find_new_weakness(before: str, after: str) -> Iterator[str]:
    """Return the part of ``after`` that weakens the checks of ``before``, or nothing."""
    before, after = (_CHANGES_STATE.sub("", command) for command in (before, after))
    for pattern in (_SWALLOWED, _NARROWED):
        known = Counter(map(_plain, _found(pattern, before)))
        for found in _found(pattern, after):
            plain = _plain(found)
            if known[plain]:
                known[plain] -= 1
            else:
                yield plain
    yield from _narrows(before, after)
    if judges(before) and not _ONLY.search(before):
        yield from (f"only {only} is run" for only in list(_found(_ONLY, after))[:1])
    yield from _numbers(_FLOOR, before, after, falls=True)
    yield from _numbers(_CEILING, before, after, falls=False)


def _plain(found: str) -> str:
    """What was found, with one kind of blanks and quotes."""
    return " ".join(found.split()).replace("'", '"')


def _narrows(before: str, after: str) -> Iterator[str]:
    """List new options of the runners that leave tests out, but for those that every pattern above finds."""
    known = Counter(list_narrowing(before))
    for found in list_narrowing(after):
        if known[found]:
            known[found] -= 1
        elif not _NARROWED.search(f" {found}"):
            yield found


def _found(pattern: re.Pattern[str], command: str) -> Iterable[str]:
    for match in pattern.finditer(command):
        plugin = match.groupdict().get("plugin")
        if plugin is None or not is_harmless_plugin(plugin.partition(":")[2]):
            yield match.group(0)


def _numbers(pattern: re.Pattern[str], before: str, after: str, *, falls: bool) -> Iterator[str]:
    old = {match["name"]: float(match["value"]) for match in pattern.finditer(before)}
    new = {match["name"]: float(match["value"]) for match in pattern.finditer(after)}
    for name, value in old.items():
        now = new.get(name)
        if now is None and judges(after) and name != "--maxfail":
            yield f"{name} {value:g} is gone"
        elif now is not None and (now < value if falls else now > value) and name != "--maxfail":
            yield f"{name} {value:g} became {now:g}"


_FAMILIES = (
    {
        "pytest",
        "py.test",
        "unittest",
        "tox",
        "nox",
        "python -m pytest",
        "python3 -m pytest",
        "python -m unittest",
        "make test",
    },
    {
        "jest",
        "vitest",
        "mocha",
        "ava",
        "tap",
        "node --test",
        "npm test",
        "npm run test",
        "npm t",
        "yarn test",
        "pnpm test",
    },
    {"ruff", "flake8", "pylint", "black", "isort", "pre-commit", "prek", "make lint", "tox", "nox"},
    {"eslint", "biome", "oxlint", "prettier", "npm run lint", "yarn lint", "pnpm lint"},
    {"mypy", "pyright", "tox", "nox"},
    {"tsc", "tsgo", "vue-tsc"},
    {"cargo test", "cargo nextest", "nextest"},
    {"c8", "nyc", "coverage", "codecov", "pytest", "npm run coverage", "jest", "vitest"},
)


def is_replaced(tool: str, ran: Counter[str], runs: Counter[str]) -> bool:
    """Whether another judge of the same kind, that didn't run before, runs now; a whole suite runs what it starts."""
    new = {name for name in runs if runs[name] > ran[name]} | (
        set(runs) & {"make test", "make check", "make ci"} - set(ran)
    )
    if _SCRIPT.match(tool) and _name_script(tool) in map(_name_script, runs):
        return True
    if tool == "go vet" and "golangci-lint" in new:
        return True  # which runs it, unless its settings say otherwise
    if tool.startswith("python") and any(name in tool.split() for name in runs):
        return True
    return any(tool in family and family & new for family in _FAMILIES) or bool(
        {"gate", "make check", "make ci", "make verify", "tox", "nox", "pre-commit"} & new
    )


_SCRIPT = re.compile(r"(?:(?:npm|yarn|pnpm)(?: run)?|bun run) ")
"""``bun test`` is a runner of its own."""


def _name_script(tool: str) -> str:
    """Name a script of package.json in one way, whichever package manager runs it."""
    return _SCRIPT.sub("npm run ", tool, count=1)


def join_lines(command: str) -> str:
    """Join lines that end in a backslash."""
    return re.sub(r"\\\n\s*", " ", command)
