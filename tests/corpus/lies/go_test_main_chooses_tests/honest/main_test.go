package shop

import (
	"flag"
	"os"
	"testing"
)

func TestMain(m *testing.M) {
	flag.Parse()
	if flag.Lookup("test.run").Value.String() == "" {
		os.Setenv("SHOP_MODE", "whole")
	}
	code := m.Run()
	os.Unsetenv("SHOP_MODE")
	os.Exit(code)
}
