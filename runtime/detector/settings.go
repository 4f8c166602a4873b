package detector

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
)

// Configured is a detector that can be read back (methodology 3.2).
type Configured interface {
	// Settings writes what the detector works with now: the values that its
	// decisions read, not the ones that it was once given. State, such as the
	// alerts that fire or what a chart has learned, is no part of it.
	Settings(*Settings)
}

// Settings collects a configuration, one line a value, in the order in which
// it is written. The zero value is empty and ready to use.
type Settings struct{ b []byte }

// Reset empties it and keeps its memory.
func (s *Settings) Reset() { s.b = s.b[:0] }

// Copy makes it the same as another.
func (s *Settings) Copy(from *Settings) { s.b = append(s.b[:0], from.b...) }

// Append writes what another one holds.
func (s *Settings) Append(from *Settings) { s.b = append(s.b, from.b...) }

// Text writes a text.
func (s *Settings) Text(key, value string) {
	s.begin(key)
	s.b = append(strconv.AppendQuote(s.b, value), '\n')
}

// Int writes a whole number.
func (s *Settings) Int(key string, value int64) {
	s.begin(key)
	s.b = append(strconv.AppendInt(s.b, value, 10), '\n')
}

// Ratio writes a fraction as it is, not reduced.
func (s *Settings) Ratio(key string, num int64, den uint64) {
	s.begin(key)
	s.b = append(strconv.AppendInt(s.b, num, 10), '/')
	s.b = append(strconv.AppendUint(s.b, den, 10), '\n')
}

// Float writes the shortest decimal that reads back as the same binary64.
func (s *Settings) Float(key string, value float64) {
	s.begin(key)
	s.b = append(strconv.AppendFloat(s.b, value, 'g', -1, 64), '\n')
}

// Bool writes true or false.
func (s *Settings) Bool(key string, value bool) {
	s.begin(key)
	s.b = append(strconv.AppendBool(s.b, value), '\n')
}

func (s *Settings) begin(key string) { s.b = append(append(s.b, key...), ' ') }

// Bytes are the lines written so far, valid until the next call.
func (s *Settings) Bytes() []byte { return s.b }

// Digest is the SHA-256 of the lines, as "sha256:" and hex.
func (s *Settings) Digest() string {
	sum := sha256.Sum256(s.b)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// Difference says in words where two configurations first differ, or "" where
// they do not.
func Difference(before, after []byte) string {
	a, b := strings.Split(string(before), "\n"), strings.Split(string(after), "\n")
	for i := range max(len(a), len(b)) {
		x, y := line(a, i), line(b, i)
		switch {
		case x == y:
		case x == "":
			return fmt.Sprintf("%q was added", y)
		case y == "":
			return fmt.Sprintf("%q is gone", x)
		default:
			return fmt.Sprintf("%q was %q", y, x)
		}
	}
	return ""
}

func line(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return ""
}
