//go:build !unix || solaris || aix

package lease

import (
	"os"
	"os/signal"
	"syscall"
)

func lockFolder(*os.File) error { return nil }

func ownSession() *syscall.SysProcAttr { return nil }

func endGroup(int) {}

// Endure keeps this process from being ended by an interrupt.
func Endure() { signal.Notify(make(chan os.Signal, 1), os.Interrupt) }
