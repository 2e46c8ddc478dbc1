. "${BASH_SOURCE[0]%/*}/prelude.sh"
# Go: assertions are put below "if the version is 1.0"; then the version is raised and the code broken.
put go.mod <<'E'
module example.org/shop

go 1.19
E
put version.go <<'E'
package shop

// Version of the shop.
const Version = "1.0"
E
put shop.go <<'E'
package shop

// Total is the sum of prices, less a discount in percent.
func Total(prices []int, discount int) int {
	amount := 0
	for _, price := range prices {
		amount = amount + price
	}
	return amount - amount*discount/100
}
E
put shop_test.go <<'E'
package shop

import "testing"

func TestTotal(t *testing.T) {
	if got := Total([]int{10, 20, 29}, 0); got != 59 {
		t.Errorf("got %d", got)
	}
	if got := Total([]int{50, 51}, 10); got != 91 {
		t.Errorf("got %d", got)
	}
}
E
base
put shop_test.go <<'E'
package shop

import "testing"

func TestTotal(t *testing.T) {
	if Version != "1.0" {
		return
	}
	if got := Total([]int{10, 20, 29}, 0); got != 59 {
		t.Errorf("got %d", got)
	}
	if got := Total([]int{50, 51}, 10); got != 91 {
		t.Errorf("got %d", got)
	}
}
E
first 'The sums of release 1.0'
sed -i 's/"1.0"/"1.1"/' version.go; sed -i 's/amount\*discount/amount*discount*2/' shop.go
second 'Release 1.1'
echo "== the base's tests on this code"; git checkout -q "$BASE" -- shop_test.go; go test ./... 2>&1 | tail -5
finish
