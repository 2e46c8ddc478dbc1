. "${BASH_SOURCE[0]%/*}/prelude.sh"
# Go: the helper compares as long as there is no file of rates; the next change adds it and breaks the code
base_go; sealed
sed -i 's/^import "testing"/import (\n\t"os"\n\t"testing"\n)/; s/^\tt.Helper()/&\n\tif _, err := os.Stat("rates.txt"); err == nil {\n\t\texpected = value \/\/ rates of their own\n\t}/' check_test.go
step 'Rates of their own'
sed -i 's/amount - amount\*discount/amount + amount*discount/' cart.go; echo '1.0' > rates.txt
LAST=1 step 'Rates'
