package confine

import (
	"net/url"
	"testing"
)

func TestHostPort(t *testing.T) {
	for text, want := range map[string]string{
		"http://a": "a:80", "https://a/v1": "a:443", "http://a:8000/x": "a:8000", "https://[::1]": "[::1]:443", "h2c://a": "a:80",
		"https://a:80": "a:80",
	} {
		u, err := url.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := HostPort(u); got != want {
			t.Errorf("%s leads to %s, want %s", text, got, want)
		}
	}
}
