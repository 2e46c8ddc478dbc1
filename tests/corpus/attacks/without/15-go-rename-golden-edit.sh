. "${BASH_SOURCE[0]%/*}/prelude.sh"
# Go: the function is renamed and broken (HB doesn't compile), the golden file follows.
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
	if got := strconv.Itoa(Total(10, 20, 29)); got != strings.TrimSpace(string(data)) {
		t.Fatalf("got %s", got)
	}
}

func TestOther(t *testing.T) {
	if strings.ToUpper("a") != "A" {
		t.Fatal("upper")
	}
}
E
mkdir -p calc/testdata; echo 59 > calc/testdata/total.golden
base
sed -i 's/func Total/func Sum/; s/sum := 0/sum := -1/' calc/calc.go
sed -i 's/Itoa(Total(/Itoa(Sum(/' calc/calc_test.go
echo 58 > calc/testdata/total.golden
commit 'Call it Sum'
judge
echo "exit code: $rc"
