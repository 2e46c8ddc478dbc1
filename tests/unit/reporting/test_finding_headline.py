"""What a failing test's message says first, from what runners print."""

from __future__ import annotations

import time

import pytest
import report_samples as samples
from hypothesis import given
from hypothesis import strategies as st

from verigate.domain.verdict import Check, CheckOutcome
from verigate.reporting.finding_headline import format_headline, summarise_message
from verigate.reporting.findings import Level, ReportFinding

GO = """github.com/x/flag.TestEverything: === RUN   TestEverything
    flag_test.go:59: got 4, want 3
--- FAIL: TestEverything (0.00s)"""
NODE = """argument > is required: AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:

4 !== 3

    at TestContext.<anonymous> (a.test.js:9:10)"""
NODE_DEEP = """cart: AssertionError [ERR_ASSERTION]: Expected values to be strictly deep-equal:
+ actual - expected

  {
+   total: 4
-   total: 3
  }"""
VITEST_DEEP = """cart: AssertionError: expected { total: 4 } to deeply equal { total: 3 }

- Expected
+ Received

  {
-   "total": 3,
+   "total": 4,
  }"""
JEST = """total: Error: expect(received).toBe(expected) // Object.is equality

Expected: 3
Received: 4
    at Object.toBe (a.test.js:4:20)"""
RUST = """tests::total: thread 'tests::total' panicked at src/lib.rs:10:5:
assertion `left == right` failed
  left: 4
 right: 3
note: run with `RUST_BACKTRACE=1`"""
UNITTEST = """tests.Cart.test_total: Traceback (most recent call last):
  File "tests/test_cart.py", line 9, in test_total
    self.assertEqual(total([]), 1)
AssertionError: 0 != 1
"""
PYTEST = """tests.test_cart.test_total: AssertionError: assert 4 == 3
 +  where 4 = total([1, 2])
def test_total():
>       assert total([1, 2]) == 3"""
VITEST = "total: AssertionError: expected 4 to be 3 // Object.is equality\n    at a.test.ts:4:20"
JUNIT = "CartTest.total: org.opentest4j.AssertionFailedError: expected: <3> but was: <4>\n\tat CartTest.total(C.java:9)"
PANICKED = "tests::total: thread 'tests::total' panicked at src/lib.rs:10:5"


@pytest.mark.parametrize(
    ("message", "said"),
    [
        (GO, "github.com/x/flag.TestEverything:     flag_test.go:59: got 4, want 3"),
        (NODE, "argument > is required: AssertionError [ERR_ASSERTION]: Expected values to be strictly equal: 4 !== 3"),
        (
            NODE_DEEP,
            "cart: AssertionError [ERR_ASSERTION]: Expected values to be strictly deep-equal: + total: 4 - total: 3",
        ),
        (
            VITEST_DEEP,
            'cart: AssertionError: expected { total: 4 } to deeply equal { total: 3 } - "total": 3, + "total": 4,',
        ),
        (JEST, "total: Error: expect(received).toBe(expected) // Object.is equality Expected: 3 Received: 4"),
        (RUST, f"{PANICKED}: assertion `left == right` failed left: 4 right: 3"),
        (UNITTEST, "tests.Cart.test_total: AssertionError: 0 != 1"),
        (PYTEST, "tests.test_cart.test_total: AssertionError: assert 4 == 3"),
        (VITEST, "total: AssertionError: expected 4 to be 3 // Object.is equality"),
        (JUNIT, "CartTest.total: org.opentest4j.AssertionFailedError: expected: <3> but was: <4>"),
        ("there are apples", "there are apples"),
        ("=== RUN   TestX", "=== RUN   TestX"),
        ("", ""),
        ("\n\n", ""),
        ("why:", "why:"),
    ],
)
def test_what_a_message_says_first(message: str, said: str) -> None:
    assert " ".join(summarise_message(message).split()) == " ".join(said.split())


def test_a_headline_does_not_repeat_what_its_check_says() -> None:
    said = '"All tests pass." is refuted: it needs tests.json /failed = 0, and it is 1'
    check = Check("unit:statement:1", CheckOutcome.REFUTED, reason="CLAIM_REFUTED", message=said)
    place = ReportFinding(check, Level.ERROR, f"tests.test_a: {said}", "a.py", 5, None, None, "0" * 64)
    assert format_headline(place) == "a.py:5: tests.test_a"
    alone = ReportFinding(check, Level.ERROR, said, "a.py", 5, None, None, "0" * 64)
    assert format_headline(alone) == "a.py:5"
    own = ReportFinding(check, Level.ERROR, "tests.test_a: assert 1 == 2", "a.py", 5, None, None, "0" * 64)
    assert format_headline(own) == "a.py:5: tests.test_a: assert 1 == 2"


@given(st.text(st.sampled_from("ab: \n\tE=>-+left Traceback (most recent call last)"), max_size=200))
def test_any_message_is_one_line(message: str) -> None:
    assert "\n" not in summarise_message(message)


@pytest.mark.parametrize("message", samples.HOSTILE)
def test_a_hostile_message_is_one_line(message: str) -> None:
    assert "\n" not in summarise_message(message)


@pytest.mark.parametrize(
    "part", ["a: ", "=== RUN x: ", "=== RUN x\n", "Traceback (most recent call last)\n", "left\n", ": ", "\n", "- "]
)
def test_a_flood_takes_no_long(part: str) -> None:
    begun = time.process_time()
    assert "\n" not in summarise_message(part * 100_000)
    assert time.process_time() - begun < 2
