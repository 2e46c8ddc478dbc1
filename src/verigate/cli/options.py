"""Declare the options that several commands share or that the fast path reads, each once and without click.

``click_options`` makes click's options from them, with help and shell completion; ``fast_path`` makes its reader. An
option that one command alone has, and that only click reads, stands at that command.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from typing import Any, NamedTuple


class Takes(Enum):
    """What follows an option on the command line, and what its command gets."""

    NOTHING = "nothing"
    """A flag: False unless given."""

    WORD = "word"
    """The last one given, else None."""

    WORDS = "words"
    """A tuple, one item for each time the option is given."""

    NAMES = "names"
    """A tuple of names; each time the option is given it takes several, separated by commas."""

    FILE = "file"
    """A path, else None."""


class Option(NamedTuple):
    """One option. ``name`` is the parameter of the command that gets its value."""

    name: str
    spellings: tuple[str, ...]
    help: str
    takes: Takes = Takes.NOTHING
    metavar: str | None = None
    refuses_empty: bool = False
    """An empty value is a shell variable that isn't set: the default would look at less than was meant."""

    excludes: str | None = None
    """The name of an option that can't be given with this one."""

    known_values: Callable[[], Iterable[str]] | None = None
    """What a shell completes; ``{values}`` in the help stands for it. Called only for help and completion."""

    @property
    def takes_value(self) -> bool:
        """Whether a value follows."""
        return self.takes is not Takes.NOTHING


class ErrorStyle(NamedTuple):
    """How a command line asks for its errors."""

    as_json: bool = False
    is_advisory: bool = False
    """An error ends with 0: ``verify --advisory`` never blocks."""


def find_fault(options: Sequence[Option], values: Mapping[str, Any]) -> str | None:
    """Return what is wrong with the values that were given: one is empty, or two exclude each other."""
    spellings = {option.name: option.spellings[0] for option in options}
    for option in options:
        value, spelling = values[option.name], option.spellings[0]
        if not value and value != "":
            continue
        if option.refuses_empty and option.takes is Takes.NAMES and not split_names(value):
            return f"{spelling} names no {(option.metavar or 'value').lower()}"
        if option.refuses_empty and option.takes is Takes.WORD and not value.strip():
            return f"{spelling} is empty; give it a value, or leave it out"
        if option.excludes is not None and values[option.excludes] not in {None, False}:
            return f"{spelling} and {spellings[option.excludes]} name two different subjects; use one of them"
    return None


def convert(options: Sequence[Option], values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values as the command gets them: names split at commas, paths of files."""
    return {**values, **{option.name: _convert(option, values[option.name]) for option in options}}


def _convert(option: Option, value: Any) -> Any:
    if option.takes is Takes.NAMES:
        return split_names(value)
    if option.takes is Takes.FILE and value is not None:
        from pathlib import Path

        return Path(value)
    return value


def split_names(words: Iterable[str]) -> tuple[str, ...]:
    """Return the names in ``words``; each word may hold several, separated by commas."""
    return tuple(name.strip() for word in words for name in word.split(",") if name.strip())


def error_style(options: Sequence[Option], values: Mapping[str, Any]) -> ErrorStyle:
    """Return how a command with these values reports an error."""
    as_json = values.get("as_json") is True or "json" in (values.get("formats") or ())
    return ErrorStyle(as_json, ADVISORY in options and values[ADVISORY.name] is True)


def _agent_hosts() -> Iterable[str]:
    from verigate.domain.agent_host import SUPPORTED_HOSTS

    return (*(host.name for host in SUPPORTED_HOSTS), ALL_AGENTS)


def _git_hooks() -> Iterable[str]:
    from verigate.integrations.launchers import HOOKS

    return HOOKS


def _stages() -> Iterable[str]:
    from verigate.domain.weakening import Stage

    return tuple(Stage)


def _report_formats() -> Iterable[str]:
    from verigate.reporting.formats import FORMATS

    return FORMATS


JSON = Option("as_json", ("--json",), "Print JSON with a versioned schema.")
QUIET = Option("quiet", ("--quiet", "-q"), "Print nothing until the end, which can take minutes.")
VERBOSE = Option("verbose", ("--verbose", "-v"), "Show every check, not only those that prevent a pass.")
DRY_RUN = Option("dry_run", ("--dry-run",), "Show what would be written; write nothing.")

STAGED = Option("staged", ("--staged",), "Use the index: what the next commit would contain.", excludes="ref")
REF = Option("ref", ("--ref",), "Use this commit.", Takes.WORD, "REF", refuses_empty=True)
BASE = Option("base", ("--base",), "Compare with this commit.", Takes.WORD, "COMMIT", refuses_empty=True)
PROFILE = Option("profile", ("--profile",), "Apply this profile.", Takes.WORD, "NAME", refuses_empty=True)
POLICY_REF = Option(
    "policy_ref",
    ("--policy-ref",),
    "Read plan, profiles, adapters and the rest of the policy from this ref, such as origin/main.",
    Takes.WORD,
    "REF",
    refuses_empty=True,
)
SUBJECT = (STAGED, REF, BASE, PROFILE, POLICY_REF)

STAGE = Option(
    "stage",
    ("--stage",),
    "Where the gate is called: {values}. It decides which disclosures of weakenings count; of a commit the default is "
    "ci, else commit.",
    Takes.WORD,
    "STAGE",
    refuses_empty=True,
    known_values=_stages,
)
PULL_REQUEST = Option(
    "pull_request",
    ("--pull-request",),
    "Read the pull request's title and body from this file: lines in it that disclose weakenings count.",
    Takes.FILE,
)

REVIEWS = Option(
    "reviews",
    ("--reviews",),
    "Read the reviews of the pull request from this file, as `gate-ci reviews` prints them: they approve in CI.",
    Takes.FILE,
)

MESSAGE = Option(
    "message",
    ("--message",),
    "Read the message of the commit that is being made from this file: lines in it that disclose weakenings count.",
    Takes.FILE,
)
MESSAGE_FOLLOWS = Option(
    "message_follows",
    ("--message-follows",),
    "Leave weakenings to the commit's message, which the hook commit-msg reads.",
)

ONLY = Option(
    "only",
    ("--only",),
    "Run only these capabilities; print the outcome, write no verdict.",
    Takes.NAMES,
    "CAPABILITY",
    refuses_empty=True,
)

FORMAT = Option(
    "formats",
    ("--format",),
    "Report format: {values}. With =FILE, write it to that file. Repeat for more reports.",
    Takes.WORDS,
    "NAME[=FILE]",
    known_values=_report_formats,
)
JSON_FORMAT = Option("as_json", ("--json",), "Same as --format json.")
OUTPUT = Option("output", ("--output",), "Write the report to this file, atomically.", Takes.FILE)
REPORTS = (FORMAT, JSON_FORMAT, OUTPUT)

ADVISORY = Option("advisory", ("--advisory",), "Report without blocking: exit with 0 whatever the verdict is.")

ALL_AGENTS = "all"
AGENT = Option(
    "agents",
    ("--agent",),
    "Host of a coding agent: {values}. Repeat for more.",
    Takes.WORDS,
    "NAME",
    known_values=_agent_hosts,
)
HOOK = Option(
    "hooks", ("--hook",), "Only this git hook: {values}. Repeat for more.", Takes.WORDS, "NAME", known_values=_git_hooks
)
SHARED = Option("shared", ("--shared",), "Allow a hooks folder outside the repository.")

SPAN = Option(
    "span",
    ("--range",),
    "Verify each commit of BASE..HEAD by itself, and then all of them as one change.",
    Takes.WORD,
    "BASE..HEAD",
    refuses_empty=True,
)

UNVERIFIED = Option(
    "unverified",
    ("--unverified",),
    "With --range: by themselves, verify only commits that were never verified on this machine, the newest 50 of them.",
)

SHARD = Option(
    "shard",
    ("--shard",),
    "With --range: verify this share of the commits, such as 2/8, and write it to --output for gate merge.",
    Takes.WORD,
    "K/N",
    refuses_empty=True,
)

TASKS = Option(
    "tasks",
    ("--tasks",),
    "Verify each task that this file lists, an id on each line.",
    Takes.FILE,
    refuses_empty=True,
)
ALL_TASKS = Option("all_tasks", ("--all",), "Verify each open task of this repository.")

EXECUTOR = Option(
    "executor",
    ("--executor",),
    "With --range, --tasks or --all: verify several at once. local:4 for four processes, local for one a processor; "
    "of a range also dask://HOST:PORT. grpc://HOST:PORT has workers run capabilities, of a single verification too.",
    Takes.WORD,
    "NAME",
    refuses_empty=True,
)

ENGINE_SET = Option(
    "engine_set",
    ("--engine-set",),
    "Set an option of the verifier's engine for this run, as in model=NAME. Repeat for more.",
    Takes.WORDS,
    "KEY=VALUE",
)

PROFILE_RUN = Option(
    "profile_run",
    ("--profile-run",),
    "Write to this file when each stage and capability ran, for chrome://tracing and Perfetto.",
    Takes.FILE,
    refuses_empty=True,
)

VERIFY = (
    *SUBJECT,
    SPAN,
    UNVERIFIED,
    SHARD,
    TASKS,
    ALL_TASKS,
    EXECUTOR,
    STAGE,
    PULL_REQUEST,
    REVIEWS,
    MESSAGE,
    MESSAGE_FOLLOWS,
    ONLY,
    *REPORTS,
    Option("no_llm", ("--no-llm",), "Decide from facts alone, whatever the profile says."),
    Option("watch", ("--watch",), "Show the output of a verifier's engine on stderr while it works."),
    ENGINE_SET,
    Option(
        "no_cache",
        ("--no-cache",),
        "Run every capability, even if it is cached or passed within the hour.",
    ),
    Option("touched", ("--touched",), "Run no tests, linters or builds if only documents changed, as git hooks do."),
    Option(
        "affected",
        ("--affected",),
        "Run the tests of packages that the change affects, and not those of others, unless the profile asks for all.",
    ),
    PROFILE_RUN,
    VERBOSE,
    ADVISORY,
    QUIET,
)
"""The options of ``gate verify``, in the order of its help."""

DO = (
    Option("dry_run", ("--dry-run", "-n"), "Print the command; run nothing."),
    Option("explain", ("--explain",), "Show every candidate, its confidence and why it was rejected; run nothing."),
    Option("yes", ("--yes", "-y"), "Run a destructive command without asking."),
    Option("using", ("--using",), 'Use only this adapter, like "using ALIAS" in the request.', Takes.WORD, "ALIAS"),
    JSON,
)
"""The options of ``gate do``, in the order of its help."""
