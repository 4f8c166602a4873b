package main

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/signal"
	"syscall"

	"github.com/fdbench/fdbench/runtime/clockprobe"
	"github.com/fdbench/fdbench/runtime/listen"
)

type clockCmd struct {
	Listen   string `help:"Where to listen; port 0 takes a free one." default:"127.0.0.1:9110" placeholder:"HOST:PORT"`
	Remote   bool   `help:"Allow --listen to open an address that is not loopback."`
	TokenEnv string `help:"The environment variable with the token that probes need. Default: one is made and printed on standard error." placeholder:"VAR"`
}

func (*clockCmd) Help() string {
	return `Run this on the detector's host where that is another than the harness's. A scenario names it:

    clocks {
      arrangement = "probed"
      responder   = "10.0.0.7:9110"
    }

The harness then measures by how much the two clocks differ, before, between and after the trials of each load point. One line on standard output says when it is ready. It answers nothing but probes of whoever has the token, and changes nothing.

Examples:

    fdbench clock
    fdbench clock --listen 10.0.0.7:9110 --remote --token-env CLOCK_TOKEN`
}

func (c *clockCmd) Run(a *app) error {
	if _, _, err := net.SplitHostPort(c.Listen); err != nil {
		return usage("--listen %q is not of the form HOST:PORT, such as 127.0.0.1:9110", c.Listen)
	}
	token, err := secret("--token-env", c.TokenEnv)
	if err != nil {
		return err
	}
	made := token == ""
	if made {
		token = listen.NewToken()
	}
	ctx, stop := signal.NotifyContext(a.ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	err = clockprobe.Serve(ctx, listen.Options{Address: c.Listen, Remote: c.Remote}, token, func(address string) {
		if made {
			fmt.Fprintf(a.Err, "token: %s\n", token)
		}
		fmt.Fprintf(a.Out, "listening address=%s\n", address)
	})
	var open *listen.NotLoopbackError
	switch {
	case errors.As(err, &open):
		return usage("%w with --remote", err)
	case errors.Is(err, syscall.EADDRINUSE):
		return fmt.Errorf("%w; choose another port with --listen, where 0 takes a free one", err)
	}
	return err
}
