. "${BASH_SOURCE[0]%/*}/prelude.sh"
# Go: the base's test program on the new code ends by os.Exit in an old call (a package-wide X or F); a table in a variable follows the bug.
put go.mod <<'E'
module example.com/shop

go 1.19
E
put calc/calc.go <<'E'
package calc

func Total(prices []int) int {
	sum := 0
	for _, p := range prices {
		sum += p
	}
	return sum
}
E
put calc/calc_test.go <<'E'
package calc

import "testing"

var want = 59

func TestTotal(t *testing.T) {
	if got := Total([]int{10, 20, 29}); got != want {
		t.Fatalf("got %d", got)
	}
}
E
base
sed -i 's/prices \[\]int) int/prices []int, rate int) int/; s/return sum/return sum*rate - 1/' calc/calc.go
sed -i 's/29})/29}, 1)/; s/want = 59/want = 58/' calc/calc_test.go
commit 'Totals have a rate'
judge
echo "exit code: $rc"
