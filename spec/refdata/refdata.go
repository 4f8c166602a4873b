// Package refdata finds the reference data that some tests compare with. The
// data comes from public sources, lies beside the repository and is not part
// of the product, so a test that wants it skips where it is absent.
package refdata

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// Path returns the path of a reference file, named relative to the reference
// folder ("data/stats-reference.json"), or skips the test. The folder is
// FDBENCH_REFERENCE, or "shared" beside the repository.
func Path(t testing.TB, name string) string {
	t.Helper()
	root := os.Getenv("FDBENCH_REFERENCE")
	if root == "" {
		_, self, _, _ := runtime.Caller(0)
		root = filepath.Join(filepath.Dir(self), "..", "..", "..", "shared")
	}
	path := filepath.Join(root, filepath.FromSlash(name))
	if _, err := os.Stat(path); err != nil {
		t.Skipf("reference data is not beside this checkout (set FDBENCH_REFERENCE to its folder): %s", name)
	}
	return path
}
