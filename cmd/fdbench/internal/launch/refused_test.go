package launch

import (
	"errors"
	"fmt"
	"testing"

	"github.com/fdbench/fdbench/runtime/report/omission"
)

// A run of which no report can be made is refused; a file that cannot be
// written is a failure.
func TestARunWithoutAReportIsRefused(t *testing.T) {
	omitted := &omission.Error{Of: `the series "a"`, Omissions: []omission.Omission{{Rule: "FD-5.1-12", Where: "latency[0].median_s", Detail: "it has no median"}}}
	for _, x := range []struct {
		err  error
		want bool
	}{
		{omitted, true},
		{fmt.Errorf("the run in out: %w", omitted), true},
		{errors.New("no space left"), false},
	} {
		if got := Refused(x.err); got != x.want {
			t.Errorf("%v: %v, want %v", x.err, got, x.want)
		}
	}
}
