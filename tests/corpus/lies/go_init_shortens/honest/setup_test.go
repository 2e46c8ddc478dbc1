package shop

import "os"

func init() {
	os.Setenv("TZ", "UTC")
}
