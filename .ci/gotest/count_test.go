package main

import (
	"strings"
	"testing"
)

func TestRead(t *testing.T) {
	const stream = `{"Action":"start","Package":"a"}
{"Action":"output","Package":"a","Test":"TestGood","Output":"=== RUN   TestGood\n"}
{"Action":"pass","Package":"a","Test":"TestGood"}
{"Action":"output","Package":"a","Test":"TestBad","Output":"    a_test.go:1: got 1, want 2\n"}
{"Action":"fail","Package":"a","Test":"TestBad"}
{"Action":"output","Package":"a","Test":"TestAbsent","Output":"    a_test.go:9: no data here\n"}
{"Action":"output","Package":"a","Test":"TestAbsent","Output":"--- SKIP: TestAbsent (0.00s)\n"}
{"Action":"skip","Package":"a","Test":"TestAbsent"}
{"Action":"output","Package":"a","Output":"FAIL\ta\t0.01s\n"}
{"Action":"fail","Package":"a"}
{"Action":"output","Package":"b","Output":"b panicked before its tests\n"}
{"Action":"fail","Package":"b"}
{"ImportPath":"c","Action":"build-output","Output":"c.go:1: syntax error\n"}
{"Action":"fail","Package":"c","FailedBuild":"c"}
not json
`
	var out strings.Builder
	c, err := read(strings.NewReader(stream), &out)
	if err != nil {
		t.Fatal(err)
	}
	c.summary(&out)
	if c.passed != 1 || c.failed != 3 || c.skipped != 1 {
		t.Errorf("counted %d passed, %d failed, %d skipped; want 1, 3, 1", c.passed, c.failed, c.skipped)
	}
	for _, want := range []string{"got 1, want 2", "FAIL\ta", "b panicked", "syntax error", "not json",
		"skipped: a TestAbsent: a_test.go:9: no data here", "1 passed, 3 failed, 1 skipped\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the output lacks %q:\n%s", want, out.String())
		}
	}
	if strings.Contains(out.String(), "=== RUN") {
		t.Errorf("the output shows a test that passed:\n%s", out.String())
	}
}

func TestNothingRanIsAFailure(t *testing.T) {
	var out, errs strings.Builder
	if code := run([]string{"-run", "^NoTestHasThisName$", "."}, &out, &errs); code != 1 {
		t.Errorf("code %d, want 1\n%s%s", code, out.String(), errs.String())
	}
	if !strings.HasSuffix(out.String(), "0 passed, 0 failed, 0 skipped\n") {
		t.Errorf("output %q", out.String())
	}
}
