package compiler

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"
)

// secret refuses a key that stands in a scenario. The key is not repeated.
func (d *decoder) secret(name, what string) {
	remedy := "Put it into an environment variable, and write that variable's name: key_env = \"ENDPOINT_KEY\"."
	if d.b.Schema.Attr("key_env") == nil {
		remedy = "Let the program read it from its environment or from a file."
		if d.b.Type == "receiver" {
			remedy = "Put it into an environment variable, and write that variable's name: token_env = \"RECEIVER_TOKEN\"."
		}
	}
	d.c.errorAt(d.at(name), "LANG-secret", "Key in a scenario",
		what+" A scenario is in version control and its plan is passed on, so no key stands in them. "+remedy)
	d.fail(name)
}

// secretName tells of names under which keys are sent.
func secretName(name string) bool {
	plain := strings.NewReplacer("-", "", "_", "", ".", "").Replace(strings.ToLower(name))
	switch plain {
	case "authorization", "proxyauthorization", "apikey", "xapikey", "key", "token", "accesstoken", "xauthtoken", "cookie", "secret", "clientsecret",
		"password", "passwd", "ocpapimsubscriptionkey", "bearer", "sig", "signature":
		return true
	}
	return false
}

var secretForm = regexp.MustCompile(`(?i)^\s*(bearer|basic)\s+\S{6,}|^\s*(sk|pk|rk|hf|ghp|gho|glpat|xoxb)[-_][A-Za-z0-9_-]{12,}\s*$|-----BEGIN [A-Z ]*PRIVATE KEY-----`)

// looksSecret tells of values in the form of a key.
func looksSecret(value string) bool { return secretForm.MatchString(value) }

var envName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,127}$`)

// variable reads the name of an environment variable.
func (d *decoder) variable(name string) string {
	text := d.text(name)
	switch {
	case !d.given(name) || !d.usable(name):
		return ""
	case looksSecret(text):
		d.secret(name, fmt.Sprintf("%q names the environment variable that holds the key, and this is the key.", name))
	case !envName.MatchString(text):
		d.refuse(name, "Not the name of a variable", fmt.Sprintf("%q names an environment variable: letters, digits and _, such as \"ENDPOINT_KEY\".", name))
	default:
		return text
	}
	return ""
}

var (
	headerName = regexp.MustCompile("^[A-Za-z0-9!#$%&'*+.^_`|~-]+$")
	ownHeaders = []string{"host", "content-length", "content-type", "transfer-encoding", "connection", "te", "trailer", "upgrade", "expect"}
)

// headers reads further headers of a request.
func (d *decoder) headers(name string) map[string]string {
	all := d.params(name)
	for _, key := range sortedKeys(all) {
		value := all[key]
		switch {
		case secretName(key) || looksSecret(value):
			d.secret(name, fmt.Sprintf("The header %s carries a key.", key))
		case !headerName.MatchString(key):
			d.refuse(name, "Not a header", fmt.Sprintf("%q is no name for a header.", key))
		case slices.Contains(ownHeaders, strings.ToLower(key)):
			d.refuse(name, "Header that is set already", fmt.Sprintf("%s follows from the request itself. Leave it out.", key))
		case strings.ContainsFunc(value, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }):
			d.refuse(name, "Not a header", fmt.Sprintf("The value of %s holds a control character.", key))
		}
		if !d.usable(name) {
			break
		}
	}
	return all
}

// keyInside finds a key in a value: the name of the member that holds it, or
// what it looks like.
func keyInside(v cty.Value) (string, bool) {
	if v.IsNull() {
		return "", false
	}
	t := v.Type()
	switch {
	case t == cty.String:
		return "a value", looksSecret(v.AsString())
	case t.IsObjectType() || t.IsMapType():
		for it := v.ElementIterator(); it.Next(); {
			key, item := it.Element()
			if name := key.AsString(); bodySecret(name) && item.Type() == cty.String {
				return fmt.Sprintf("%q", name), true
			}
			if what, found := keyInside(item); found {
				return what, true
			}
		}
	case t.IsTupleType() || t.IsListType() || t.IsSetType():
		for _, item := range v.AsValueSlice() {
			if what, found := keyInside(item); found {
				return what, true
			}
		}
	}
	return "", false
}

// bodySecret is secretName for a member of a body, where "key" and "token"
// have other meanings too.
func bodySecret(name string) bool {
	switch strings.ToLower(name) {
	case "key", "token", "sig", "signature":
		return false
	}
	return secretName(name)
}
