package eventstream

import "bytes"

// Append appends an event with the given data to b and returns it. Data may
// hold any line ends; the reader gets LF for each. typ is left out where it is
// empty, and must not hold a line end.
func Append(b []byte, typ string, data []byte) []byte {
	if typ != "" {
		b = append(b, "event: "...)
		b = append(b, typ...)
		b = append(b, '\n')
	}
	for {
		i := bytes.IndexAny(data, "\r\n")
		line := data
		if i >= 0 {
			line = data[:i]
		}
		b = append(b, "data: "...)
		b = append(b, line...)
		b = append(b, '\n')
		if i < 0 {
			return append(b, '\n')
		}
		if data[i] == '\r' && i+1 < len(data) && data[i+1] == '\n' {
			i++
		}
		data = data[i+1:]
	}
}
