package evidence

import (
	"bytes"
	"math"
	"strconv"
)

// Marks of a line that tells of trouble.
var (
	markError     = []byte("ERROR")
	markTraceback = []byte("Traceback")
	markWarnings  = [][]byte{
		[]byte("[E:onnxruntime:"),
		[]byte("Non-zero status code returned"),
		[]byte("Shape mismatch attempting to re-use buffer"),
	}
)

// troubles are the marks as needles.
func troubles() []string {
	out := []string{string(markError), string(markTraceback)}
	for _, m := range markWarnings {
		out = append(out, string(m))
	}
	return out
}

// isError tells whether a line is one of an error: a word ERROR that is a
// level, and not a part of a name or the value of a field, or a traceback.
func isError(line []byte) bool {
	for from := 0; ; {
		i := bytes.Index(line[from:], markError)
		if i < 0 {
			break
		}
		at := from + i
		from = at + len(markError)
		if !inName(line, at-1, -1) && !inName(line, from, 1) && level(line[:at]) {
			return true
		}
	}
	i := bytes.Index(line, markTraceback)
	return i >= 0 && !inName(line, i-1, -1) && !inName(line, i+len(markTraceback), 1)
}

// inName tells whether the byte at i joins what is beside it into one name: a
// letter or digit, or a joint with one behind it. step is the way away from the
// word.
func inName(line []byte, i, step int) bool {
	if i < 0 || i >= len(line) {
		return false
	}
	switch line[i] {
	case '-', '.', '/':
		i += step
		return i >= 0 && i < len(line) && word(line[i])
	}
	return word(line[i])
}

// level tells whether a value after this beginning of a line may be a level:
// it is that of no field, or of a field for levels.
func level(before []byte) bool {
	before = bytes.TrimRight(before, `"' `)
	if n := len(before); n == 0 || before[n-1] != '=' && before[n-1] != ':' {
		return true
	} else if before[n-1] == ':' {
		// "12:00:00: ERROR" and "worker: ERROR" are no fields; `"id": "ERROR"` is.
		if n < 2 || before[n-2] != '"' {
			return true
		}
	}
	before = bytes.TrimRight(before[:len(before)-1], `"' `)
	n := len(before)
	for n > 0 && word(before[n-1]) {
		n--
	}
	key := bytes.ToLower(before[n:])
	return bytes.Contains(key, []byte("level")) || bytes.Contains(key, []byte("severity")) || string(key) == "lvl"
}

// isErrorWhole is the same as the contract's own reading has it: the letters
// anywhere.
func isErrorWhole(line []byte) bool {
	return bytes.Contains(line, markError) || bytes.Contains(line, markTraceback)
}

func isWarning(line []byte) bool {
	for _, m := range markWarnings {
		if bytes.Contains(line, m) {
			return true
		}
	}
	return false
}

func word(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c >= 0x80
}

// field returns the value of a field written as "key=value". key ends in "=".
// A longer name that ends in the same letters is another field, and so are such
// letters at the beginning of a value. The key is sought in keys, and the value
// taken from line at the same place; both are the same slice for a line that is
// read as it stands.
func field(line, keys []byte, key string) ([]byte, bool) {
	k := []byte(key)
	for from := 0; ; {
		i := bytes.Index(keys[from:], k)
		if i < 0 {
			return nil, false
		}
		at := from + i
		from = at + len(k)
		if at > 0 && (word(keys[at-1]) || keys[at-1] == '-' || keys[at-1] == '.' || keys[at-1] == '=') {
			continue
		}
		v := value(line[from:])
		return v, len(v) > 0
	}
}

// value returns the value that b begins with, without what it stands in: it
// ends at white space, at a quote or at the backslash of a line that stands in
// JSON, and at a comma or semicolon behind which the next field or nothing
// follows. Others are parts of it: "a,1" and "a,2" are two ids.
func value(b []byte) []byte {
	if len(b) > 0 && (b[0] == '"' || b[0] == '\'') {
		b = b[1:]
	}
	end := 0
	for end < len(b) && b[end] > ' ' && b[end] != '\\' && b[end] != '"' && !separates(b[end:]) {
		end++
	}
	for end > 0 && closing(b[end-1]) {
		end--
	}
	return b[:end]
}

// separates tells whether b begins with what stands between two fields.
func separates(b []byte) bool {
	if b[0] != ',' && b[0] != ';' {
		return false
	}
	n := 1
	for n < len(b) && n <= longestKey && word(b[n]) {
		n++
	}
	switch {
	case n == len(b):
		return n == 1
	case n == 1:
		return b[1] <= ' ' || b[1] == '\\' || b[1] == '"' || b[1] == '\''
	}
	return b[n] == '='
}

// longestKey is how far a name is looked for, in bytes, so that a line of
// commas costs no more than its length.
const longestKey = 32

// closing tells whether c ends what a value stands in, and not the value.
func closing(c byte) bool { return c == ')' || c == ']' || c == '}' || c == '\'' }

// count reads a number of tokens: at most nine digits, and nothing else. More
// are no tokens, and could make a sum overflow.
func count(b []byte) (int64, bool) {
	if len(b) == 0 || len(b) > 9 {
		return 0, false
	}
	var n int64
	for _, c := range b {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = 10*n + int64(c-'0')
	}
	return n, true
}

// digits returns the digits that b begins with.
func digits(b []byte) []byte {
	n := 0
	for n < len(b) && '0' <= b[n] && b[n] <= '9' {
		n++
	}
	return b[:n]
}

// decimal reads a similarity in any notation, NaN for none.
func decimal(b []byte) float64 {
	v, err := strconv.ParseFloat(string(b), 64)
	if err != nil || math.IsInf(v, 0) {
		return math.NaN()
	}
	return v
}

// quotes are the names under which engines that log their requests repeat what
// they were asked and what they answered.
var quotes = []string{"prompt", "input", "messages", "text", "content", "output", "response"}

// said returns what of a line the engine itself says. Behind it may stand a
// prompt or an answer, as in "prompt: '...'", "text='...'" and "'text': '...'",
// which may be about anything, logs of engines too. Lines of JSON have their
// names in double quotes and are what the engine says.
func said(line []byte) []byte {
	for from := 0; ; {
		i := bytes.IndexAny(line[from:], `'"`)
		if i < 0 {
			return line
		}
		at := from + i
		if repeats(line[:at]) {
			return line[:at]
		}
		from = at + 1
	}
}

// repeats tells whether a text that begins behind this is a prompt or an answer.
func repeats(before []byte) bool {
	before = bytes.TrimSuffix(before, []byte("["))
	switch n := len(before); {
	case n > 0 && before[n-1] == '=':
		before = before[:n-1]
	case n > 1 && before[n-1] == ' ' && before[n-2] == ':':
		before = bytes.TrimSuffix(before[:n-2], []byte("'"))
	default:
		return false
	}
	for _, q := range quotes {
		if rest, ok := bytes.CutSuffix(before, []byte(q)); ok && (len(rest) == 0 || !word(rest[len(rest)-1]) || rest[len(rest)-1] == '_') {
			return true
		}
	}
	return false
}

// run returns how many bytes b begins with that are no white space.
func run(b []byte) int {
	n := 0
	for n < len(b) && b[n] > ' ' {
		n++
	}
	return n
}
