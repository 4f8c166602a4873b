//go:build !unix

package command

import (
	"os"
	"syscall"
)

func ownGroup() *syscall.SysProcAttr { return nil }

// stopGroup ends the program alone: there are no process groups here.
func stopGroup(p *os.Process, _ bool) { p.Kill() }
