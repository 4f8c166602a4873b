package scripts

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/alecthomas/kong"
)

// Completion returns the script for a shell: bash, zsh or fish. Another shell
// panics, because the grammar admits these three only.
func Completion(shell string, app *kong.Application) []byte {
	var b bytes.Buffer
	switch shell {
	case "bash":
		bash(&b, app)
	case "zsh":
		// zsh runs bash's completion through its own layer.
		b.WriteString("#compdef fdbench\nautoload -U +X bashcompinit && bashcompinit\n")
		bash(&b, app)
	case "fish":
		fish(&b, app)
	default:
		panic("scripts: unknown shell " + shell)
	}
	return b.Bytes()
}

func bash(b *bytes.Buffer, app *kong.Application) {
	b.WriteString("# Completion of fdbench. Made by \"fdbench completion bash\".\n_fdbench() {\n" +
		"  local cur=\"${COMP_WORDS[COMP_CWORD]}\" prev=\"\" verb=\"\" word\n" +
		"  [ \"$COMP_CWORD\" -gt 0 ] && prev=\"${COMP_WORDS[COMP_CWORD-1]}\"\n" +
		"  for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n" +
		"    case \"$word\" in -*) ;; *) verb=\"$verb${verb:+ }$word\" ;; esac\n" +
		"  done\n")
	b.WriteString("  case \"$verb |$prev\" in\n")
	for _, v := range verbs(app) {
		for _, f := range v.flags {
			if w := words(f.Value); len(w) > 0 {
				fmt.Fprintf(b, "    %s*%s) COMPREPLY=($(compgen -W %s -- \"$cur\")); return ;;\n",
					quote(v.path+" "), quote("|--"+f.Name), quote(strings.Join(w, " ")))
			}
		}
	}
	b.WriteString("  esac\n  case \"$verb \" in\n")
	for _, v := range verbs(app) {
		var flags []string
		for _, f := range v.flags {
			flags = append(flags, "--"+f.Name)
		}
		list := arguments(v.node)
		fmt.Fprintf(b, "    %s) case \"$cur\" in -*) COMPREPLY=($(compgen -W %s -- \"$cur\")) ;;", quote(v.path+" ")+"*", quote(strings.Join(flags, " ")))
		if len(list) > 0 {
			fmt.Fprintf(b, " *) COMPREPLY=($(compgen -W %s -- \"$cur\")) ;;", quote(strings.Join(list, " ")))
		} else {
			b.WriteString(" *) COMPREPLY=($(compgen -f -- \"$cur\")) ;;")
		}
		b.WriteString(" esac ;;\n")
	}
	for _, n := range app.Children {
		if len(n.Children) > 0 && !n.Hidden {
			fmt.Fprintf(b, "    %s) COMPREPLY=($(compgen -W %s -- \"$cur\")) ;;\n", quote(n.Name+" ")+"*", quote(names(n.Children)))
		}
	}
	fmt.Fprintf(b, "    *) COMPREPLY=($(compgen -W %s -- \"$cur\")) ;;\n", quote(names(app.Children)+" --help --color"))
	b.WriteString("  esac\n}\ncomplete -o filenames -F _fdbench fdbench\n")
}

func fish(b *bytes.Buffer, app *kong.Application) {
	b.WriteString("# Completion of fdbench. Made by \"fdbench completion fish\".\n")
	for _, n := range app.Children {
		if !n.Hidden {
			fmt.Fprintf(b, "complete -c fdbench -f -n __fish_use_subcommand -a %s -d %s\n", n.Name, quote(n.Help))
		}
		for _, c := range n.Children {
			fmt.Fprintf(b, "complete -c fdbench -f -n %s -a %s -d %s\n",
				quote("__fish_seen_subcommand_from "+n.Name+"; and not __fish_seen_subcommand_from "+names(n.Children)), c.Name, quote(c.Help))
		}
	}
	for _, v := range verbs(app) {
		condition := "__fish_seen_subcommand_from " + strings.ReplaceAll(v.path, " ", "; and __fish_seen_subcommand_from ")
		if list := arguments(v.node); len(list) > 0 {
			fmt.Fprintf(b, "complete -c fdbench -f -n %s -a %s\n", quote(condition), quote(strings.Join(list, " ")))
		}
		for _, f := range v.flags {
			fmt.Fprintf(b, "complete -c fdbench -n %s -l %s -d %s", quote(condition), f.Name, quote(f.Help))
			if list := words(f.Value); len(list) > 0 {
				fmt.Fprintf(b, " -x -a %s", quote(strings.Join(list, " ")))
			} else if !f.IsBool() {
				b.WriteString(" -r")
			}
			b.WriteString("\n")
		}
	}
}

func names(nodes []*kong.Node) string {
	var out []string
	for _, n := range nodes {
		if !n.Hidden {
			out = append(out, n.Name)
		}
	}
	return strings.Join(out, " ")
}

// quote makes one word of s for any of the shells.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
