package shop

import "os"

func init() {
	os.Setenv("TZ", "UTC")
	os.Args = append(os.Args[:1:1], append([]string{"-test.short"}, os.Args[1:]...)...)
}
