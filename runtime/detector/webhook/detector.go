package webhook

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/detector"
	"github.com/fdbench/fdbench/runtime/detector/poll/fetch"
	"github.com/fdbench/fdbench/runtime/detector/webhook/feed"
	"github.com/fdbench/fdbench/runtime/detector/webhook/payload"
	"github.com/fdbench/fdbench/runtime/live/driver"
	"github.com/fdbench/fdbench/runtime/world"
)

// Options are what a plan does not hold. The zero value is ready to use.
type Options struct {
	Token  string        // bearer token that notifications must carry; "" for that of the plan's environment variable
	Remote bool          // the receiver may listen on an address that is not loopback, as it may where there is a token
	Fetch  fetch.Options // how the configuration is asked for
}

// Complete takes from the environment what the plan says is there.
func (o Options) Complete(live *plan.LiveDetector) (Options, error) {
	var err error
	if o.Token == "" {
		if o.Token, err = fetch.Secret(live.TokenEnv); err != nil {
			return o, err
		}
	}
	if o.Fetch.Key == "" {
		if o.Fetch.Key, err = fetch.Secret(live.KeyEnv); err != nil {
			return o, err
		}
	}
	o.Remote = o.Remote || o.Token != ""
	return o, nil
}

// Detector is a detector that reports by webhook. It implements driver.Detector
// and detector.Named.
type Detector struct {
	name   string
	live   *plan.LiveDetector
	o      Options
	reader *payload.Reader
	client *fetch.Client

	receiver *Receiver
	feed     *feed.Feed
}

var (
	_ driver.Missing = (*Detector)(nil)
	_ detector.Named = (*Detector)(nil)
)

// New makes the driver of a detector of kind "webhook".
func New(d *plan.Detector, o Options) (*Detector, error) {
	if d.Live == nil || d.Live.Listen == "" {
		return nil, fmt.Errorf("detector %q: a webhook detector needs an address to listen at", d.Name)
	}
	if err := CheckPath(d.Live.Path); err != nil {
		return nil, fmt.Errorf("detector %q: %w", d.Name, err)
	}
	r, err := payload.NewReader(d.Live.Mapping)
	if err == nil {
		o, err = o.Complete(d.Live)
	}
	if err != nil {
		return nil, fmt.Errorf("detector %q: %w", d.Name, err)
	}
	return &Detector{name: d.Name, live: d.Live, o: o, reader: r, client: fetch.New(o.Fetch)}, nil
}

// CheckPath tells whether a receiver's path is one.
func CheckPath(path string) error {
	if !strings.HasPrefix(path, "/") || strings.ContainsAny(path, "?# ") {
		return fmt.Errorf("the receiver's path %q is not of the form /NAME", path)
	}
	return nil
}

// Start begins to listen. It does not end with ctx, but with Close.
func (d *Detector) Start(_ context.Context, c driver.Clock, sink detector.Sink) error {
	if d.receiver != nil {
		return errors.New("the receiver has been started already")
	}
	r, err := Listen(d.live.Listen, d.live.Path, "", d.reader, d.o)
	if err != nil {
		return fmt.Errorf("detector %q: %w", d.name, err)
	}
	d.receiver, d.feed = r, feed.New(c, sink)
	r.Start(c, d.feed)
	return nil
}

// Receiver is where notifications arrive, nil before Start.
func (d *Detector) Receiver() *Receiver { return d.receiver }

// Missed implements driver.Missing.
func (d *Detector) Missed() world.Missed {
	if d.receiver == nil {
		return world.Missed{}
	}
	return d.receiver.Missed()
}

// State counts the alerts that were last reported as firing. What a detector
// retains beyond that cannot be asked of a webhook (AMB-22).
func (d *Detector) State(context.Context) (detector.State, error) {
	if d.receiver == nil {
		return detector.State{}, errors.New("the receiver has not been started")
	}
	n, _ := d.receiver.Open()
	return detector.State{Firing: n}, nil
}

// Active implements detector.Named.
func (d *Detector) Active() []string {
	if d.receiver == nil {
		return nil
	}
	_, names := d.receiver.Open()
	return names
}

// Configuration is the digest of what the declared address answers, or "".
func (d *Detector) Configuration(ctx context.Context) (string, error) {
	return Configuration(ctx, d.client, d.live.Configuration)
}

// Configuration asks an address for a configuration and gives its digest. It is
// "" where no address is declared, and the configuration is attested instead.
func Configuration(ctx context.Context, c *fetch.Client, address string) (string, error) {
	if address == "" {
		return "", nil
	}
	a, err := c.Get(ctx, address)
	if err != nil {
		return "", err
	}
	return a.Digest(), nil
}

// Cycle is the declared period.
func (d *Detector) Cycle() int64 { return int64(d.live.Cycle) }

// Check implements driver.Detector.
func (d *Detector) Check(ctx context.Context) []driver.Problem {
	var out []driver.Problem
	if d.receiver == nil {
		out = CheckListen(d.live.Listen, d.o)
	}
	return append(out, CheckConfiguration(ctx, d.client, d.live.Configuration)...)
}

// CheckListen tries an address to listen at.
func CheckListen(address string, o Options) []driver.Problem {
	r, err := Listen(address, "/", "", nil, o)
	if err == nil {
		r.Close()
		return nil
	}
	return []driver.Problem{{Part: "detector", What: fmt.Sprintf("The receiver of notifications cannot listen: %v.", err),
		Remedy: "End the program that listens there (an earlier run may still be alive), or declare another port in listen, and tell the detector."}}
}

// CheckConfiguration tries the address that a configuration is read from.
func CheckConfiguration(ctx context.Context, c *fetch.Client, address string) []driver.Problem {
	if _, err := Configuration(ctx, c, address); err != nil {
		return []driver.Problem{{Rule: "FD-3.2-2", Part: "detector", What: fmt.Sprintf("The configuration cannot be read back: %v.", err),
			Remedy: "Correct the address in configuration, or leave it out and attest that the configuration stays as it is."}}
	}
	return nil
}

// Close stops listening, and returns when the sink will not be called again.
func (d *Detector) Close() error {
	d.client.Close()
	if d.receiver == nil {
		return nil
	}
	err := d.receiver.Close()
	d.feed.Close()
	return err
}
