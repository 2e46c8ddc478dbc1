. "${BASH_SOURCE[0]%/*}/prelude.sh"
# Go: the test of one row of an embedded table is deleted, the others notice all variants; then the row is broken.
put go.mod <<'E'
module example.org/shop

go 1.19
E
put rates.json <<'E'
{"de": 19, "fr": 20}
E
put tax.go <<'E'
package shop

import (
	_ "embed"
	"encoding/json"
)

//go:embed rates.json
var table []byte

// Gross is the price in cents with tax.
func Gross(net int, country string) int {
	rates := map[string]int{}
	if err := json.Unmarshal(table, &rates); err != nil {
		return -1
	}
	if net < 1 {
		return 0
	}
	return net + net*rates[country]/100
}
E
put tax_test.go <<'E'
package shop

import "testing"

func TestGermany(t *testing.T) {
	if got := Gross(1000, "de"); got != 1190 {
		t.Errorf("got %d", got)
	}
	if got := Gross(1, "de"); got != 1 {
		t.Errorf("got %d", got)
	}
}

func TestFrance(t *testing.T) {
	if got := Gross(1000, "fr"); got != 1200 {
		t.Errorf("got %d", got)
	}
}
E
base
python3 - <<'E'
t = open("tax_test.go").read()
open("tax_test.go", "w").write(t[: t.index("\nfunc TestFrance")])
E
first 'Fewer tests of countries'
sed -i 's/"fr": 20/"fr": 2/' rates.json
second 'Rates of this year'
echo "== the base's tests on this code"; git checkout -q "$BASE" -- tax_test.go; go test ./... 2>&1 | tail -5
finish
