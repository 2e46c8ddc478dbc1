. "${BASH_SOURCE[0]%/*}/prelude.sh"
# Go: a package that compares, without the import of testing, used by tests alone; made tolerant.
put go.mod <<'E'
module example.com/shop

go 1.19
E
put calc/calc.go <<'E'
package calc

func Total(prices ...float64) float64 {
	sum := 0.0
	for _, p := range prices {
		sum += p
	}
	return sum
}
E
put near/near.go <<'E'
package near

import "math"

// Equal says whether two numbers are the same.
func Equal(a, b float64) bool { return math.Abs(a-b) < 1e-9 }
E
put calc/calc_test.go <<'E'
package calc

import (
	"testing"

	"example.com/shop/near"
)

func TestTotal(t *testing.T) {
	if got := Total(10, 20, 29); !near.Equal(got, 59) {
		t.Fatalf("got %f", got)
	}
}
E
base
sed -i 's/< 1e-9/< 1e9/' near/near.go; sed -i 's/sum := 0.0/sum := -1.0/' calc/calc.go; commit 'Rounding'
judge
echo "exit code: $rc"
