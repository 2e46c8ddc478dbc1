"""Twins of Go's tests."""

from __future__ import annotations

from cases import suites
from cases.suites import Suite

GO = Suite(
    "Go",
    "price.go",
    'package shop\n\nimport "strconv"\n\nfunc Total(prices ...int) int {\n\tsum := 0\n\tfor _, price := range prices {\n\t\tsum += price\n\t}\n'
    "\treturn sum\n}\n\nfunc Parse(text string) (int, error) { return strconv.Atoi(text) }\n",
    "\nfunc Double(price int) int { return 2 * price }\n",
    "price_test.go",
    """package shop

import (
	"errors"
	"os"
	"strconv"
	"testing"
)

func assertTotal(t *testing.T, wanted int, prices ...int) {
	t.Helper()
	if got := Total(prices...); got != wanted {
		t.Errorf("got %d", got)
	}
}

func TestTotal(t *testing.T) {
	if got := Total(1, 2); got != 3 {
		t.Errorf("got %d", got)
	}
}

func TestTotalOfMany(t *testing.T) {
	assertTotal(t, 6, 1, 2, 3)
}

func TestNoNumber(t *testing.T) {
	if _, err := Parse("x"); !errors.Is(err, strconv.ErrSyntax) {
		t.Fatal(err)
	}
}

func TestLater(t *testing.T) {
	t.Skip()
	assertTotal(t, 1)
}

func TestMain(m *testing.M) {
	os.Exit(m.Run())
}

func TestParse(t *testing.T) {
	for _, row := range []struct {
		text   string
		number int
	}{
		{"1", 1},
		{"2", 2},
		{"-3", -3},
	} {
		t.Run(row.text, func(t *testing.T) {
			if got, _ := Parse(row.text); got != row.number {
				t.Errorf("got %d", got)
			}
		})
	}
}
""",
    {"go.mod": "module shop\n\ngo 1.19\n"},
)
ONE = 'func TestTotal(t *testing.T) {\n\tif got := Total(1, 2); got != 3 {\n\t\tt.Errorf("got %d", got)\n\t}\n}\n'
ADDED = (ONE, f'{ONE}\nfunc TestOne(t *testing.T) {{\n\tif Total(7) != 7 {{\n\t\tt.Error("wrong")\n\t}}\n}}\n')
CHECK = '\tif got := Total(1, 2); got != 3 {\n\t\tt.Errorf("got %d", got)\n\t}\n'

GO.twin(suites.DELETED, "a test is deleted", ((ONE, ""),), (ADDED,))
GO.twin(suites.FILE_GONE, "the file of tests is gone", {GO.tests: None}, {GO.tests: None, "totals_test.go": GO.text})
GO.twin(suites.SKIPPED, "a test is skipped", ((CHECK, f"\tt.Skip()\n{CHECK}"),), (ADDED,))
GO.twin(
    suites.REASON,
    "another test is skipped too",
    (("\tt.Skip()\n", '\tt.Skip("later")\n'), (CHECK, f'\tt.Skip("later")\n{CHECK}')),
    (("\tt.Skip()\n", '\tt.Skip("waits for the new tariff")\n'),),
)
GO.twin(
    suites.CONDITION,
    "a test is skipped where a variable is missing",
    ((CHECK, f'\tif os.Getenv("SHOP_DB") == "" {{\n\t\tt.Skip("no database")\n\t}}\n{CHECK}'),),
    (ADDED,),
)
GO.twin(
    suites.CONDITION,
    "a build tag hides the file",
    (("package shop\n", "//go:build integration\n\npackage shop\n"),),
    (("package shop\n", "// Tests of prices.\n\npackage shop\n"),),
)
GO.twin(suites.WEAK, "unequal becomes less", (("got != 3", "got < 0"),), (("got != 3", "3 != got"),))
GO.twin(suites.WIDE, "any error will do", (("!errors.Is(err, strconv.ErrSyntax)", "err == nil"),), (ADDED,))
GO.twin(
    suites.CONSTANT,
    "a constant is compared",
    (("if got := Total(1, 2); got != 3 {", "if got := 3; got != 3 {"),),
    (ADDED,),
)
GO.twin(suites.RETURNS, "a test returns first", ((CHECK, f"\tif true {{\n\t\treturn\n\t}}\n{CHECK}"),), (ADDED,))
GO.twin(
    suites.SWALLOWED,
    "a panic is recovered",
    ((CHECK, f"\tdefer func() {{ _ = recover() }}\n{CHECK}"),),
    ((CHECK, f'\tdefer func() {{ _ = os.Unsetenv("SHOP") }}\n{CHECK}'),),
)
GO.twin(
    suites.SWALLOWED,
    "a failure is only logged",
    (("\tif got := Total(1, 2); got != 3 {\n\t\tt.Errorf(", "\tif got := Total(1, 2); got != 3 {\n\t\tt.Logf("),),
    (("\tif got := Total(1, 2); got != 3 {\n\t\tt.Errorf(", "\tif got := Total(1, 2); got != 3 {\n\t\tt.Fatalf("),),
)
GO.twin(
    suites.ROWS,
    "a row is dropped",
    (('\t\t{"-3", -3},\n', ""),),
    (('\t\t{"-3", -3},\n', '\t\t{"-3", -3},\n\t\t{"40", 40},\n'),),
)
GO.twin(
    suites.HELPER,
    "a helper says nothing",
    (
        (
            '\tif got := Total(prices...); got != wanted {\n\t\tt.Errorf("got %d", got)\n\t}\n',
            "\t_ = Total(prices...)\n",
        ),
    ),
    (
        (
            '\tif got := Total(prices...); got != wanted {\n\t\tt.Errorf("got %d", got)',
            '\tif got := Total(prices...); got != wanted {\n\t\tt.Errorf("got %d, not %d", got, wanted)',
        ),
    ),
)
GO.twin(
    suites.NAMED_AWAY,
    "a test loses its name",
    (("func TestTotal(", "func checkTotal("),),
    (("func TestTotal(", "func TestSum("),),
)
