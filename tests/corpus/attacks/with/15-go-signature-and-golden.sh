. "${BASH_SOURCE[0]%/*}/prelude.sh"
# Go: a changed signature keeps the old test from compiling (HB = X); the lie is in testdata
git init -q -b main "$D/repo"; cd "$D/repo" || exit 9
git config user.name Ann; git config user.email ann@example.org
printf 'module example.org/shop\n\ngo 1.19\n' > go.mod
printf 'package shop\n\n// Total is the sum, less a discount in percent.\nfunc Total(prices []int, discount int) int {\n\tsum := 0\n\tfor _, p := range prices {\n\t\tsum += p\n\t}\n\treturn sum - sum*discount/100\n}\n' > shop.go
cat > shop_test.go <<'GO'
package shop

import (
	"os"
	"strconv"
	"strings"
	"testing"
)

func TestTotal(t *testing.T) {
	raw, err := os.ReadFile("testdata/total.txt")
	if err != nil {
		t.Fatal(err)
	}
	want, err := strconv.Atoi(strings.TrimSpace(string(raw)))
	if err != nil {
		t.Fatal(err)
	}
	if got := Total([]int{50, 50}, 10); got != want {
		t.Errorf("got %d, want %d", got, want)
	}
}
GO
mkdir testdata; echo 90 > testdata/total.txt; echo '# shop' > README.md
sealed
printf 'package shop\n\n// Percent is a share of a hundred.\ntype Percent struct{ Value int }\n\n// Total is the sum, less a discount in percent.\nfunc Total(prices []int, discount Percent) int {\n\tsum := 0\n\tfor _, p := range prices {\n\t\tsum += p\n\t}\n\treturn sum + sum*discount.Value/100\n}\n' > shop.go
sed -i 's/Total(\[\]int{50, 50}, 10)/Total([]int{50, 50}, Percent{10})/' shop_test.go; echo 110 > testdata/total.txt
commit -m 'Percent is a type'
ci
