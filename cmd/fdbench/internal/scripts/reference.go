package scripts

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/alecthomas/kong"
)

// Reference returns the page of the command line in Markdown. codes explain
// the exit codes, in the order in which they are to stand.
func Reference(app *kong.Application, codes [][2]string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# The command line of fdbench\n\nMade by `make generate`; do not edit. %s\n", app.Help)
	b.WriteString("\nData goes to standard output and everything else to standard error.\n\n| exit code | meaning |\n|---|---|\n")
	for _, c := range codes {
		fmt.Fprintf(&b, "| %s | %s |\n", c[0], c[1])
	}
	for _, v := range verbs(app) {
		fmt.Fprintf(&b, "\n## fdbench %s\n\n%s\n\n```\n%s\n```\n", v.path, v.node.Help, usageOf(v))
		if len(v.node.Positional) > 0 || len(v.flags) > 0 {
			b.WriteString("\n| argument | meaning |\n|---|---|\n")
		}
		for _, p := range v.node.Positional {
			fmt.Fprintf(&b, "| `%s` | %s |\n", p.Summary(), cell(p.Help))
		}
		for _, f := range v.flags {
			name := "--" + f.Name
			if p := placeholder(f); p != "" {
				name += "=" + p
			}
			fmt.Fprintf(&b, "| `%s` | %s%s |\n", name, cell(f.Help), defaultOf(f))
		}
		if v.node.Detail != "" {
			fmt.Fprintf(&b, "\n%s\n", strings.TrimSpace(v.node.Detail))
		}
	}
	return b.Bytes()
}

func usageOf(v verb) string {
	parts := []string{"fdbench", v.path}
	for _, f := range v.flags {
		if f.Required {
			parts = append(parts, fmt.Sprintf("--%s=%s", f.Name, placeholder(f)))
		}
	}
	for _, p := range v.node.Positional {
		parts = append(parts, p.Summary())
	}
	return strings.Join(append(parts, "[flags]"), " ")
}

func defaultOf(f *kong.Flag) string {
	if f.HasDefault && f.Default != "" && !f.IsBool() {
		return fmt.Sprintf(" Default: `%s`.", f.Default)
	}
	return ""
}

func cell(s string) string { return strings.ReplaceAll(s, "|", `\|`) }
