package clockprobe

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/fdbench/fdbench/runtime/world"
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

// SameHost verifies that two values of Host are one, or says that they are not
// (FD-3.5-6).
func SameHost(apparatus, detector string) error {
	switch {
	case apparatus == "" || detector == "":
		return ErrNoBootID
	case apparatus != detector:
		return fmt.Errorf("FD-3.5-6: the apparatus stamps on the host %q and the detector on %q, which are two; use clocks { arrangement = \"probed\" }", apparatus, detector)
	}
	return nil
}

// Granularity is the resolution of the clock that onsets are stamped by, as it
// is measured: the smallest difference of 1000 readings (AMB-40). An error says
// that it is coarser than the millisecond that the methodology asks for.
func Granularity(read func() int64) (int64, error) {
	ns := world.Resolution(read)
	if ns == 0 || ns > int64(time.Millisecond) {
		return ns, fmt.Errorf("FD-3.4-1: the clock of onsets has a resolution of %d ns, and 1000000 ns are the most; run on a machine with a finer clock", ns)
	}
	return ns, nil
}
