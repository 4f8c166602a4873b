package edit

import (
	"encoding/json"
	"fmt"
	"slices"
)

// Object carries an example out on one JSON object. Each element of a member
// that is a list is an item of the member's name, each other object under its
// name is one, and the remaining members are together the item "top". A member
// whose items were all dropped becomes an empty list, or is left out where it
// was an object.
func Object(object json.RawMessage, text string) (json.RawMessage, error) {
	var members map[string]json.RawMessage
	if err := decode(object, &members); err != nil {
		return nil, err
	}
	names := make([]string, 0, len(members))
	for name := range members {
		names = append(names, name)
	}
	slices.Sort(names)
	var items []Item
	lists, top := map[string]bool{}, map[string]json.RawMessage{}
	for _, name := range names {
		var list []json.RawMessage
		var single map[string]json.RawMessage
		switch raw := members[name]; {
		case json.Unmarshal(raw, &list) == nil && list != nil:
			lists[name] = true
			for _, x := range list {
				items = append(items, Item{name, x})
			}
		case json.Unmarshal(raw, &single) == nil && single != nil:
			items = append(items, Item{name, raw})
		default:
			top[name] = raw
		}
	}
	raw, err := json.Marshal(top)
	if err != nil {
		return nil, err
	}
	items, err = Apply(append(items, Item{"top", raw}), text)
	if err != nil {
		return nil, err
	}
	out := map[string]any{}
	for name := range lists {
		out[name] = []json.RawMessage{}
	}
	for _, it := range items {
		switch {
		case it.Kind == "top":
			var rest map[string]json.RawMessage
			if err := json.Unmarshal(it.Data, &rest); err != nil {
				return nil, err
			}
			for name, raw := range rest {
				out[name] = raw
			}
		case lists[it.Kind]:
			out[it.Kind] = append(out[it.Kind].([]json.RawMessage), it.Data)
		case members[it.Kind] == nil:
			return nil, fmt.Errorf("the document has no member %q", it.Kind)
		default:
			out[it.Kind] = it.Data
		}
	}
	return json.Marshal(out)
}
