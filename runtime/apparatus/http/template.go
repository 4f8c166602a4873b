package httpapparatus

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"

	"github.com/fdbench/fdbench/internal/plainjson"
	"github.com/fdbench/fdbench/runtime/apparatus/mechanism"
)

// place is where in a call a value goes.
type place int

const (
	inPath   place = iota
	inQuery        // and in a form
	inString       // of JSON
	inValue        // of JSON
	inText
)

// piece is a literal text, or a place for a value.
type piece struct {
	text string // literal
	name string // of a value, or ""
	in   place
}

// template is a text with places for values.
type template []piece

// cut makes a template of a text; where tells what a place is from the text
// before it.
func cut(s string, where func(before string) place) template {
	var t template
	begin := 0
	for i := 0; i < len(s); {
		name := placeholder(s[i:])
		if name == "" {
			i++
			continue
		}
		if i > begin {
			t = append(t, piece{text: s[begin:i]})
		}
		t = append(t, piece{name: name, in: where(s[:i])})
		i += len(name) + 2
		begin = i
	}
	if begin < len(s) {
		t = append(t, piece{text: s[begin:]})
	}
	return t
}

// placeholder is the name of the value for which s begins with a place.
func placeholder(s string) string {
	if s[0] != '{' {
		return ""
	}
	for _, n := range mechanism.Names {
		if strings.HasPrefix(s[1:], n) && strings.HasPrefix(s[1+len(n):], "}") {
			return n
		}
	}
	return ""
}

// constant tells whether there is no place for a value.
func (t template) constant() bool {
	for _, p := range t {
		if p.name != "" {
			return false
		}
	}
	return true
}

// fill puts values in. It goes over the text once, so that a value that looks
// like a place stays what it is.
func (t template) fill(v mechanism.Values) (string, error) {
	var b strings.Builder
	for _, p := range t {
		if p.name == "" {
			b.WriteString(p.text)
			continue
		}
		s := v.Get(p.name)
		switch p.in {
		case inPath:
			if s == "" || s == "." || s == ".." {
				return "", fmt.Errorf("{%s} stands in the path of a URL and is %q, which leads elsewhere", p.name, s)
			}
			s = url.PathEscape(s)
		case inQuery:
			s = url.QueryEscape(s)
		case inString:
			s = quoted(s)
		case inValue:
			if !json.Valid([]byte(s)) {
				return "", fmt.Errorf("{%s} stands where JSON has a value and is %q, which is none; put it in quotation marks, or give a number, true, false, an object or a list",
					p.name, mechanism.Excerpt(s, 60))
			}
		}
		b.WriteString(s)
	}
	return b.String(), nil
}

// quoted is a text as it stands between the quotation marks of a JSON string.
func quoted(s string) string {
	b, err := plainjson.Line(s)
	if err != nil {
		panic("http: a text does not encode: " + err.Error())
	}
	return string(b[1 : len(b)-1])
}

// cutURL makes a template of a URL. Scheme and host are not for values: what a
// call can reach is fixed before a run.
func cutURL(s string) (template, *url.URL, error) {
	t := cut(s, func(before string) place {
		if strings.Contains(before, "?") {
			return inQuery
		}
		return inPath
	})
	plain := ""
	for _, p := range t {
		if p.name != "" {
			p.text = "x"
		}
		plain += p.text
	}
	u, err := url.Parse(plain)
	switch {
	case err != nil:
		return nil, nil, fmt.Errorf("%q is no URL", shown(s))
	case u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "":
		return nil, nil, fmt.Errorf("%q is no URL of HTTP; write it whole, http://HOST:PORT/PATH", shown(s))
	case u.User != nil:
		return nil, nil, fmt.Errorf("the URL to %s holds a user; name the environment variable of a key instead (key_env)", u.Hostname())
	case u.Fragment != "":
		return nil, nil, fmt.Errorf("%q has a fragment, which no server gets to see", shown(s))
	case strings.ContainsAny(plain, "{}"):
		return nil, nil, fmt.Errorf("%q holds braces around something that is no value; the values are {%s}", shown(s), strings.Join(mechanism.Names, "}, {"))
	}
	if !strings.HasPrefix(strings.ToLower(t[0].text), strings.ToLower(u.Scheme+"://"+u.Host)) {
		return nil, nil, fmt.Errorf("%q holds a value in front of its path; host and port are fixed", shown(s))
	}
	return t, u, nil
}

// shown is a URL as an error may show it: without what may be a key.
func shown(s string) string {
	s, query, _ := strings.Cut(s, "?")
	if scheme, rest, ok := strings.Cut(s, "://"); ok {
		if at := strings.LastIndex(rest, "@"); at >= 0 {
			rest = rest[at+1:]
		}
		s = scheme + "://" + rest
	}
	if query != "" {
		s += "?…"
	}
	return mechanism.Excerpt(s, 200)
}

// cutBody makes a template of a body by the type of its content.
func cutBody(s, contentType string) template {
	media, _, _ := strings.Cut(strings.ToLower(contentType), ";")
	media = strings.TrimSpace(media)
	switch {
	case media == "application/json" || strings.HasSuffix(media, "+json"):
		return cut(s, func(before string) place {
			if insideString(before) {
				return inString
			}
			return inValue
		})
	case media == "application/x-www-form-urlencoded":
		return cut(s, func(string) place { return inQuery })
	}
	return cut(s, func(string) place { return inText })
}

// insideString tells whether a JSON text ends inside of a string.
func insideString(s string) bool {
	in := false
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '"':
			in = !in
		case '\\':
			if in {
				i++
			}
		}
	}
	return in
}
