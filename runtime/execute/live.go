package execute

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/confine"
	"github.com/fdbench/fdbench/runtime/live"
	"github.com/fdbench/fdbench/runtime/live/driver"
	"github.com/fdbench/fdbench/runtime/share"
	"github.com/fdbench/fdbench/runtime/world"
)

// Live says how a plan in real time is carried out.
type Live struct {
	Scenario string   // folder of the scenario's files
	Allow    []string // hosts, or hosts with ports, outside the confined ranges that are let through (FD-7-1)
	NoRaw    bool     // keeps no raw stamps of requests
	RawRows  int64    // at most for each segment; 0 for live.DefaultRows

	ClockToken string   // of the clock responder at the detector's host
	Watchdog   []string // command line of what outlives this process to remove a fault; needed by http and command

	Drivers  *live.Drivers    // in place of those that the plan names; nil for these
	Resolver confine.Resolver // nil for the system's
}

// allowed tells whether the command line lets a host through.
func (l *Live) allowed(hostport string) bool {
	host, _, err := net.SplitHostPort(hostport)
	if err != nil {
		host = hostport
	}
	for _, a := range l.Allow {
		if strings.EqualFold(a, hostport) || strings.EqualFold(strings.Trim(a, "[]"), host) {
			return true
		}
	}
	return false
}

func (l *Live) resolver() confine.Resolver {
	if l.Resolver != nil {
		return l.Resolver
	}
	return net.DefaultResolver
}

// LiveWorld makes the world of a plan for a deployment that runs by itself.
// dir is the folder of the run; "" keeps nothing. Nothing is listened to before
// its Start.
func LiveWorld(ctx context.Context, p *plan.Plan, l Live, dir string) (*live.Factory, error) {
	if e := p.Estimators.Engine; e != live.EngineName {
		return nil, fmt.Errorf("FD-1.2-1: the plan is for the engine %q, and this fdbench has %q; compile the scenario again", e, live.EngineName)
	}
	serving := &p.Declaration.Serving
	target, err := l.pin(ctx, serving.Endpoint.BaseURL)
	if err != nil {
		return nil, fmt.Errorf("serving.%s: %w", serving.Name, err)
	}
	key, err := l.key(serving.Endpoint)
	if err != nil {
		return nil, fmt.Errorf("serving.%s: %w", serving.Name, err)
	}
	prompts, err := live.OpenPrompts(p, l.Scenario)
	if err != nil {
		return nil, err
	}
	targets, err := l.targets(ctx, p, target)
	if err != nil {
		return nil, err
	}
	clock := driver.NewClock()
	if p.Declaration.Environment.Clocks == "probed" {
		clock = clock.Anchored()
	}
	prober, hosts, more, err := l.clocks(ctx, p, clock, targets)
	if err != nil {
		return nil, err
	}
	targets = append(targets, more...)
	drivers := l.Drivers
	if drivers == nil {
		if drivers, err = l.drivers(ctx, p, dir); err != nil {
			return nil, err
		}
	}
	d := *drivers
	if d.Prober == nil {
		d.Prober = prober
	}
	if l.NoRaw {
		dir = ""
	}
	return live.New(p, prompts, d, live.Options{Clock: clock, Target: target, Targets: targets, Key: key, Hosts: hosts, Dir: dir, RawRows: l.RawRows})
}

// pin resolves the host of a URL once.
func (l *Live) pin(ctx context.Context, text string) (confine.Target, error) {
	hostport, err := hostport(text)
	if err != nil {
		return confine.Target{}, err
	}
	return confine.Pin(ctx, l.resolver(), hostport, l.allowed(hostport))
}

func hostport(text string) (string, error) {
	u, err := url.Parse(text)
	if err != nil || u.Hostname() == "" || u.Scheme != "http" && u.Scheme != "https" {
		return "", fmt.Errorf("%q is no URL of http or https", text)
	}
	return confine.HostPort(u), nil
}

// key reads the key of requests. It stands in no error.
func (l *Live) key(e *plan.Endpoint) (string, error) {
	switch {
	case e.KeyEnv != "":
		if key := os.Getenv(e.KeyEnv); key != "" {
			return key, nil
		}
		return "", fmt.Errorf("the environment variable %s, which holds the key of the deployment, is not set", e.KeyEnv)
	case e.KeyFile != "":
		path := e.KeyFile
		if !filepath.IsAbs(path) {
			path = filepath.Join(l.Scenario, path)
		}
		b, err := os.ReadFile(path)
		if err != nil {
			var p *os.PathError
			if errors.As(err, &p) {
				err = p.Err
			}
			return "", fmt.Errorf("the file %s, which holds the key of the deployment, cannot be read: %w", e.KeyFile, err)
		}
		return strings.TrimSpace(string(b)), nil
	}
	return "", nil
}

// targets lists every address that the harness talks to, once each, in a fixed
// order.
func (l *Live) targets(ctx context.Context, p *plan.Plan, deployment confine.Target) ([]world.Target, error) {
	d := &p.Declaration
	out := []world.Target{{Name: "serving." + d.Serving.Name, Address: deployment.Addr.String(), Allowed: deployment.Allowed}}
	seen := map[string]bool{deployment.Addr.String() + " " + out[0].Name: true}
	add := func(name, text string) error {
		if text == "" || strings.ContainsAny(text, "{}") && !strings.Contains(text, "://") {
			return nil
		}
		t, err := l.pin(ctx, text)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if key := t.Addr.String() + " " + name; !seen[key] {
			seen[key] = true
			out = append(out, world.Target{Name: name, Address: t.Addr.String(), Allowed: t.Allowed})
		}
		return nil
	}
	var list [][2]string
	apparatus, det := "apparatus."+d.Apparatus.Name, "detector."+d.Detector.Name
	if a := d.Apparatus.Proxy; a != nil {
		list = append(list, [2]string{apparatus, a.Upstream})
	}
	if a := d.Apparatus.HTTP; a != nil {
		for _, c := range []plan.HTTPCall{a.Apply, a.Remove, a.Check} {
			list = append(list, [2]string{apparatus, c.URL})
		}
	}
	if v := d.Detector.Live; v != nil {
		list = append(list, [2]string{det, v.URL}, [2]string{det, v.Alertmanager}, [2]string{det, v.Configuration})
	}
	for _, x := range list {
		if err := add(x[0], x[1]); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// IsLive tells whether a plan is carried out in real time.
func IsLive(p *plan.Plan) bool { return share.Live(p) }
