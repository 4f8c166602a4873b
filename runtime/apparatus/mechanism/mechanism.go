package mechanism

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"strings"

	"github.com/fdbench/fdbench/internal/redact"
	"github.com/fdbench/fdbench/runtime/live/driver"
	"github.com/fdbench/fdbench/runtime/world"
)

// Values are what one application of a fault gives to its calls and programs.
type Values struct {
	Class     string `json:"class"`
	Magnitude string `json:"magnitude"` // in the unit of the indicator, as the plan writes it
	Fraction  string `json:"fraction"`  // of responses, a decimal in (0, 1]
	Level     string `json:"level"`     // what the plan binds the magnitude to, or ""
	Trial     string `json:"trial"`     // unique name of the application
	Lease     string `json:"lease"`     // whole seconds after which nobody wants the fault any more, so that a deployment can end it itself; "0" where nobody says
}

// Names are the names of the values, in a fixed order.
var Names = []string{"class", "magnitude", "fraction", "level", "trial", "lease"}

// Get is the value of one of Names.
func (v Values) Get(name string) string {
	switch name {
	case "class":
		return v.Class
	case "magnitude":
		return v.Magnitude
	case "fraction":
		return v.Fraction
	case "level":
		return v.Level
	case "trial":
		return v.Trial
	case "lease":
		return v.Lease
	}
	return ""
}

// Mechanism applies and removes faults (methodology 3.4). Every method returns
// within the mechanism's own time limit, or when ctx ends. Apply and Remove are
// not called while another of them is under way; the others may be.
type Mechanism interface {
	// Apply makes the fault effective; it is so when Apply returns without an
	// error. After an error nobody knows.
	Apply(ctx context.Context, v Values) error
	// Remove takes the fault away. It may be called where none is applied.
	Remove(ctx context.Context, v Values) error
	// Configuration is the Digest of what the deployment says of itself, any
	// fault included.
	Configuration(ctx context.Context) (string, error)
	// Check looks for what would keep the mechanism from working, and changes
	// nothing.
	Check(ctx context.Context) []driver.Problem
	// Targets are the addresses that it talks to (FD-7-1); none where it only
	// runs programs.
	Targets() []world.Target
}

// Digest identifies what a deployment says of itself, as "sha256:" and hex. Of
// JSON the meaning counts, not the order of members or the space between them,
// which differ from one answer to the next in some languages.
func Digest(b []byte) string {
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	var v any
	if d.Decode(&v) == nil {
		if _, err := d.Token(); err == io.EOF {
			if whole, err := json.Marshal(v); err == nil {
				b = whole
			}
		}
	}
	sum := sha256.Sum256(b)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// Redact replaces secrets in a text that came from outside and goes into an
// error.
func Redact(text string, secrets []string) string { return redact.Text(text, "[secret]", secrets...) }

// Excerpt is the beginning of a text for an error, on one line and without
// characters that steer a terminal.
func Excerpt(text string, most int) string {
	text = strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 || r == 0xfffd {
			return ' '
		}
		return r
	}, text)), " ")
	runes := []rune(text)
	if len(runes) > most {
		text = string(runes[:most]) + "…"
	}
	return text
}
