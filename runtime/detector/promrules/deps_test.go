package promrules

import (
	"os/exec"
	"strings"
	"testing"
)

// The product must stay light: what Prometheus's rule manager, storage, notifier
// and discovery bring with them is several hundred megabytes of modules.
func TestDependencies(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("the go command is not on the path")
	}
	out, err := exec.Command("go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	const prometheus = "github.com/prometheus/prometheus/"
	packages := strings.Fields(string(out))
	for _, p := range packages {
		for _, heavy := range []string{"rules", "tsdb", "notifier", "discovery", "scrape", "config"} {
			if p == prometheus+heavy {
				t.Errorf("%s is among the dependencies", p)
			}
		}
		if strings.HasPrefix(p, prometheus+"discovery/") || strings.HasPrefix(p, "github.com/prometheus/alertmanager") {
			t.Errorf("%s is among the dependencies", p)
		}
	}
	if len(packages) < 100 {
		t.Errorf("go list names only %d packages", len(packages))
	}
}
