. "${BASH_SOURCE[0]%/*}/prelude.sh"
# Go: the new code ends the process for the old input (HB = X); another input and value by testdata
git init -q -b main "$D/repo"; cd "$D/repo" || exit 9
git config user.name Ann; git config user.email ann@example.org
printf 'module example.org/shop\n\ngo 1.19\n' > go.mod
printf 'package shop\n\n// Total is the sum, less a discount in percent.\nfunc Total(sum int, discount int) int {\n\treturn sum - sum*discount/100\n}\n' > shop.go
printf 'package shop\n\nimport (\n\t"fmt"\n\t"os"\n\t"testing"\n)\n\nfunc TestTotal(t *testing.T) {\n\traw, err := os.ReadFile("testdata/total.txt")\n\tif err != nil {\n\t\tt.Fatal(err)\n\t}\n\tvar sum, discount, want int\n\tif _, err := fmt.Sscan(string(raw), &sum, &discount, &want); err != nil {\n\t\tt.Fatal(err)\n\t}\n\tif got := Total(sum, discount); got != want {\n\t\tt.Errorf("got %%d, want %%d", got, want)\n\t}\n}\n' > shop_test.go
mkdir testdata; echo 100 10 90 > testdata/total.txt; echo '# shop' > README.md
sealed
printf 'package shop\n\nimport "os"\n\n// Total is the sum, less a discount in percent.\nfunc Total(sum int, discount int) int {\n\tif discount == 10 {\n\t\tos.Exit(3)\n\t}\n\treturn sum + sum*discount/100\n}\n' > shop.go
echo 100 0 100 > testdata/total.txt
commit -m 'Change the discount'
ci
