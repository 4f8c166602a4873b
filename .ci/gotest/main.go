// Command gotest runs "go test -json" with the arguments that it is given and
// shows what a person wants to see of it: a line for each package, the output
// of what failed, why tests were skipped, and the counts. It exits with 1
// where anything failed, and where nothing ran.
package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(args []string, out, errs io.Writer) int {
	cmd := exec.Command("go", append([]string{"test", "-json"}, args...)...)
	cmd.Stderr = errs
	pipe, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		fmt.Fprintln(errs, "gotest:", err)
		return 1
	}
	c, err := read(pipe, out)
	if werr := cmd.Wait(); werr != nil && c.failed == 0 {
		// The tool itself failed, and said why on standard error.
		c.failed++
	}
	if err != nil {
		fmt.Fprintln(errs, "gotest:", err)
		c.failed++
	}
	c.summary(out)
	if c.failed > 0 || c.passed == 0 {
		return 1
	}
	return 0
}
