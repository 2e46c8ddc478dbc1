package shop

import (
	"flag"
	"os"
	"testing"
)

func TestMain(m *testing.M) {
	flag.Parse()
	if flag.Lookup("test.run").Value.String() == "" {
		flag.Set("test.run", "Capitals")
	}
	code := m.Run()
	os.Unsetenv("SHOP_MODE")
	os.Exit(code)
}
