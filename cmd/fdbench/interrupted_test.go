package main

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/fdbench/fdbench/cmd/fdbench/internal/launch"
	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/runtime/execute"
	"github.com/fdbench/fdbench/runtime/journal"
)

// TestInterruptedSaysWhatItCosts wants no word of what is kept where nothing is.
func TestInterruptedSaysWhatItCosts(t *testing.T) {
	real, virtual := &plan.Plan{}, &plan.Plan{}
	real.Declaration.Serving.Endpoint = &plan.Endpoint{}
	for _, c := range []struct {
		plan     *plan.Plan
		complete int
		says     []string
		not      string
	}{
		{real, 0, []string{"nothing was complete yet", "for 18s, is not kept", "begins it again", "no fault is applied any more"}, "kept in"},
		{real, 1, []string{"one complete stretch is kept in out1", "for 18s, is not kept"}, "goes on from there"},
		{real, 12, []string{"12 complete stretches are kept in out1", "for 18s, is not kept"}, "goes on from there"},
		{virtual, 3, []string{"what was measured so far is kept in out1", "goes on from there"}, "fault"},
	} {
		text := interrupted(launch.Job{Plan: c.plan, Dir: "out1"}, c.complete, 18200*time.Millisecond).Error()
		for _, want := range c.says {
			if !strings.Contains(text, want) {
				t.Errorf("%d stretches: %q does not say %q", c.complete, text, want)
			}
		}
		if strings.Contains(text, c.not) {
			t.Errorf("%d stretches: %q says %q", c.complete, text, c.not)
		}
	}
}

// A journal that is being written is no interrupted one.
func TestAtWork(t *testing.T) {
	dir := t.TempDir()
	if atWork(dir) {
		t.Error("a run is at work in an empty folder")
	}
	w, err := journal.Create(filepath.Join(dir, execute.JournalFile), journal.Open{})
	if err != nil {
		t.Fatal(err)
	}
	if !atWork(dir) {
		t.Error("nobody is at work while the journal is open")
	}
	if err := w.Close(); err != nil || atWork(dir) {
		t.Errorf("a run is at work after it has ended, or %v", err)
	}
}
