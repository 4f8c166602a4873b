package evidence

import (
	"bytes"
	"fmt"
)

// FormatError is a file that is no text as it stands, so that nothing in it
// would be found and a log without evidence would be reported.
type FormatError struct {
	Log    string // its name; "" for none
	What   string // what the file is
	Remedy string
}

func (e *FormatError) Error() string {
	text := fmt.Sprintf("the log is %s, so nothing in it can be read. %s", e.What, e.Remedy)
	if e.Log != "" {
		text = e.Log + ": " + text
	}
	return text
}

// headBytes is how many bytes tell what a file is.
const headBytes = 6

var packed = []struct{ magic, name string }{
	{"\x1f\x8b", "gzip"},
	{"\x28\xb5\x2f\xfd", "zstd"},
	{"\xfd7zXZ\x00", "xz"},
	{"PK\x03\x04", "zip"},
}

// foreign tells by its beginning what a file is that is no text; nil for text,
// and while too little of it is known. A beginning of zeros alone is that of a
// log which was cut at its rotation while its writer went on.
func foreign(head []byte) *FormatError {
	for _, p := range packed {
		if bytes.HasPrefix(head, []byte(p.magic)) {
			return &FormatError{What: "compressed with " + p.name, Remedy: "Unpack it, and name the file that comes out"}
		}
	}
	if len(head) == headBytes && string(head[:3]) == "BZh" && string(head[4:]) == "1A" {
		return &FormatError{What: "compressed with bzip2", Remedy: "Unpack it, and name the file that comes out"}
	}
	wide := len(head) >= 4 && (head[0] == 0) == (head[2] == 0) && (head[1] == 0) == (head[3] == 0) && (head[0] == 0) != (head[1] == 0)
	if wide || bytes.HasPrefix(head, []byte("\xff\xfe")) || bytes.HasPrefix(head, []byte("\xfe\xff")) {
		return &FormatError{What: "written in UTF-16", Remedy: "Write it in UTF-8, as Out-File -Encoding utf8 does in PowerShell"}
	}
	return nil
}
