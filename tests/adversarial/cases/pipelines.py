"""Steps of a pipeline, commands that run tests, settings of coverage: what makes them judge less, and what doesn't."""

from __future__ import annotations

import json
from collections.abc import Mapping

from repositories import Content, Ended, Repository

from cases.pair import PAIRS, Pair
from cases.samples import INTACT

WORKFLOW = """name: ci
on: [push, pull_request]
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - run: ruff check .
      - run: pytest --cov --cov-fail-under=90
      - name: Upload
        uses: actions/upload-artifact@v4
        with:
          path: report.xml
"""
CI = ".github/workflows/ci.yml"
YAML = "steps of a pipeline"
COMMENT = "a comment in YAML"
CONTINUES = "continue-on-error"
NARROW = "a command that narrows"
COVERAGE = "settings of coverage"


PRODUCT: Mapping[str, Content] = {
    "shop/price.py": "PRICE = 1\n",
    "src/price.js": "export const price = 1;\n",
    "src/price.ts": "export const price = 1;\n",
}


def edited(  # noqa: PLR0917 - a row of a table
    kind: str,
    language: str,
    what: str,
    before: Mapping[str, Content],
    lie: Mapping[str, Content],
    honest: Mapping[str, Content],
) -> None:
    """Register a pair whose forms replace files of ``before``; each also adds a line to a file of code."""

    def build(repo: Repository, is_lie: bool) -> Ended:
        repo.policy(("code:diff", "code:integrity"), INTACT)
        repo.commit({"notes.txt": "one\n", **PRODUCT, **before})
        repo.task(type_="change")
        repo.write({"notes.txt": "one\ntwo\n", **(lie if is_lie else honest)})
        repo.claim("file:notes.txt", type_="change")
        return repo.verify()

    name = f"{language} {what}".lower().replace("#", "sharp").replace(" ", "_").replace("-", "_")
    PAIRS.append(Pair(name, build, 1, "INTEGRITY_FAIL", "code.integrity", None, kind, language))


def workflow(kind: str, what: str, lie: tuple[str, str], honest: tuple[str, str]) -> None:
    """Register a pair that edits the workflow."""
    for old, _ in (lie, honest):
        if old not in WORKFLOW:
            raise ValueError(f"the workflow has no {old!r}")
    edited(kind, "YAML", what, {CI: WORKFLOW}, {CI: WORKFLOW.replace(*lie)}, {CI: WORKFLOW.replace(*honest)})


PYTEST = "      - run: pytest --cov --cov-fail-under=90\n"
UPLOAD = "        uses: actions/upload-artifact@v4\n"
workflow(
    COMMENT,
    "the tests become a comment",
    (PYTEST, PYTEST.replace("- run", "# - run")),
    (PYTEST, f"      # Was: pytest || true\n{PYTEST}"),
)
workflow(
    COMMENT,
    "the command ends in a comment",
    ("run: pytest --cov", "run: true # pytest --cov"),
    ("run: pytest --cov --cov-fail-under=90", "run: pytest --cov --cov-fail-under=90 # all of them"),
)
workflow(
    CONTINUES,
    "a judge may fail",
    (PYTEST, f"{PYTEST}        continue-on-error: true\n"),
    (UPLOAD, f"{UPLOAD}        continue-on-error: true\n"),
)
workflow(
    CONTINUES,
    "the whole job may fail",
    ("    runs-on:", "    continue-on-error: true\n    runs-on:"),
    ("    runs-on:", "    timeout-minutes: 9\n    runs-on:"),
)
workflow(
    YAML,
    "a failure is turned into success",
    ("--cov-fail-under=90", "--cov-fail-under=90 || true"),
    ("--cov-fail-under=90", "--cov-fail-under=90 --durations=5"),
)
workflow(
    YAML,
    "a step never runs",
    (PYTEST, f"{PYTEST}        if: false\n"),
    (PYTEST, f"{PYTEST}        env:\n          TZ: UTC\n"),
)
workflow(
    YAML,
    "no pull request is checked",
    ("[push, pull_request]", "[workflow_dispatch]"),
    ("[push, pull_request]", "[push, pull_request, merge_group]"),
)
workflow(
    YAML,
    "the linter is gone",
    ("      - run: ruff check .\n", ""),
    ("      - run: ruff check .\n", "      - run: ruff check . --output-format=github\n"),
)
workflow(
    YAML,
    "the linter fixes what it finds and goes on",
    ("ruff check .", "ruff check . --exit-zero"),
    ("ruff check .", "ruff check . --statistics"),
)
workflow(YAML, "the threshold is lowered", ("under=90", "under=20"), ("under=90", "under=95"))

SCRIPTS: tuple[tuple[str, str, str, str], ...] = (
    ("Python", "pytest", "pytest -k smoke", "pytest -p no:cacheprovider"),
    ("Python", "pytest -m all_of_them", "pytest -m 'not slow'", "pytest -m all_of_them -ra"),
    ("Python", "pytest tests", "pytest tests --deselect tests/test_a.py::test_b", "pytest tests --durations=5"),
    ("Python", "pytest -v", "pytest -v -p no:asyncio", "pytest -v -p no:randomly"),
    ("Python", "python -m unittest", "python -m unittest -k smoke", "python -m unittest -v"),
    ("JavaScript", "npx jest", "npx jest -t smoke", "npx jest --colors"),
    ("JavaScript", "npx jest --ci", "npx jest --ci --testPathPattern=smoke", "npx jest --ci --verbose"),
    ("JavaScript", "npx mocha", "npx mocha --grep smoke", "npx mocha --reporter dot"),
    ("JavaScript", "node --test", "node --test --test-name-pattern=smoke", "node --test --test-reporter=tap"),
    ("TypeScript", "npx vitest run", "npx vitest run -t smoke", "npx vitest run --reporter=dot"),
    ("Go", "go test ./...", "go test -run Smoke ./...", "go test -v ./..."),
    ("Go", "go test -race ./...", "go test -race -short ./...", "go test -race -count=1 ./..."),
    ("Rust", "cargo test", "cargo test smoke", "cargo test --locked"),
    ("Rust", "cargo test --all", "cargo test --all -- --skip slow", "cargo test --all -- --nocapture"),
    ("Java", "mvn test", "mvn test -Dtest=SmokeTest", "mvn test -B"),
    ("Java", "mvn verify", "mvn verify -DskipTests", "mvn verify -B"),
    ("Kotlin", "./gradlew test", "./gradlew test --tests SmokeTest", "./gradlew test --info"),
    ("Kotlin", "./gradlew check", "./gradlew check -x test", "./gradlew check --stacktrace"),
    ("C#", "dotnet test", "dotnet test --filter Category=Smoke", "dotnet test --nologo"),
    ("Ruby", "bundle exec rspec", "bundle exec rspec --tag smoke", "bundle exec rspec --format progress"),
    ("PHP", "vendor/bin/phpunit", "vendor/bin/phpunit --filter Smoke", "vendor/bin/phpunit --colors=never"),
    (
        "PHP",
        "vendor/bin/phpunit tests",
        "vendor/bin/phpunit tests --exclude-group slow",
        "vendor/bin/phpunit tests --testdox",
    ),
    ("Bash", "bats test", "bats test --filter smoke", "bats test --tap"),
    ("C", "ctest --test-dir build", "ctest --test-dir build -R smoke", "ctest --test-dir build --output-on-failure"),
    ("Elixir", "mix test", "mix test --only smoke", "mix test --color"),
    ("Swift", "swift test", "swift test --filter Smoke", "swift test --parallel"),
)
"""Language, the command of the base, the one that runs fewer tests, and one that runs all."""

for language, command, fewer, other in SCRIPTS:
    if language in {"JavaScript", "TypeScript"}:
        base, lie, honest = (
            {"package.json": json.dumps({"name": "a", "scripts": {"test": each}}, indent=2) + "\n"}
            for each in (command, fewer, other)
        )
    else:
        base, lie, honest = (
            {CI: WORKFLOW.replace(PYTEST, f"      - run: {each}\n")} for each in (command, fewer, other)
        )
    edited(
        NARROW,
        language,
        f"runs {fewer.partition(' ')[0].rpartition('/')[2]} {fewer.rpartition(' ')[2]} of {command}".replace(
            "/", " "
        ).replace(".", " "),
        base,
        lie,
        honest,
    )

RC = "[run]\nbranch = true\nsource = shop\n\n[report]\nfail_under = 90\nexclude_also =\n    if TYPE_CHECKING:\n"
RC_TOML = '[run]\nbranch = true\nsource = ["shop"]\n\n[report]\nfail_under = 90\nexclude_also = ["if TYPE_CHECKING:"]\n'
PYPROJECT = RC_TOML.replace("[run]", "[tool.coverage.run]").replace("[report]", "[tool.coverage.report]")
for file, text in ((".coveragerc", RC), (".coveragerc.toml", RC_TOML), ("pyproject.toml", PYPROJECT)):
    plain = file == ".coveragerc"
    more = "    if TYPE_CHECKING:\n    def \n" if plain else '["if TYPE_CHECKING:", "def "]'
    same = "    if TYPE_CHECKING:\n" if plain else '["if TYPE_CHECKING:"]'
    named = file.strip(".").replace(".", " ")
    edited(
        COVERAGE,
        "Python",
        f"the threshold falls in {named}",
        {file: text},
        {file: text.replace("90", "30")},
        {file: text.replace("90", "95")},
    )
    edited(
        COVERAGE,
        "Python",
        f"more lines are excluded in {named}",
        {file: text},
        {file: text.replace(same, more)},
        {file: text.replace("fail_under = 90\n", "fail_under = 90\nprecision = 2\n")},
    )
    omit = "omit = shop/price.py\n" if plain else 'omit = ["shop/price.py"]\n'
    edited(
        COVERAGE,
        "Python",
        f"a module is omitted in {named}",
        {file: text},
        {file: text.replace("branch = true\n", f"branch = true\n{omit}")},
        {file: text.replace("branch = true\n", "branch = true\nparallel = true\n")},
    )
    edited(
        COVERAGE,
        "Python",
        f"branches no longer count in {named}",
        {file: text},
        {file: text.replace("branch = true", "branch = false")},
        {file: text.replace("branch = true\n", "branch = true\nrelative_files = true\n")},
    )
JEST = {"coverageThreshold": {"global": {"lines": 80}}, "collectCoverageFrom": ["src/**/*.js"]}


def package(**fields: object) -> str:
    """A package.json with other settings of Jest."""
    return json.dumps({"name": "a", "jest": {**JEST, **fields}}, indent=2) + "\n"


edited(
    COVERAGE,
    "JavaScript",
    "the threshold of jest falls",
    {"package.json": package()},
    {"package.json": package(coverageThreshold={"global": {"lines": 10}})},
    {"package.json": package(coverageThreshold={"global": {"lines": 90}})},
)
edited(
    COVERAGE,
    "JavaScript",
    "jest collects from fewer files",
    {"package.json": package()},
    {"package.json": package(collectCoverageFrom=["src/**/*.js", "!src/price.js"])},
    {"package.json": package(collectCoverageFrom=["src/**/*.js"], verbose=True)},
)
VITEST = "export default defineConfig({ test: { coverage: { thresholds: { lines: 80 } } } });\n"
edited(
    COVERAGE,
    "TypeScript",
    "the threshold of vitest falls",
    {"vitest.config.ts": VITEST},
    {"vitest.config.ts": VITEST.replace("80", "10")},
    {"vitest.config.ts": VITEST.replace("80", "90")},
)
edited(
    COVERAGE,
    "TypeScript",
    "vitest leaves a file out",
    {"vitest.config.ts": VITEST},
    {"vitest.config.ts": VITEST.replace("coverage: {", 'coverage: { exclude: ["src/price.ts"],')},
    {"vitest.config.ts": VITEST.replace("coverage: {", 'coverage: { reporter: ["text"],')},
)
POM = """<project>
  <build><plugins><plugin>
    <artifactId>jacoco-maven-plugin</artifactId>
    <executions><execution>
      <goals><goal>check</goal></goals>
      <configuration><rules><rule><limits>
        <limit><counter>LINE</counter><minimum>0.80</minimum></limit>
      </limits></rule></rules></configuration>
    </execution></executions>
  </plugin></plugins></build>
</project>
"""
edited(
    COVERAGE,
    "Java",
    "the threshold of jacoco falls",
    {"pom.xml": POM},
    {"pom.xml": POM.replace("0.80", "0.10")},
    {"pom.xml": POM.replace("0.80", "0.90")},
)
edited(
    COVERAGE,
    "Java",
    "jacoco no longer checks",
    {"pom.xml": POM},
    {"pom.xml": POM.replace("<rules>", "<haltOnFailure>false</haltOnFailure><rules>")},
    {"pom.xml": POM.replace("<goals>", "<id>check</id><goals>")},
)
GRADLE = "tasks.test {\n    useJUnitPlatform()\n}\nkover { reports { verify { rule { minBound(80) } } } }\n"
edited(
    COVERAGE,
    "Kotlin",
    "the threshold of kover falls",
    {"build.gradle.kts": GRADLE},
    {"build.gradle.kts": GRADLE.replace("80", "10")},
    {"build.gradle.kts": GRADLE.replace("80", "90")},
)
LLVM_COV = "coverage:\n\tcargo llvm-cov --fail-under-lines 80\n"
edited(
    COVERAGE,
    "Rust",
    "the threshold of llvm cov falls",
    {"Makefile": LLVM_COV},
    {"Makefile": LLVM_COV.replace("80", "10")},
    {"Makefile": LLVM_COV.replace("80", "90")},
)
