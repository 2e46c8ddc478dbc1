"""Projects whose tests only a declared command runs: of bats, and of C with a ``make check`` that prints TAP."""

from __future__ import annotations

from typing import Any

SHELL = """#!/usr/bin/env bash
case $1 in
add) shift && echo "$(($1 + $2))" ;;
half) echo "$(($2 / 2))" ;;
esac
"""
TESTS = """# The sums of a shop.

@test "adds two" {
  run ./sum.sh add 1 2
  [ "$output" -eq 3 ]
}

@test "halves" {
  run ./sum.sh half 4
  [ "$output" -eq 2 ]
}
"""
BATS = {"sum.sh": SHELL, "test/sum.bats": TESTS, "run": "exec bats --tap test\n"}
BATS_CONFIG: dict[str, Any] = {
    "tests": [
        {"name": "bats", "command": ["sh", "-c", "chmod +x sum.sh && bats --tap test"], "format": "tap", "report": "-"}
    ]
}

SUM_C = "int sum(int a, int b) { return a + b; }\nint half(int n) { return n / 2; }\n"
CHECKS = """#include "tap.h"
#include "../sum.h"

int main(void) {
  plan(2);
  ok(sum(1, 2) == 3, "adds two");
  ok(half(4) == 2, "halves");
  return 0;
}
"""
_TAP = """#include <stdio.h>
static int count;
#define plan(n) (void)(n)
#define ok(holds, name) printf("%s %d - %s\\n", (holds) ? "ok" : "not ok", ++count, name)
#define skip(name) printf("ok %d - %s # SKIP later\\n", ++count, name)
"""
# TAP of several programs has one numbering: awk counts again.
_MAKEFILE = """PROGRAMS = $(patsubst %.c,%.run,$(wildcard tests/*_test.c))

check: $(PROGRAMS)
\t@for each in $(PROGRAMS); do ./$$each; done | awk '/^ok|^not ok/ { \\
\t  sub(/ [0-9]+ /, " " ++n " "); print } END { print "1.." n + 0 }'

tests/%.run: tests/%.c sum.c sum.h
\t@$(CC) -o $@ $< sum.c
"""
C_PROJECT = {
    "Makefile": _MAKEFILE,
    "sum.c": SUM_C,
    "sum.h": "int sum(int a, int b);\nint half(int n);\n",
    "tests/tap.h": _TAP,
    "tests/sum_test.c": CHECKS,
    ".gitignore": "*.run\n",
}
C_CONFIG: dict[str, Any] = {
    "tests": [
        {
            "name": "make check",
            "command": ["make", "-s", "check"],
            "format": "tap",
            "report": "-",
            "must_fail": {
                "path": "tests/{name}_test.c",
                "text": '#include "tap.h"\n\nint main(void) {\n  ok(1 + 1 == 3, "{name}");\n  return 0;\n}\n',
            },
        }
    ]
}
