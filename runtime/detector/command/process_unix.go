//go:build unix

package command

import (
	"os/exec"
	"syscall"
)

// apart puts a program into a process group of its own, which is ended as a
// whole.
func apart(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
}

// gone ends what a program has left behind in its group.
func gone(cmd *exec.Cmd) { syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
