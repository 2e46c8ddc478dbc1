package shop

import (
	"os"
	"testing"
)

func TestMain(m *testing.M) {
	code := m.Run()
	os.Unsetenv("SHOP_MODE")
	os.Exit(code)
}
