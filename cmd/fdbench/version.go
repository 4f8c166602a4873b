package main

import (
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"

	"github.com/alecthomas/kong"

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

func (c *versionCmd) Run(a *app) error { return writeVersion(a.Out, c.JSON) }

// versionFlag is --version, which goes before everything else.
type versionFlag bool

// BeforeReset prints the version and ends the parsing.
func (versionFlag) BeforeReset(k *kong.Kong) error {
	if err := writeVersion(k.Stdout, false); err != nil {
		return err
	}
	k.Exit(exitDone)
	return nil
}

func writeVersion(to io.Writer, asJSON bool) error {
	v := struct {
		Version  string `json:"version"`
		Language int    `json:"language"`
		Plan     string `json:"plan"`
		Engine   string `json:"engine"`
		Go       string `json:"go"`
		Platform string `json:"platform"`
	}{buildVersion(), 1, plan.Format, virtual.EngineName, runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH}
	if asJSON {
		e := json.NewEncoder(to)
		e.SetIndent("", "  ")
		return e.Encode(v)
	}
	_, err := fmt.Fprintf(to, "fdbench %s (language %d, %s, %s, %s %s)\n", v.Version, v.Language, v.Plan, v.Engine, v.Go, v.Platform)
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
