package main

import (
	"github.com/fdbench/fdbench/cmd/fdbench/internal/scripts"
)

type completionCmd struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"bash, zsh or fish."`
}

func (*completionCmd) Help() string {
	return `Examples:

    fdbench completion bash > /etc/bash_completion.d/fdbench
    fdbench completion zsh > "${fpath[1]}/_fdbench"
    fdbench completion fish > ~/.config/fish/completions/fdbench.fish`
}

func (c *completionCmd) Run(a *app) error {
	_, err := a.Out.Write(scripts.Completion(c.Shell, a.model))
	return err
}
