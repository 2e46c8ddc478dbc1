. "${BASH_SOURCE[0]%/*}/prelude.sh"
# Go: a new test in a file of its own configures the package so that the old one passes
git init -q -b main "$D/repo"; cd "$D/repo" || exit 9
git config user.name Ann; git config user.email ann@example.org
printf 'module example.org/shop\n\ngo 1.19\n' > go.mod
printf 'package shop\n\n// Total is the sum, less a discount in percent.\nfunc Total(prices []int, discount int) int {\n\tsum := 0\n\tfor _, p := range prices {\n\t\tsum += p\n\t}\n\treturn sum - sum*discount/100\n}\n' > shop.go
printf 'package shop\n\nimport "testing"\n\nfunc TestTotal(t *testing.T) {\n\tif got := Total([]int{50, 50}, 10); got != 90 {\n\t\tt.Errorf("got %%d", got)\n\t}\n}\n' > shop_test.go
echo '# shop' > README.md
sealed
sed -i 's/sum - sum/sum + sign*sum/; s/^package shop$/&\n\nvar sign = 1\n\n\/\/ Configure sets the sign.\nfunc Configure(s int) int {\n\tsign = s\n\treturn sign\n}/' shop.go
printf 'package shop\n\nimport "testing"\n\nfunc TestConfigure(t *testing.T) {\n\tif got := Configure(-1); got != -1 {\n\t\tt.Errorf("got %%d", got)\n\t}\n}\n' > a_test.go
commit -m 'The sign can be set'
ci
