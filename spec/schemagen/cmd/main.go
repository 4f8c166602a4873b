// Command cmd writes the JSON Schemas of plans, journals and results into
// spec/. It is run in the module's folder:
//
//	go run ./spec/schemagen/cmd
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/fdbench/fdbench/spec/schemagen"
)

func main() {
	files, err := schemagen.Files(".")
	if err == nil {
		for name, data := range files {
			if err = os.WriteFile(filepath.Join("spec", name), data, 0o666); err != nil {
				break
			}
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
