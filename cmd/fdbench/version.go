package main

import (
	"encoding/json"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/virtual"
)

type versionCmd struct {
	JSON bool `name:"json" help:"Print a JSON object."`
}

func (*versionCmd) Help() string {
	return `Example:

    fdbench version --json`
}

func (c *versionCmd) Run(a *app) error {
	v := struct {
		Version  string `json:"version"`
		Language int    `json:"language"`
		Plan     string `json:"plan"`
		Engine   string `json:"engine"`
		Go       string `json:"go"`
		Platform string `json:"platform"`
	}{buildVersion(), 1, plan.Format, virtual.EngineName, runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH}
	if c.JSON {
		e := json.NewEncoder(a.Out)
		e.SetIndent("", "  ")
		return e.Encode(v)
	}
	_, err := fmt.Fprintf(a.Out, "fdbench %s (language %d, %s, %s, %s %s)\n", v.Version, v.Language, v.Plan, v.Engine, v.Go, v.Platform)
	return err
}

// buildVersion is what the Go tool wrote into the program: the module's
// version, or the revision of a checkout.
func buildVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "devel"
	}
	return info.Main.Version
}
