package scripts

import (
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

// grammar has a verb with a choice, one with an argument that is a choice, and
// one with verbs of its own.
type grammar struct {
	Paint struct {
		Form string `help:"What to paint: a | b." enum:"dot,line" default:"dot" placeholder:"FORM"`
		Wet  bool   `help:"Do not wait."`
		Out  string `help:"It's the file." required:""`
		File string `arg:"" help:"A file."`
	} `cmd:"" help:"Paint it."`
	Shell struct {
		Name string `arg:"" enum:"bash,zsh" help:"A shell."`
	} `cmd:"" help:"Name a shell."`
	Lib struct {
		List struct{} `cmd:"" help:"List it."`
		Show struct{} `cmd:"" help:"Show it."`
	} `cmd:"" help:"Look things up."`
	Secret struct{} `cmd:"" hidden:"" help:"Not to be seen."`
}

func model(t *testing.T) *kong.Application {
	t.Helper()
	k, err := kong.New(new(grammar), kong.Name("fdbench"), kong.Description("A tool."))
	if err != nil {
		t.Fatal(err)
	}
	return k.Model
}

func TestCompletion(t *testing.T) {
	for shell, want := range map[string][]string{
		"bash": {"'paint '*", "'|--form') COMPREPLY=($(compgen -W 'dot line'", "'bash zsh'", "'lib '*", "'list show'", "complete -o filenames -F _fdbench fdbench"},
		"zsh":  {"#compdef fdbench\n", "bashcompinit"},
		"fish": {"-a paint -d 'Paint it.'", "-l form -d 'What to paint: a | b.' -x -a 'dot line'", `'It'\''s the file.' -r`, "-a show -d 'Show it.'"},
	} {
		text := string(Completion(shell, model(t)))
		for _, w := range want {
			if !strings.Contains(text, w) {
				t.Errorf("%s: the script lacks %q:\n%s", shell, w, text)
			}
		}
		if strings.Contains(text, "ecret") {
			t.Errorf("%s: the script offers what is hidden", shell)
		}
	}
}

func TestReference(t *testing.T) {
	text := string(Reference(model(t), [][2]string{{"0", "done"}, {"7", "work found"}}))
	for _, w := range []string{
		"A tool.", "| 7 | work found |\n", "## fdbench paint\n", "fdbench paint --out=OUT <file> [flags]",
		"| `--form=FORM` | What to paint: a \\| b. Default: `dot`. |\n", "| `--wet` | Do not wait. |\n", "## fdbench lib show\n",
	} {
		if !strings.Contains(text, w) {
			t.Errorf("the page lacks %q:\n%s", w, text)
		}
	}
	if strings.Contains(text, "ecret") {
		t.Error("the page shows what is hidden")
	}
}
