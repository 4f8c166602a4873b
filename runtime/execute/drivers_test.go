package execute

import (
	"testing"

	"github.com/fdbench/fdbench/compiler/plan"
)

// TestNoDriver makes each driver from a plan that asks for a secret that is not
// there: what comes is an error and nothing else, so that a rehearsal, which goes
// on to find all that is wrong, does not ask a driver that is not.
func TestNoDriver(t *testing.T) {
	const unset = "FDBENCH_TEST_NOT_SET"
	var l Live
	for _, kind := range []string{"prometheus", "webhook", "poll", "command"} {
		p := &plan.Plan{}
		p.Declaration.Detector = plan.Detector{Name: "d", Kind: kind,
			Live: &plan.LiveDetector{URL: "http://127.0.0.1:1", Listen: "127.0.0.1:2", Path: "/alerts", KeyEnv: unset, TokenEnv: unset}}
		if d, err := l.detector(p); err == nil || d != nil {
			t.Errorf("%s: a detector of type %T and %v", kind, d, err)
		}
	}
	for _, kind := range []string{"proxy", "http", "command"} {
		p := &plan.Plan{}
		p.Declaration.Apparatus = plan.Apparatus{Name: "a", Kind: kind,
			Proxy: &plan.ProxyApparatus{Listen: "127.0.0.1:0", Upstream: "nowhere"}, HTTP: &plan.HTTPApparatus{KeyEnv: unset}}
		if a, err := l.apparatus(t.Context(), p, t.TempDir()); err == nil || a != nil {
			t.Errorf("%s: an apparatus of type %T and %v", kind, a, err)
		}
	}
}
