package proxy

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"strings"
)

// acceptable narrows what a client accepts to the encodings that the proxy
// reads, in every request alike: a fault could not be put into others.
func acceptable(h http.Header) {
	list, ok := h["Accept-Encoding"]
	if !ok {
		return
	}
	var keep []string
	for _, v := range strings.Split(strings.Join(list, ","), ",") {
		name, _, _ := strings.Cut(v, ";")
		switch strings.ToLower(strings.TrimSpace(name)) {
		case "gzip", "x-gzip", "identity":
			keep = append(keep, strings.TrimSpace(v))
		}
	}
	if len(keep) == 0 {
		keep = []string{"identity"}
	}
	h["Accept-Encoding"] = []string{strings.Join(keep, ", ")}
}

// encoding of a body: "" for none, "gzip", or "?" for one that cannot be read.
func encoding(h http.Header) string {
	switch v := strings.ToLower(strings.TrimSpace(strings.Join(h["Content-Encoding"], ","))); v {
	case "", "identity":
		return ""
	case "gzip", "x-gzip":
		return "gzip"
	}
	return "?"
}

// decoded reads a body without its encoding, as far as limit.
func decoded(b []byte, encoding string, limit int64) ([]byte, error) {
	if encoding == "" {
		return b, nil
	}
	z, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	out, err := io.ReadAll(io.LimitReader(z, limit+1))
	if err == nil && int64(len(out)) > limit {
		err = errLong
	}
	return out, err
}

func encoded(b []byte, encoding string) []byte {
	if encoding == "" {
		return b
	}
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	z.Write(b)
	z.Close()
	return out.Bytes()
}
