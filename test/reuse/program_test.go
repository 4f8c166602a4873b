package reuse

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/deployment"
	"github.com/fdbench/fdbench/runtime/reuse/result"
	"github.com/fdbench/fdbench/stdlib/tokens"
)

var built bool // the program, and is to be removed

var build = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "fdbench-reuse-")
	if err != nil {
		return "", err
	}
	built = true
	bin := filepath.Join(dir, "fdbench")
	out, err := exec.Command("go", "build", "-o", bin, "../../cmd/fdbench").CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%w\n%s", err, out)
	}
	return bin, err
})

func TestMain(m *testing.M) {
	code := m.Run()
	if built {
		bin, _ := build()
		os.RemoveAll(filepath.Dir(bin))
	}
	os.Exit(code)
}

// fdbench runs the program as it is in this checkout, and returns its exit code
// and what it wrote.
func fdbench(t *testing.T, args ...string) (code int, out, errs string) {
	t.Helper()
	bin, err := build()
	if err != nil {
		t.Fatal(err)
	}
	var o, e bytes.Buffer
	cmd := exec.CommandContext(t.Context(), bin, args...)
	cmd.Stdout, cmd.Stderr = &o, &e
	err = cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), o.String(), e.String()
}

// engine is a deployment whose cache is a semantic one.
type engine struct {
	latency   deployment.Latency
	faults    deployment.Faults
	flavour   deployment.Flavour
	blockSize int
}

// seed is that of every deployment here: what its faults strike follows from it.
const seed = "reuse"

// ran is a run that came to its end.
type ran struct {
	folder, dir string
	code        int
	output      string
	plan        *plan.Reuse
	result      *result.Result
}

// run starts the engine, runs a scenario of testdata on documents against it,
// and reads what the run left.
func run(t *testing.T, e engine, scenario string, documents int, variables ...string) *ran {
	t.Helper()
	stable, err := tokens.Lookup("stable")
	if err != nil {
		t.Fatal(err)
	}
	r := &ran{folder: t.TempDir(), dir: filepath.Join(t.TempDir(), "run")}
	log, err := os.Create(filepath.Join(r.folder, "engine.log"))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	d := deployment.New(deployment.Options{Model: "m", Seed: seed, Latency: e.latency, Faults: e.faults, Flavour: e.flavour, Log: log,
		EngineTimes: true, Worker: "w-1", FlushOpen: true,
		Engine: deployment.Extract(seed, deployment.Reuse{Mode: deployment.Semantic, BlockSize: e.blockSize, Keep: 1 << 20, Tokenizer: stable})})
	s := httptest.NewServer(d.Handler())
	defer s.Close()
	text, err := os.ReadFile(filepath.Join("testdata", scenario))
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{scenario: text, "documents.jsonl": written(documents)} {
		if err := os.WriteFile(filepath.Join(r.folder, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(r.folder, scenario)
	vars := []string{"--var", "url=" + s.URL}
	for _, v := range variables {
		vars = append(vars, "--var", v)
	}
	if code, out, errs := fdbench(t, append([]string{"lint", path}, vars...)...); code != 0 {
		t.Fatalf("lint ends with %d:\n%s%s", code, out, errs)
	}
	code, out, errs := fdbench(t, append([]string{"run", path, "--out", r.dir}, vars...)...)
	r.code, r.output = code, out+errs
	if code != 0 && code != 5 {
		t.Fatalf("run ends with %d:\n%s", code, r.output)
	}
	b, err := os.ReadFile(filepath.Join(r.dir, "plan.json"))
	if err != nil {
		t.Fatal(err)
	}
	if r.plan, err = plan.DecodeReuse(b); err != nil {
		t.Fatal(err)
	}
	if b, err = os.ReadFile(filepath.Join(r.dir, "result.json")); err != nil {
		t.Fatal(err)
	}
	r.result = new(result.Result)
	if err := json.Unmarshal(b, r.result); err != nil {
		t.Fatal(err)
	}
	return r
}

// gates are the statuses by name.
func (r *ran) gates() map[string]string {
	out := map[string]string{}
	for _, g := range r.result.Gates {
		out[g.Name] = g.Status
	}
	return out
}
