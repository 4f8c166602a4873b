package clockprobe

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
)

// bootFile is where Linux keeps the identity of a boot.
const bootFile = "/proc/sys/kernel/random/boot_id"

// ErrNoBootID says that this system does not tell one host from another.
var ErrNoBootID = errors.New("FD-3.5-6: this system has no boot id to tell one host from two; attest that they are one, or use clocks { arrangement = \"probed\" }")

// Host identifies this machine by a value that changes with each boot:
// containers on one kernel are one host, since they have one clock (FD-3.5-6).
func Host() (string, error) {
	if runtime.GOOS != "linux" {
		return "", ErrNoBootID
	}
	return hostOf(bootFile)
}

func hostOf(file string) (string, error) {
	b, err := os.ReadFile(file)
	if err != nil {
		return "", fmt.Errorf("%w (%v)", ErrNoBootID, err)
	}
	id := strings.TrimSpace(string(b))
	if len(id) != 36 || strings.Trim(id, "0123456789abcdef-") != "" {
		return "", fmt.Errorf("%w (%s holds none)", ErrNoBootID, file)
	}
	return "boot " + id, nil
}
