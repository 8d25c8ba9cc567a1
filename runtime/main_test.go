package runtime

import (
	"os"
	"testing"

	"github.com/mcpgen/mcpgen/internal/testenv"
)

func TestMain(m *testing.M) {
	testenv.Clear()
	os.Exit(m.Run())
}
