package clockprobe

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestChrony asks a chronyc that answers for two hosts.
func TestChrony(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no shell here")
	}
	ctx, dir := context.Background(), t.TempDir()
	t.Setenv("PATH", dir)
	if _, err := NewChrony(ctx, "127.0.0.2", false); err == nil || !strings.Contains(err.Error(), "install chrony") {
		t.Errorf("%v", err)
	}
	script := `#!/bin/sh
[ "$1 $2 $3 $5" = "-c -n -h tracking" ] || exit 2
case "$4" in
127.0.0.1) echo "A9FEA97B,169.254.169.123,4,1700000000.1,-0.000004300,0,0,0,0,0,0.001000000,0.000024000,16.3,Normal" ;;
10.0.0.7) echo "A9FEA97B,169.254.169.123,4,1700000000.1,0.000010000,0,0,0,0,0,0.002000000,0.000050000,16.3,Normal" ;;
10.0.0.8) echo "00000000,,0,0.0,0.0,0,0,0,0,0,1.0,1.0,0.0,Not synchronised" ;;
*) echo "506 Cannot talk to daemon"; exit 1 ;;
esac
`
	if err := os.WriteFile(filepath.Join(dir, "chronyc"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ host, want string }{{"10.0.0.7", ""}, {"10.0.0.8", "not synchronised"}, {"10.0.0.9", "cmdallow"}} {
		x, err := NewChrony(ctx, c.host, false)
		if err != nil {
			t.Fatal(err)
		}
		got, err := x.Probe(ctx)
		if c.want != "" {
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), c.host) {
				t.Errorf("%s: %v", c.host, err)
			}
			continue
		}
		if err != nil || len(got) != 1 || got[0].Bound != 1588300 || got[0].Offset != 14300 || got[0].Delay != 3000000 {
			t.Errorf("%+v, %v", got, err)
		}
	}
	if _, err := NewChrony(ctx, "8.8.8.8", false); err == nil || !strings.Contains(err.Error(), "FD-7-1") {
		t.Errorf("%v", err)
	}
	if _, err := NewChrony(ctx, "8.8.8.8", true); err != nil {
		t.Error(err)
	}
}
