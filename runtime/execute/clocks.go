package execute

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os/exec"
	"strings"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/clockprobe"
	"github.com/fdbench/fdbench/runtime/journal"
	"github.com/fdbench/fdbench/runtime/live"
	"github.com/fdbench/fdbench/runtime/live/driver"
	"github.com/fdbench/fdbench/runtime/world"
)

// Arrangements of clocks.
const (
	clocksProbed = "probed"
	clocksChrony = "chrony"
)

// probing asks a responder at the detector's host.
type probing struct{ *clockprobe.Prober }

func (p probing) Probe(ctx context.Context) ([]world.Offset, error) {
	m, err := p.Measure(ctx, 0)
	if err != nil {
		return nil, err
	}
	return []world.Offset{offset(m.Record(0, ""))}, nil
}

func offset(r journal.ClockRecord) world.Offset {
	return world.Offset{Offset: r.Offset, Delay: r.Delay, Bound: r.Bound, Method: r.Method}
}

// chrony asks the chrony of both hosts for their own figures.
type chrony struct{ detector string }

func (c chrony) Probe(ctx context.Context) ([]world.Offset, error) {
	here, err := tracking(ctx)
	if err != nil {
		return nil, err
	}
	there, err := tracking(ctx, "-h", c.detector)
	if err != nil {
		return nil, err
	}
	return []world.Offset{offset(clockprobe.ChronyRecord(here, there, 0, ""))}, nil
}

func tracking(ctx context.Context, host ...string) (clockprobe.Tracking, error) {
	out, err := exec.CommandContext(ctx, "chronyc", append(host, "-c", "tracking")...).Output()
	if err != nil {
		return clockprobe.Tracking{}, fmt.Errorf("FD-3.5-2: chronyc %s does not tell how the clock is kept: %w", strings.Join(append(host, "tracking"), " "), err)
	}
	return clockprobe.ParseTracking(string(out))
}

// clocks makes what compares the two clocks, and names the machines that stamp
// onset and event. The apparatus is stamped by this process. So is the event,
// where it is received; an emitter's stamp is of the machine that the detector
// runs on, which is this one where it answers on loopback (FD-3.5-6).
func (l *Live) clocks(ctx context.Context, p *plan.Plan, c driver.Clock, targets []world.Target) (live.Prober, world.Hosts, []world.Target, error) {
	here, err := clockprobe.Host()
	if err != nil {
		here = "" // the result says that it is not on record
	}
	h := world.Hosts{Apparatus: here, Detector: here}
	address := ""
	for _, t := range targets {
		if strings.HasPrefix(t.Name, "detector.") {
			address, _, _ = net.SplitHostPort(t.Address)
			break
		}
	}
	if ip := net.ParseIP(address); p.Declaration.Signal.EventClock == "emitter" && ip != nil && !ip.IsLoopback() {
		h.Detector = "host " + address
	}
	env := &p.Declaration.Environment
	switch env.Clocks {
	case clocksProbed:
		if env.Responder == "" {
			return nil, h, nil, errors.New("FD-3.5-2: the clocks are declared as probed, and the plan names no responder")
		}
		prober, err := clockprobe.NewProber(ctx, c, env.Responder, l.ClockToken, l.allowed(env.Responder))
		if err != nil {
			return nil, h, nil, err
		}
		m, err := prober.Measure(ctx, 1)
		if err != nil {
			prober.Close()
			return nil, h, nil, err
		}
		h.Detector = m.Host
		return probing{prober}, h, []world.Target{prober.Target()}, nil
	case clocksChrony:
		if address == "" {
			return nil, h, nil, errors.New("FD-3.5-2: the clocks are kept by chrony, and the plan names no address of the detector's host")
		}
		h.Detector = "host " + address
		return chrony{address}, h, nil, nil
	}
	return nil, h, nil, nil
}
