package arms

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// get asks an endpoint for something besides answers.
func (e *endpoint) get(ctx context.Context, u string) (status int, body []byte, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u, nil)
	if err != nil {
		return 0, nil, err
	}
	for name, v := range e.r.live.Endpoint.Headers {
		req.Header.Set(name, v)
	}
	if e.r.key != "" {
		req.Header.Set("Authorization", "Bearer "+e.r.key)
	}
	return e.r.call(req)
}

// models are the names in a list of models.
func models(body []byte) []string {
	var list struct {
		Data []struct {
			ID string `json:"id"`
		} `json:"data"`
	}
	if json.Unmarshal(body, &list) != nil {
		return nil
	}
	var out []string
	for _, m := range list.Data {
		if m.ID != "" {
			out = append(out, m.ID)
		}
	}
	return out
}

// listed quotes names, the first of many.
func listed(names []string) string {
	const most = 10
	var out []string
	for i, n := range names {
		if i == most {
			out = append(out, "...")
			break
		}
		out = append(out, fmt.Sprintf("%q", n))
	}
	return strings.Join(out, ", ")
}

// checkSGLang asks the server which model it serves. Its own protocol carries no
// name of one, so that a wrong model would answer without a word.
func (e *endpoint) checkSGLang(ctx context.Context) []*Problem {
	var status int
	var body []byte
	var err error
	for _, path := range []string{"/get_model_info", "/model_info"} { // its name, and that of later versions
		status, body, err = e.get(ctx, root(e.base)+path)
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return []*Problem{{What: fmt.Sprintf("nothing answers at %s: %s", e.base, e.r.clean(err.Error())), Remedy: "start the engine, or correct base_url"}}
		}
		if status != http.StatusNotFound {
			break
		}
	}
	if status == http.StatusUnauthorized || status == http.StatusForbidden {
		return []*Problem{{What: fmt.Sprintf("the endpoint at %s refuses the key (status %d)", e.base, status), Remedy: e.keyed()}}
	}
	var info struct {
		Path   string `json:"model_path"`
		Served string `json:"served_model_name"`
	}
	if status != http.StatusOK || json.Unmarshal(body, &info) != nil || info.Path == "" && info.Served == "" {
		return []*Problem{{What: fmt.Sprintf("the endpoint at %s does not tell its model (status %d)", e.base, status),
			Remedy: "correct base_url, or use the openai driver: this one asks /get_model_info"}}
	}
	if e.r.model == "" {
		e.r.model = e.r.clean(cmp.Or(info.Served, info.Path))
		return nil
	}
	if want := e.r.model; !sameModel(info.Path, want) && !sameModel(info.Served, want) {
		return []*Problem{{What: fmt.Sprintf("the endpoint at %s serves the model %q, and not %q", e.base, e.r.clean(info.Path), want),
			Remedy: "correct model in the live block"}}
	}
	return nil
}

// sameModel tells whether a server's name for a model, a path perhaps, is the
// declared one: the same text, or the same last part of a path, in any case of
// letters. A part of a name is not enough: 7B is no 72B.
func sameModel(have, want string) bool {
	if have == "" {
		return false
	}
	last := func(s string) string {
		s = strings.TrimRight(strings.ReplaceAll(s, `\`, "/"), "/")
		return strings.ToLower(s[strings.LastIndex(s, "/")+1:])
	}
	return strings.EqualFold(have, want) || last(have) == last(want)
}

// checkVersion holds the engine's version against the declared one, where both
// are known: a noise floor of another version says nothing here.
func (e *endpoint) checkVersion(ctx context.Context) []*Problem {
	want := e.r.live.EngineVersion
	paths := map[string][]string{"vllm": {"/version"}, "sglang": {"/get_server_info", "/server_info"}}[e.r.live.Engine]
	if want == "" {
		return nil
	}
	for _, path := range paths {
		status, body, err := e.get(ctx, root(e.base)+path)
		var info struct {
			Version string `json:"version"`
		}
		if err != nil || status != http.StatusOK || json.Unmarshal(body, &info) != nil || info.Version == "" {
			continue
		}
		if !sameVersion(info.Version, want) {
			return []*Problem{{What: fmt.Sprintf("the engine at %s says that it is version %q, and %q is declared", e.base, e.r.clean(info.Version), want),
				Remedy: "correct engine_version in the live block"}}
		}
		return nil
	}
	return nil
}

// sameVersion allows for a "v" before and a build behind a version.
func sameVersion(have, want string) bool {
	have, want = strings.TrimPrefix(have, "v"), strings.TrimPrefix(want, "v")
	rest, ok := strings.CutPrefix(have, want)
	return ok && (rest == "" || rest[0] == '+')
}
