package terminal

import (
	"strings"
	"testing"
	"time"
)

func TestColor(t *testing.T) {
	tests := []struct {
		name     string
		when     string
		env      map[string]string
		terminal bool
		want     bool
	}{
		{"terminal", Auto, nil, true, true},
		{"file", Auto, nil, false, false},
		{"always wins over NO_COLOR", Always, map[string]string{"NO_COLOR": "1"}, false, true},
		{"never wins over FORCE_COLOR", Never, map[string]string{"FORCE_COLOR": "1"}, true, false},
		{"NO_COLOR", Auto, map[string]string{"NO_COLOR": "1"}, true, false},
		{"empty NO_COLOR is unset", Auto, map[string]string{"NO_COLOR": ""}, true, true},
		{"NO_COLOR wins over FORCE_COLOR", Auto, map[string]string{"NO_COLOR": "1", "FORCE_COLOR": "1"}, true, false},
		{"FORCE_COLOR on a file", Auto, map[string]string{"FORCE_COLOR": "1"}, false, true},
		{"CLICOLOR_FORCE on a file", Auto, map[string]string{"CLICOLOR_FORCE": "1"}, false, true},
		{"FORCE_COLOR=0 forces nothing", Auto, map[string]string{"FORCE_COLOR": "0"}, false, false},
		{"dumb terminal", Auto, map[string]string{"TERM": "dumb"}, true, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := Plain(nil, nil, nil, func(k string) string { return tt.env[k] })
			if got := s.color(tt.when, tt.terminal); got != tt.want {
				t.Errorf("color(%q, terminal=%v) = %v, want %v", tt.when, tt.terminal, got, tt.want)
			}
		})
	}
}

func TestDecideIsPerStream(t *testing.T) {
	s := Plain(nil, nil, nil, nil)
	s.Err.Terminal = true
	s.Decide(Auto)
	if s.Out.Color || !s.Err.Color {
		t.Errorf("Out.Color=%v Err.Color=%v, want false and true", s.Out.Color, s.Err.Color)
	}
}

func TestColumns(t *testing.T) {
	for _, tt := range []struct{ width, limit, want int }{{0, 100, 100}, {80, 100, 80}, {200, 100, 100}, {10, 100, 40}} {
		if got := (Stream{Width: tt.width}).Columns(tt.limit); got != tt.want {
			t.Errorf("Columns(%d) at width %d = %d, want %d", tt.limit, tt.width, got, tt.want)
		}
	}
}

func TestLineElsewhereWritesEachPhaseOnce(t *testing.T) {
	var b strings.Builder
	l := NewLine(Stream{Writer: &b}, time.Now)
	l.Set("baseline")
	l.Set("trials", "1 of 9")
	l.Set("trials", "2 of 9")
	l.Clear()
	if want := "baseline\ntrials  1 of 9\n"; b.String() != want {
		t.Errorf("wrote %q, want %q", b.String(), want)
	}
}

func TestLineOnTerminal(t *testing.T) {
	var b strings.Builder
	now := time.Unix(0, 0)
	l := NewLine(Stream{Writer: &b, Terminal: true, Width: 12}, func() time.Time { return now })
	l.Set("trials", "1 of 9")
	l.Set("trials", "2 of 9") // too soon to be shown
	now = now.Add(refresh)
	l.Set("trials", "3 of 9")
	l.Clear()
	l.Clear()
	if want := "\r\x1b[K…ls  1 of 9\r\x1b[K…ls  3 of 9\r\x1b[K"; b.String() != want {
		t.Errorf("wrote %q, want %q", b.String(), want)
	}
}

func TestLineKeepsItsRightEnd(t *testing.T) {
	states := []string{"1,234 trials kept, 3 hours of test time", "1,234 trials, 3 hours"}
	for _, tt := range []struct {
		width int
		want  string
	}{
		{0, "quickstart: trials at 100 req/s  1,234 trials kept, 3 hours of test time"},
		{80, "quickstart: trials at 100 req/s  1,234 trials kept, 3 hours of test time"},
		{60, "quickstart: trials at 100 req/s  1,234 trials, 3 hours"},
		{40, "…ls at 100 req/s  1,234 trials, 3 hours"},
		{12, "…s, 3 hours"},
	} {
		if got := fit("quickstart: trials at 100 req/s", states, tt.width-1); got != tt.want {
			t.Errorf("at width %d: %q, want %q", tt.width, got, tt.want)
		}
	}
	if got := fit("baseline at 100 req/s", nil, 10); got != "…100 req/s" {
		t.Errorf("a phase alone: %q", got)
	}
}

func TestEnvironment(t *testing.T) {
	for _, tt := range []struct {
		columns, term string
		width         int
		terminal      bool
	}{{"", "xterm", 80, true}, {"60", "xterm", 60, true}, {"-3", "", 80, true}, {"wide", "", 80, true}, {"", "dumb", 80, false}} {
		s := Plain(nil, nil, nil, nil)
		s.Err = Stream{Terminal: true, Width: 80}
		env := map[string]string{"COLUMNS": tt.columns, "TERM": tt.term}
		s.env = func(k string) string { return env[k] }
		s.environment()
		if s.Err.Width != tt.width || s.Err.Terminal != tt.terminal {
			t.Errorf("COLUMNS=%q TERM=%q: width %d, terminal %v", tt.columns, tt.term, s.Err.Width, s.Err.Terminal)
		}
	}
}
