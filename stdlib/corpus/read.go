package corpus

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

// Row is one recorded response. ID is unique within a file; where the file
// gives none it is "line-N". Line counts from 1.
type Row struct {
	ID       string
	Prompt   string
	Response string
	Label    string
	Line     int
}

// Problem is a line that could not be used, or not as it stands. A Problem of
// the whole input, such as a failed read, has the number of the last line
// begun.
type Problem struct {
	Line    int
	Message string
}

func (p Problem) String() string { return fmt.Sprintf("line %d: %s", p.Line, p.Message) }

// MaxLine bounds a line, in bytes. A longer one is a Problem, and reading goes
// on behind it.
const MaxLine = 64 << 20

var errLongLine = errors.New("line too long")

// Read reads a response file. Fields besides the four are ignored, as are a
// byte order mark, carriage returns and blank lines. A row whose id was used
// before is left out and named as a Problem, since twins and replacements are
// found by id. An input without any row is for the caller to judge.
func Read(r io.Reader) (rows []Row, problems []Problem) {
	in := bufio.NewReaderSize(r, 1<<16)
	seen := map[string]int{}
	for n := 1; ; n++ {
		line, err := readLine(in)
		if n == 1 {
			line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
		}
		if errors.Is(err, errLongLine) {
			problems = append(problems, Problem{n, fmt.Sprintf("the line is longer than %d MB; split the response or remove it", MaxLine>>20)})
			continue
		}
		if line = bytes.TrimSpace(line); len(line) > 0 {
			row, why := parse(line)
			row.Line = n
			if row.ID == "" {
				row.ID = fmt.Sprintf("line-%d", n)
			}
			switch first, twice := seen[row.ID]; {
			case why != "":
				problems = append(problems, Problem{n, why})
			case twice:
				problems = append(problems, Problem{n, fmt.Sprintf("the id %q was used in line %d already; give each row its own id", row.ID, first)})
			default:
				seen[row.ID] = n
				rows = append(rows, row)
			}
		}
		if err != nil {
			if !errors.Is(err, io.EOF) {
				problems = append(problems, Problem{n, "reading failed: " + err.Error()})
			}
			return rows, problems
		}
	}
}

// readLine returns the next line without its end. It discards a line that is
// too long and tells so.
func readLine(in *bufio.Reader) ([]byte, error) {
	var line []byte
	long := false
	for {
		part, err := in.ReadSlice('\n')
		if !long {
			line = append(line, part...)
			if len(line) > MaxLine {
				line, long = nil, true
			}
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
		case err != nil && long && errors.Is(err, io.EOF):
			// The next call meets the end again and reports it.
			return nil, errLongLine
		case err != nil:
			return line, err
		case long:
			return nil, errLongLine
		default:
			return line, nil
		}
	}
}

// parse reads one line, or says why it cannot be used.
func parse(line []byte) (row Row, why string) {
	if !utf8.Valid(line) {
		return row, "the line is not valid UTF-8; save the file as UTF-8"
	}
	if line[0] != '{' {
		return row, `the line is not a JSON object; write one object a line, such as {"response": "..."}`
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(line, &fields); err != nil {
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			return row, fmt.Sprintf("the line is not valid JSON, at byte %d: %s", syntax.Offset, syntax.Error())
		}
		return row, "the line is not valid JSON: " + err.Error()
	}
	if _, ok := fields["response"]; !ok {
		return row, `the field "response" is missing; it holds the text of the response`
	}
	for _, f := range []struct {
		name string
		to   *string
	}{{"id", &row.ID}, {"prompt", &row.Prompt}, {"response", &row.Response}, {"label", &row.Label}} {
		raw, ok := fields[f.name]
		if !ok || f.name != "response" && string(raw) == "null" {
			continue
		}
		if f.name == "id" && raw[0] != '"' && raw[0] != '{' && raw[0] != '[' {
			// Numbers serve as ids in many files.
			*f.to = string(raw)
			continue
		}
		if raw[0] != '"' {
			return row, fmt.Sprintf("the field %q must be a string", f.name)
		}
		if err := json.Unmarshal(raw, f.to); err != nil {
			return row, fmt.Sprintf("the field %q must be a string: %s", f.name, err)
		}
	}
	return row, ""
}
