package redact

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"
)

func TestText(t *testing.T) {
	for _, c := range []struct {
		text    string
		secrets []string
		want    string
	}{
		{"denied: Bearer sk-one", []string{"sk-one"}, "denied: Bearer (key)"},
		{"sk-one-more sk-one", []string{"sk-one", "sk-one-more"}, "(key) (key)"},
		{"an a", []string{"a", "an", ""}, "an a"},
		{"nothing", nil, "nothing"},
		{"nothing", []string{"sk-one"}, "nothing"},
	} {
		if got := Text(c.text, "(key)", c.secrets...); got != c.want {
			t.Errorf("%q without %q is %q, want %q", c.text, c.secrets, got, c.want)
		}
	}
}

// FuzzText wants no form of a secret to stay, whatever the secret is.
func FuzzText(f *testing.F) {
	f.Add("sk-very/secret+key=", "before ", " after")
	f.Add(`a"b<c>&d\e`, "", "")
	f.Add("schlüssel \x00\n", "x", "y")
	f.Fuzz(func(t *testing.T, secret, before, after string) {
		if len(secret) < Shortest || strings.Contains("[hidden]", secret) || strings.Contains(before+"[hidden]"+after, secret) {
			return
		}
		b, err := json.Marshal(secret)
		if err != nil {
			t.Fatal(err)
		}
		for _, form := range []string{secret, string(b[1 : len(b)-1]), url.QueryEscape(secret), url.PathEscape(secret), inner(fmt.Sprintf("%+q", secret))} {
			if got := Text(before+form+after, "[hidden]", secret); !strings.Contains(got, "[hidden]") && form != "" {
				t.Errorf("%q stays in %q", form, got)
			}
		}
	})
}
