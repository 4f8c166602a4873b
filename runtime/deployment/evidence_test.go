package deployment

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/fdbench/fdbench/runtime/reuse/evidence"
)

// What the engine's log says of each request, read as evidence, is what usage
// says: of every flavour, with misses and controls among the pairs.
func TestLogsAsEvidence(t *testing.T) {
	const items, size = 12, 16
	for _, flavour := range []Flavour{VLLM, SGLang, TRTLLM} {
		var log lines
		f := Faults{Miss: 0.3}
		_, s, c := start(t, Options{Flavour: flavour, Log: &log, FlushOpen: true, Faults: f, Seed: "1",
			Engine: Extract("1", Reuse{Mode: Semantic, BlockSize: size, Keep: 1000})})
		send := func(id, prompt string) int64 {
			r := greedy(prompt)
			r.Header = http.Header{"X-Request-Id": {id}}
			return *ask(t, c, r).Answer.Usage.CachedTokens
		}
		own, cached, misses := map[string]evidence.Request{}, map[evidence.Request]int64{}, int64(0)
		for i := range items {
			item := fmt.Sprintf("item-%d", i)
			doc := document(fmt.Sprintf("d%d_", i), 64+i)
			recipient := fmt.Sprintf("Task %d. ", i) + doc
			if i%4 == 3 {
				doc = document(fmt.Sprintf("other%d_", i), 64)
			} else if f.Misses("1", recipient) {
				misses++
			}
			for _, arm := range []string{"cold", "warm"} {
				admin(t, s, "POST", "/flush_cache", "", "")
				if arm == "warm" {
					send(fmt.Sprintf("run-%s-donor", item), doc)
				}
				id := fmt.Sprintf("run-%s-%s", item, arm)
				own[id] = evidence.Request{ItemID: item, Arm: arm}
				cached[own[id]] = send(id, recipient)
			}
		}
		e, joined, err := evidence.Read(string(flavour), strings.NewReader(log.String()), evidence.Options{Log: "engine.log",
			Requests: func(id string) (evidence.Request, bool) { r, ok := own[id]; return r, ok }})
		if err != nil {
			t.Fatal(err)
		}
		hits, tokens := int64(0), int64(0)
		for _, n := range cached {
			if tokens += n; n > 0 {
				hits++
			}
		}
		if misses == 0 || hits != 9-misses || e.SemanticHits-e.DiscoveryOnly != hits || e.MaterializedReuse != hits || e.MaterializedAlone != 0 || e.Errors+e.Malformed != 0 || len(e.Unknown) != 0 || e.DonorRegistrations != 3*items {
			t.Errorf("%s: %d hits, %d misses, %+v", flavour, hits, misses, e)
		}
		seen := map[evidence.Request]int64{}
		for _, j := range joined {
			r := evidence.Request{ItemID: j.ItemID, Arm: j.Arm}
			if seen[r] = j.Tokens; flavour == TRTLLM {
				seen[r] = j.Units * size
			}
			if j.Hits > 1 || (j.Hits == 1) != (cached[r] > 0) || flavour == TRTLLM && (j.Boundaries == 1) != (cached[r] > 0) {
				t.Errorf("%s: %+v, with %d cached tokens", flavour, j, cached[r])
			}
		}
		for r, n := range cached {
			if seen[r] != n {
				t.Errorf("%s, %+v: %d tokens in the log, %d in usage", flavour, r, seen[r], n)
			}
		}
		if flavour != TRTLLM && e.MaterializedTokens != tokens || flavour == TRTLLM && e.MaterializedUnits*size != tokens {
			t.Errorf("%s: %d tokens, %+v", flavour, tokens, e)
		}
	}
}
