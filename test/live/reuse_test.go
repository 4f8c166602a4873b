package live

import (
	"encoding/json"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	reused "github.com/fdbench/fdbench/runtime/reuse/result"
)

// reuseAddress is where scenarios/live-reuse has its deployment.
const reuseAddress = "127.0.0.1:18010"

// TestReuse does what the README of scenarios/live-reuse says, in a copy of it:
// start.sh, calibrate, run, verify, and the faults that its gates are there for.
func TestReuse(t *testing.T) {
	wanted(t, "reuse")
	need(t, "curl", "curl")
	bin, dir, env := fdbench(t), t.TempDir(), []string{"ADMIN_TOKEN=of-this-test"}
	if err := os.CopyFS(dir, os.DirFS("../../scenarios/live-reuse")); err != nil {
		t.Fatal(err)
	}
	os.Remove(filepath.Join(dir, "live-reuse.fdb.lock"))
	os.Remove(filepath.Join(dir, "engine.log"))
	serve := func(flags ...string) *program {
		l, err := net.Listen("tcp", reuseAddress)
		if err != nil {
			t.Fatalf("the port of the scenario is not free: %v", err)
		}
		l.Close()
		p := start(t, append(env, "FDBENCH="+bin), append([]string{filepath.Join(dir, "start.sh")}, flags...)...)
		until(t, p, "http://"+reuseAddress+"/health")
		return p
	}
	call := func(want int, args ...string) {
		t.Helper()
		out, errs, code := run(t, 2*time.Minute, env, append([]string{bin}, args...)...)
		if code != want {
			t.Fatalf("%s ends with %d, want %d\n%s%s", args[0], code, want, out, errs)
		}
	}
	// measured are the result of a run, and its gates by name.
	measured := func(code int) (*reused.Result, map[string]string) {
		t.Helper()
		to := filepath.Join(t.TempDir(), "run")
		call(code, "run", dir, "--out", to)
		call(0, "verify", to)
		b, err := os.ReadFile(filepath.Join(to, "result.json"))
		if err != nil {
			t.Fatal(err)
		}
		r := new(reused.Result)
		if err := json.Unmarshal(b, r); err != nil {
			t.Fatal(err)
		}
		gates := map[string]string{}
		for _, g := range r.Gates {
			gates[g.Name] = g.Status
		}
		return r, gates
	}
	var rows table
	rows.head = []string{"Deployment", "Pairs used", "Contaminated", "Speed-up", "Of controls", "Gates that do not pass"}
	show := func(name string, r *reused.Result) {
		var not []string
		for _, g := range r.Gates {
			if g.Status != reused.GatePassed {
				not = append(not, g.Name)
			}
		}
		interval := func(i *reused.Interval) string {
			if i == nil {
				return "none"
			}
			return fmt.Sprintf("%.3f [%.3f, %.3f]", i.Value, i.Low, i.High)
		}
		rows.add(name, r.Paired.Used, r.Paired.Contaminated, interval(r.Paired.Blended), interval(r.Paired.Control), strings.Join(not, ", "))
	}
	stop := func(p *program) {
		t.Helper()
		p.stop()
		if _, err := os.Stat(filepath.Join(dir, "engine.log")); !os.IsNotExist(err) {
			t.Errorf("start.sh leaves its log: %v", err)
		}
	}

	p := serve()
	kept, fresh := noiseFloor(t, dir), filepath.Join(dir, "noise-floor.json")
	call(0, "calibrate", dir, "--out", fresh)
	// The one that the scenario brings along is what is measured.
	if d := cmp.Diff(kept, noiseFloor(t, dir)); d != "" {
		t.Errorf("the noise floor of the scenario is another one now:\n%s", d)
	}
	r, gates := measured(0)
	show("as it is", r)
	if q := r.Paired; q.Total != 60 || q.Used != 60 || q.Contaminated+q.Errored+q.Unchecked+q.Untimed != 0 || len(gates) != 6 {
		t.Errorf("%d gates, pairs %+v", len(gates), q)
	}
	stop(p)

	for _, x := range []struct {
		flags []string
		not   []string // gates that do not pass
	}{
		{[]string{"--reuse-sticky"}, []string{"cold arms were cold", "controls are left alone", "controls are as fast as ever", "faster, misses included", "answers are what they were"}},
		{[]string{"--reuse-leak", "0.5"}, []string{"controls are left alone", "controls are as fast as ever", "answers are what they were"}},
	} {
		p := serve(x.flags...)
		r, gates := measured(5)
		show(strings.Join(x.flags, " "), r)
		for name, status := range gates {
			if (status != reused.GatePassed) != slices.Contains(x.not, name) {
				t.Errorf("%v: gate %q: %s", x.flags, name, status)
			}
		}
		stop(p)
	}
	publish(t, "live-reuse.md", "What scenarios/live-reuse finds, as its README says it is run.\n\n"+rows.String())
}

// noiseFloor reads that of the scenario, but for the time at which it was made.
func noiseFloor(t *testing.T, dir string) map[string]any {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, "noise-floor.json"))
	if err != nil {
		t.Fatal(err)
	}
	var f map[string]any
	if err := json.Unmarshal(b, &f); err != nil {
		t.Fatal(err)
	}
	delete(f, "created_at_utc")
	return f
}
