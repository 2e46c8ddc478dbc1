"""The vocabulary of statements: words and the one name of each. An unlisted word may change the meaning."""

from __future__ import annotations

from collections.abc import Iterator


def _parse_table(text: str) -> Iterator[tuple[str, str]]:
    """Parse lines of ``name: word word``; an indented line continues the one above. Yield (word, name)."""
    name = ""
    for line in text.strip().splitlines():
        if not line.startswith(" "):
            name, _, line = line.partition(":")  # noqa: PLW2901 - the rest of the line
        for word in line.split():
            yield word, name


def _split_words(text: str) -> list[str]:
    return text.split()


BY_STEM = dict(
    _parse_table("""
ok: pass passes passing green clean cleanly succeed success successful happy ok okay fine good correct work working
    valid healthy live alive reachable resolve resolves accessible intact perfect
bad: fail failure failing broken break breaks red dead unreachable invalid error-prone crash
skip: skip skipped ignored xfail deselected disabled
tests: test tests suite suites testsuite
lint: lint linter linting linters
build: build builds compilation builder
compile: compile compiles compiling
cov: coverage
covered: cover covered
error: error errors
warning: warning warnings
finding: issue issues problem problems finding violation complaint offense offence diagnostic
all: all every each everything entire whole full complete
no: no zero nil
none: none nothing
not: not n't
some: some several
only: only just
total: total overall altogether
run: run runs ran execute
file: file files
change: change update edit touch adjust alter tweak
modify: modify
create: add define create introduce implement write wrote written
new: new
delete: delete remove drop
unchanged: unchanged untouched unmodified
weaken: weaken loosen relax
assertion: assertion
rule: rule rules
suppression: suppression suppressions
function: function functions method class helper classes
endpoint: endpoint route
link: link url hyperlink
docs: docs documentation doc
check: check scan examine checker
return: return respond answer give take
api: api
response: response
match: match conform fit validate adhere comply satisfy meet
schema: schema openapi swagger spec specification contract
document: documented
undocument: undocumented
protect: protected secured
require: require need demand
auth: authentication auth authorization credentials authenticated token login
unauth: unauthenticated unauthorized anonymous
public: public open
reject: reject refuse block deny
request: request call
limit: limit limited limiting throttled
rate: rate
latency: latency
median: median
word: word
count: count
article: article text report document page post blog essay guide content draft
long: long length
image: image picture figure screenshot
alt: alt alternative
attribute: attribute
missing: missing lack
present: there present exist
quote: quote quotation
attributed: attributed cited sourced
source: source attribution
name: name cite
unattributed: unattributed
heading: heading section chapter
h1: h1
line: line
branch: branch
up: up rise rose increase grow grew improve higher
down: down drop decrease fall fell regress lower
stay: stay remain
so: so
diff: diff patch pr commit changeset
this: this
active: active enforce enabled apply
place: place
exit: exit exits exited
or: or nor
to: to
from: from
in: in across within inside
on: on
effect: effect
threshold: threshold bar mark goal-line
bearer: bearer
key: key
by: by
longer: longer
step: step stage
status: status
between: between
called: called named titled
code: code project codebase repo repository app application program crate binary
unused: unused obsolete dead-code
limiter: limiter
bug: bug defect
refactor: refactor refactoring
""")
)
"""Word -> name, for all words with the same stem."""

EXACT = dict(
    _parse_table("""
attribute: attribute
lt: shorter
gt: longer
run: re-ran re-run rerun reran running
ratelimit: rate-limited rate-limiting rate-limit rate-limits
attributed: attributed cited
ok: valid
insertion: insertion insertions
deletion: deletion deletions
down: drops dropped lower
ones: ones
build: built
pages: pages documents
require: needs
2xx: 2xx 200s
lint: lints
line: statements statement
cases: cases case
results: results result
h1: h1
document: documented
docs: docs documentation doc
article: document
report: report
ok: live working passes good fine green
public: open
covered: covered
schema: spec
request: calls
called: called named
text: texts text
return: gives give
suite: suite
suites: suites
types: typecheck typechecks typechecking type-check type-checks type-checking type-checker typechecker
type: type
name: names
function: helper
changes: changes
for: for
dead: dead broken
create: wrote
check: scanned checked
checks: checks
match: fits
fix: fix fixes fixed
behaviour: behaviour behavior behaviours behaviors behavioural behavioral functional functionality semantic semantics
preserving: behaviour-preserving behavior-preserving
preserve: preserves preserved
pure: pure purely
same: same identical
existing: existing pre-existing
regression: regression regressions
move: move moves moved
rename: rename renames renamed
split: split splits
parametrise: parametrise parametrize parametrised parametrized parameterised parameterized parameterise parameterize
    table-driven
all: fully wholly
no: without neither
tested: tested
stricter: stricter tighter tightened
expected: expected
expectation: expectation expectations
values: values
builds: builds
""")
)
"""Word -> name, for this form only: "dropped" is a direction, "drop" a deletion."""

UNKNOWN = frozenset(
    _split_words("""
fewer linted testing worked one's linked building goods filed articles counted needed worded wording imaging
covers covering attributes posts lives opens opened specs  needing  given
contract contracts helpers built-in
""")
)
"""Forms that share a stem with a word above but mean something else."""

STOP_WORDS = frozenset(
    _split_words("""
gone than
verified confirmed via number we're exposes serves offers provides single
're 's 've a again against already also an any are as at be been being both came come comes completed completes
emit emits emitted anymore
contain contains currently did do does done end even exactly far finally find finds finish finished finishes found
get gets go goes got great has have here hit hits http i i'm i've include includes indeed is it it's its left
locally made make my now of our out output outputs precisely print prints reach reached reaches remain remained
remains reported reporting reports resulted resulting say says show showed showing shows sit sits stands still that
the them there there's they they're together too totals value was we we've well went were which yes yet you've
""")
)
"""Words that may stand anywhere without changing the meaning."""

NUMBERS = {
    word: number
    for number, word in enumerate(
        _split_words("""
one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
nineteen twenty
"""),
        start=1,
    )
} | {"thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90, "hundred": 100}
