package result_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/reuse/evidence"
	"github.com/fdbench/fdbench/runtime/reuse/example"
	"github.com/fdbench/fdbench/runtime/reuse/record"
	"github.com/fdbench/fdbench/runtime/reuse/result"
	"github.com/fdbench/fdbench/spec/edit"
	"github.com/fdbench/fdbench/spec/refdata"
)

// No log that an engine can write breaks a rule on logs: what their reader sums
// up fits together.
func TestReferenceLogsBreakNothing(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(refdata.Path(t, "data/reuse/logs"), "*"))
	if err != nil {
		t.Fatal(err)
	}
	read := 0
	for _, path := range paths {
		name := filepath.Base(path)
		engine := ""
		for prefix, e := range map[string]string{"vllm": evidence.VLLM, "sglang": evidence.SGLang, "trtllm": evidence.TRTLLM, "connector": evidence.Audit} {
			if strings.HasPrefix(name, prefix) {
				engine = e
			}
		}
		if engine == "" {
			continue
		}
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		said, _, err := evidence.Read(engine, bytes.NewReader(b), evidence.Options{Log: name})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		data, err := json.Marshal(said)
		if err != nil {
			t.Fatal(err)
		}
		log, err := json.Marshal([]plan.ReuseEvidence{{Engine: engine, Log: name}})
		if err != nil {
			t.Fatal(err)
		}
		// Offline a log shows what it shows. To a live run it is one of other
		// runs, and shows nothing of this one.
		for base, shown := range map[string]bool{result.BaseOffline: said.MaterializedReuse > 0, result.BaseLive: false} {
			items, err := example.Original(base)
			if err != nil {
				t.Fatal(err)
			}
			drop := ""
			if base == result.BaseLive {
				drop = record.KindEvidence + " all\n  drop\n" + record.KindJoined + " all\n  drop\n"
			}
			items, err = edit.Apply(items, "plan\n  put declaration.evidence "+string(log)+"\n"+drop+"commit last\n  before "+record.KindEvidence+" "+string(data))
			if err != nil {
				t.Fatal(err)
			}
			r, err := example.Compute(items)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			if len(r.Conformance.Violations) > 0 || r.Evidence[0].Reuse != shown || *r.Confirmation.Reuse != shown || !shown && *r.Confirmation.MaterializedRequests != 0 || !r.Conformance.Complete {
				t.Errorf("%s, %s: %+v, %+v", base, name, r.Conformance, r.Confirmation)
			}
			if r.Evidence[0].Summary.MaterializedReuse != said.MaterializedReuse || *r.Confirmation.Materializations != said.Materializations {
				t.Errorf("%s, %s: the log itself is another one: %+v", base, name, r.Evidence[0])
			}
		}
		read++
	}
	if read < 5 {
		t.Errorf("only %d logs were read", read)
	}
}
