package live

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// shortSeries is the body of a series that has every fault of a list once.
func shortSeries(list []rehearsed, rate string) string {
	var b strings.Builder
	fmt.Fprintf(&b, `  reduced { reason = "A test has minutes." }

  load {
    points         = [%[1]q]
    representative = %[1]q
    because        = { "FD-3.3-4" = "A test has minutes.", "FD-3.3-5" = "A test has minutes." }
  }

  baseline { interval = "300s" }

  quiet {
    at_least = "2s"
    at_most  = "3m"
  }

  trials {
    count        = 20
    attempts     = 30
    timeout      = "20 windows"
    verification = "10s"
  }

  false_detection { at_least = "2m" }

`, rate)
	for _, c := range list {
		fmt.Fprintf(&b, "  fault %q {\n    class      = fault_class.%s\n    magnitudes = [%s]\n    profiles   = [\"step\"]\n  }\n\n", c.class, c.class, c.magnitude)
	}
	return b.String()
}

// TestRehearse lets every text fault class of the standard library happen once,
// on streams and on answers in one piece, and sees each alert fire and end in a
// real Prometheus and a real Alertmanager. After each fault the gate waits for
// half a minute, for which this Alertmanager keeps an emptied group, so the
// classes are spread over stacks side by side.
func TestRehearse(t *testing.T) {
	wanted(t, "rehearse")
	const parts = 3
	all := classes()
	for i := range 2 * parts {
		name, stream := fmt.Sprintf("streams-%d", i/2+1), i%2 == 0
		if !stream {
			name = fmt.Sprintf("plain-%d", i/2+1)
		}
		list := all[i/2*len(all)/parts : (i/2+1)*len(all)/parts]
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStack(t)
			s.write(list, "2s", stream, shortSeries(list, "50 req/s"))
			s.all()
			begin := time.Now()
			out, errs, code := run(t, 4*time.Minute+30*time.Second, nil, fdbench(t), "rehearse", s.dir)
			took := time.Since(begin)
			publish(t, "live-rehearse-"+name+".md", fmt.Sprintf("`fdbench rehearse` on %s, through Prometheus and Alertmanager, in %s.\n\n```\n%s```\n", name, sec(took), out))
			if code != 0 {
				t.Errorf("exit code %d\n%s", code, errs)
			}
			// What Prometheus itself says of it.
			fired := s.fired(took + 10*time.Second)
			for _, c := range list {
				if !fired[c.class] {
					t.Errorf("%s: no alert fired", c.class)
				}
				if !strings.Contains(out, c.class) {
					t.Errorf("%s stands nowhere in the table", c.class)
				}
			}
			if n := s.firing(); n > 0 {
				t.Errorf("%d alerts fire after the end", n)
			}
		})
	}
}
