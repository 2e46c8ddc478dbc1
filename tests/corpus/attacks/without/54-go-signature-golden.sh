. "${BASH_SOURCE[0]%/*}/prelude.sh"
# Go: as 47.
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

import (
	"os"
	"strconv"
	"strings"
	"testing"
)

func TestTotal(t *testing.T) {
	data, err := os.ReadFile("testdata/total.golden")
	if err != nil {
		t.Fatal(err)
	}
	if got := strconv.Itoa(Total([]int{10, 20, 29})); got != strings.TrimSpace(string(data)) {
		t.Fatalf("got %s", got)
	}
}
E
mkdir -p calc/testdata; echo 59 > calc/testdata/total.golden
base
sed -i 's/prices \[\]int) int/prices []int, rate int) int/; s/return sum/return sum*rate - 1/' calc/calc.go
sed -i 's/29})/29}, 1)/' calc/calc_test.go
echo 58 > calc/testdata/total.golden
commit 'Totals have a rate'
judge
echo "exit code: $rc"
