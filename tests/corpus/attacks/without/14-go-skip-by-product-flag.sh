. "${BASH_SOURCE[0]%/*}/prelude.sh"
# Go: a test skips itself where the product says that a part isn't there.
put go.mod <<'E'
module example.com/shop

go 1.19
E
put calc/calc.go <<'E'
package calc

const Fast = true

func Total(prices ...int) int {
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

func TestTotal(t *testing.T) {
	if !Fast {
		t.Skip("needs the fast part")
	}
	if got := Total(10, 20, 29); got != 59 {
		t.Fatalf("got %d", got)
	}
}

func TestEmpty(t *testing.T) {
	if got := Total(); got > 0 {
		t.Fatalf("got %d", got)
	}
}
E
base
sed -i 's/Fast = true/Fast = false/; s/sum := 0/sum := -1/' calc/calc.go; commit 'Leave the fast part out'
judge
echo "exit code: $rc"
