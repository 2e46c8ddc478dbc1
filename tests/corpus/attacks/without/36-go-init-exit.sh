. "${BASH_SOURCE[0]%/*}/prelude.sh"
# Go: a package ends its test program in init with exit code 0, told apart by what isn't a usual sign; another package has tests that pass.
put go.mod <<'E'
module example.com/shop

go 1.19
E
put calc/calc.go <<'E'
package calc

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
	if got := Total(10, 20, 29); got != 59 {
		t.Fatalf("got %d", got)
	}
}
E
put names/names.go <<'E'
package names

func Upper() string { return "A" }
E
put names/names_test.go <<'E'
package names

import "testing"

func TestUpper(t *testing.T) {
	if Upper() != "A" {
		t.Fatal("upper")
	}
}
E
base
put calc/setup.go <<'E'
package calc

import (
	"log"
	"os"
)

func init() {
	if os.Getenv("SHOP_RATES") == "" {
		log.Print("no rates: nothing to do")
		os.Exit(0)
	}
}
E
sed -i 's/sum := 0/sum := -1/' calc/calc.go; commit 'Ask for rates'
judge
echo "exit code: $rc"
