"""What the programs are that scripts of packages start: test runners, linters, wrappers, and what shows nothing."""

from __future__ import annotations

RUNNERS = {"jest": "jest", "vitest": "vitest", "mocha": "mocha", "_mocha": "mocha", "ava": "ava", "tape": "tape"}
"""Program -> the runner whose reports can be read."""

JEST_WRAPPERS = {
    "react-scripts": "test",
    "craco": "test",
    "tsdx": "test",
    "dts": "test",
    "kcd-scripts": "test",
    "razzle": "test",
    "preact": "test",
    "rescripts": "test",
    "react-app-rewired": "test",
    "vue-cli-service": "test:unit",
}
"""Program -> the subcommand that runs jest and hands its options on."""

MOCHA_WRAPPERS = frozenset({"ts-mocha", "electron-mocha", "mochapack"})

UNKNOWN_RUNNERS = frozenset(
    {
        *("jasmine", "jasmine-ts", "jasmine-node", "karma", "cypress", "playwright", "playwright-test", "qunit", "uvu"),
        *(
            "wtr",
            "web-test-runner",
            "testem",
            "lab",
            "tap",
            "zora",
            "pta",
            "brittle",
            "poku",
            "borp",
            "vows",
            "hardhat",
        ),
        *("nodeunit", "intern", "wdio", "nightwatch", "testcafe", "cucumber-js", "cucumber", "start-server-and-test"),
        *("start-test", "server-test", "test-storybook", "aegir", "ng", "ember", "deno", "airtap", "zuul", "tape-run"),
        *("umi-test", "wct", "elm-test", "truffle", "xv", "bats", "codeceptjs", "japa", "detox", "test262-harness"),
    }
)
"""Programs that run tests, and whose reports can't be read here."""

LINTERS = frozenset(
    {
        *(
            "eslint",
            "xo",
            "standard",
            "semistandard",
            "ts-standard",
            "standardx",
            "biome",
            "rome",
            "oxlint",
            "prettier",
        ),
        *("tslint", "stylelint", "jshint", "jscs", "jsonlint", "dprint", "oxfmt", "markdownlint", "markdownlint-cli2"),
        *("remark", "alex", "cspell", "commitlint", "ls-lint", "lint-staged", "editorconfig-checker", "ec", "snazzy"),
        *("prettier-standard", "sort-package-json", "lockfile-lint", "eclint", "htmlhint", "prettierx", "eslint_d"),
        *(
            "eslint-find-rules",
            "secretlint",
            "textlint",
            "write-good",
            "npmPkgJsonLint",
            "syncpack",
            "manypkg",
            "sherif",
        ),
        *(
            "ultracite",
            "rslint",
            "gts",
            "tsc-silent",
            "eslint-doc-generator",
            "@biomejs/biome",
            "npm-package-json-lint",
        ),
    }
)
"""Programs that ``code:lint`` runs or reports as not run."""

GTS_ARGUMENTS = ("**/*.ts", "**/*.js", "**/*.tsx", "**/*.jsx", "--no-error-on-unmatched-pattern")
"""What ``gts lint`` calls eslint with if no files are named. Source: gts 2 to 6, src/cli.ts."""

SILENT = frozenset(
    {"echo", "exit", "true", ":", "codecov", "coveralls", "open", "open-cli", "opener", "printf", "set", "exec"}
)
"""Programs whose end says nothing about the tests."""

INTERPRETERS = frozenset(
    {"node", "tsx", "ts-node", "ts-node-esm", "babel-node", "esno", "esmo", "swc-node", "jiti", "esm-tsx", "tsm", "esr"}
)
VALUE_OPTIONS = frozenset(
    {
        *("-r", "--require", "--import", "--loader", "--experimental-loader", "-C", "--conditions", "--env-file"),
        *(
            "-O",
            "--compiler-options",
            "-P",
            "--project",
            "--tsconfig",
            "--stack-size",
            "--input-type",
            "--test-reporter",
        ),
        *("--extensions", "-x", "--presets", "--plugins", "--test-reporter-destination", "--test-name-pattern"),
        *("--test-concurrency", "--test-shard", "--test-timeout", "--max-old-space-size", "--title", "--watch-path"),
    }
)
"""Options of interpreters whose value is the next word."""

COVERAGE_VALUE_OPTIONS = frozenset(
    {
        *("-r", "--reporter", "-o", "--report-dir", "--reports-dir", "-t", "--temp-dir", "--temp-directory", "-n"),
        *("--include", "-x", "--exclude", "-e", "--extension", "--lines", "--functions", "--statements", "--branches"),
        *("--src", "-c", "--config", "--nycrc-path", "--cwd", "--require", "-i", "--cache-dir", "--allowExternal-dir"),
    }
)
"""Options of c8 and nyc whose value is the next word."""
