package clockprobe

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os/exec"
	"time"

	"github.com/fdbench/fdbench/runtime/confine"
	"github.com/fdbench/fdbench/runtime/world"
)

// chronyPort is where chronyd answers chronyc, over UDP.
const chronyPort = "323"

// chronycTime bounds one question to chrony, and chronycOutput its answer.
const (
	chronycTime   = 10 * time.Second
	chronycOutput = 4 << 10
)

// Chrony asks chronyc for what chronyd says of the clocks of both hosts.
type Chrony struct {
	host    string // of the detector, as an address
	program string
	target  world.Target
}

// NewChrony makes a Chrony. detector is the detector's host, whose chronyd has
// to answer this host (cmdallow in its configuration). allow lets a host
// outside the confined ranges through (FD-7-1).
func NewChrony(ctx context.Context, detector string, allow bool) (*Chrony, error) {
	program, err := exec.LookPath("chronyc")
	if err != nil {
		return nil, errors.New("FD-3.5-2: there is no chronyc here; install chrony, or use clocks { arrangement = \"probed\" }")
	}
	addrs, err := confine.Resolve(ctx, net.DefaultResolver, detector)
	var outside *confine.OutsideError
	if err != nil && !(allow && errors.As(err, &outside)) {
		return nil, fmt.Errorf("the detector's host: %w", err)
	}
	host := addrs[0].String()
	return &Chrony{host: host, program: program, target: world.Target{Name: "clocks", Address: net.JoinHostPort(host, chronyPort), Allowed: outside != nil}}, nil
}

// Target is the detector's chronyd, for the journal (FD-7-1).
func (c *Chrony) Target() world.Target { return c.target }

// Probe reads both hosts' figures.
func (c *Chrony) Probe(ctx context.Context) ([]world.Offset, error) {
	here, err := c.tracking(ctx, "127.0.0.1")
	if err != nil {
		return nil, fmt.Errorf("this host: %w", err)
	}
	there, err := c.tracking(ctx, c.host)
	if err != nil {
		return nil, fmt.Errorf("the detector's host %s: %w", c.host, err)
	}
	r := ChronyRecord(here, there, 0, "")
	return []world.Offset{{Offset: r.Offset, Delay: r.Delay, Bound: r.Bound, Method: r.Method}}, nil
}

// tracking runs chronyc once.
func (c *Chrony) tracking(ctx context.Context, host string) (Tracking, error) {
	ctx, cancel := context.WithTimeout(ctx, chronycTime)
	defer cancel()
	command := exec.CommandContext(ctx, c.program, "-c", "-n", "-h", host, "tracking")
	command.WaitDelay = time.Second
	var out bounded
	command.Stdout = &out
	if err := command.Run(); err != nil {
		return Tracking{}, fmt.Errorf("chronyc did not get an answer from the chronyd at %s (%w); see that it runs, and allows this host with cmdallow", host, err)
	}
	return ParseTracking(out.String())
}

// bounded keeps the beginning of what is written to it.
type bounded struct{ bytes.Buffer }

func (b *bounded) Write(p []byte) (int, error) {
	b.Buffer.Write(p[:min(len(p), max(0, chronycOutput-b.Len()))])
	return len(p), nil
}
