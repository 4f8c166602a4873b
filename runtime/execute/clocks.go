package execute

import (
	"context"
	"errors"
	"net"
	"strings"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/clockprobe"
	"github.com/fdbench/fdbench/runtime/live"
	"github.com/fdbench/fdbench/runtime/live/driver"
	"github.com/fdbench/fdbench/runtime/world"
)

// Arrangements of clocks.
const (
	clocksProbed = "probed"
	clocksChrony = "chrony"
)

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
		return prober, h, []world.Target{prober.Target()}, nil
	case clocksChrony:
		if address == "" {
			return nil, h, nil, errors.New("FD-3.5-2: the clocks are kept by chrony, and the plan names no address of the detector's host")
		}
		prober, err := clockprobe.NewChrony(ctx, address, l.allowed(address))
		if err != nil {
			return nil, h, nil, err
		}
		h.Detector = "host " + address
		return prober, h, []world.Target{prober.Target()}, nil
	}
	return nil, h, nil, nil
}
