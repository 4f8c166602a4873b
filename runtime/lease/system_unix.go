//go:build unix && !solaris && !aix

package lease

import (
	"errors"
	"os"
	"os/signal"
	"syscall"
)

// lockFolder takes the lock of an open folder, or returns ErrBusy.
func lockFolder(dir *os.File) error {
	err := syscall.Flock(int(dir.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	switch {
	case errors.Is(err, syscall.EWOULDBLOCK):
		return ErrBusy
	case errors.Is(err, syscall.ENOTSUP), errors.Is(err, syscall.ENOSYS), errors.Is(err, syscall.ENOLCK):
		return nil // a file system without locks is no reason not to run
	}
	return err
}

// ownSession keeps what ends the harness's terminal or group from ending the
// watchdog.
func ownSession() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// endGroup ends a process group.
func endGroup(group int) {
	if group > 1 {
		syscall.Kill(-group, syscall.SIGKILL)
	}
}

// Endure keeps this process from being ended by what ends a harness: an
// interrupt, a hang-up, a request to terminate, and above all a pipe that the
// harness left behind. Programs that it runs are not so.
func Endure() {
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE, syscall.SIGHUP, syscall.SIGINT, syscall.SIGTERM, syscall.SIGQUIT)
}
