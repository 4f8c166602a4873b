package payload

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/expr-lang/expr/vm"
)

// run evaluates a field; a field that is not mapped gives nil.
func (f *field) run(machine *vm.VM, env any) (any, error) {
	if f == nil {
		return nil, nil
	}
	v, err := machine.Run(f.program, env)
	if err != nil {
		line, _, _ := strings.Cut(err.Error(), "\n")
		return nil, &Error{fmt.Sprintf("the mapping's %s does not fit the payload: %s", f.name, shortened(line)),
			"where a member may be absent, write ?. before it and ?? with what to take instead"}
	}
	return v, nil
}

func (f *field) wrong(v any, want string) error {
	return &Error{fmt.Sprintf("the mapping's %s gives %s, not %s", f.name, described(v), want), ""}
}

func (m *mapping) read(whole any) (*Notification, error) {
	machine := &vm.VM{MemoryBudget: budget}
	n := &Notification{Shape: m.shape}
	list := []any{whole}
	if m.alerts != nil {
		v, err := m.alerts.run(machine, wholeEnv{whole})
		if err != nil {
			return nil, err
		}
		switch v := v.(type) {
		case []any:
			list = v
		case nil:
			list = nil
		default:
			return nil, m.alerts.wrong(v, "a list")
		}
	}
	if len(list) > MaxAlerts {
		return nil, tooMany(len(list))
	}
	if o, ok := whole.(map[string]any); ok {
		n.Receiver, _ = o["receiver"].(string)
		n.GroupKey, _ = o["groupKey"].(string)
	}
	for i, v := range list {
		a, err := m.alert(machine, alertEnv{whole, v})
		if err != nil {
			if e, ok := err.(*Error); ok && m.alerts != nil {
				return nil, &Error{fmt.Sprintf("alert %d: %s", i, e.Reason), e.Remedy}
			}
			return nil, err
		}
		n.Alerts = append(n.Alerts, *a)
	}
	return n, nil
}

func (m *mapping) alert(machine *vm.VM, env alertEnv) (*Alert, error) {
	a := &Alert{Labels: map[string]string{}, Held: m.held}
	v, err := m.status.run(machine, env)
	if err != nil {
		return nil, err
	}
	if a.Status, _ = v.(string); a.Status != Firing && a.Status != Resolved && a.Status != Pending {
		shown := described(v)
		if s, ok := v.(string); ok {
			shown = strconv.Quote(shortened(s))
		}
		return nil, &Error{"the mapping's status gives " + shown + `, not "firing", "resolved" or "pending"`,
			`turn the words of the payload into these: alert.state == "alerting" ? "firing" : "resolved"`}
	}
	if v, err = m.labels.run(machine, env); err != nil {
		return nil, err
	}
	if v != nil {
		labels, ok := v.(map[string]any)
		if !ok {
			return nil, m.labels.wrong(v, "an object of texts")
		}
		for name, l := range labels {
			s, err := text(l)
			if err != nil {
				return nil, &Error{fmt.Sprintf("the label %q is %s, not a text", shortened(name), described(l)), ""}
			}
			a.Labels[name] = s
		}
	}
	for _, f := range m.names {
		if v, err = f.run(machine, env); err != nil {
			return nil, err
		}
		s, err := text(v)
		if err != nil {
			return nil, f.wrong(v, "a text")
		}
		if s != "" {
			a.Labels[strings.TrimPrefix(f.name, "names.")] = s
		}
	}
	if v, err = m.startsAt.run(machine, env); err != nil {
		return nil, err
	}
	if a.StartsAt, err = Instant(v); err != nil {
		return nil, &Error{"the mapping's starts_at: " + err.Error(), ""}
	}
	if v, err = m.value.run(machine, env); err != nil {
		return nil, err
	}
	if a.Value, err = text(v); err != nil {
		return nil, m.value.wrong(v, "a text or a number")
	}
	for _, b := range []struct {
		field *field
		to    *bool
	}{{m.repeat, &a.Repeat}, {m.noData, &a.NoData}} {
		if v, err = b.field.run(machine, env); err != nil {
			return nil, err
		}
		var ok bool
		if *b.to, ok = v.(bool); !ok && v != nil {
			return nil, b.field.wrong(v, "true or false")
		}
	}
	return a, nil
}

// text is a scalar as text; "" for null.
func text(v any) (string, error) {
	switch v := v.(type) {
	case nil:
		return "", nil
	case string:
		return v, nil
	case bool:
		return strconv.FormatBool(v), nil
	case int:
		return strconv.Itoa(v), nil
	case int64:
		return strconv.FormatInt(v, 10), nil
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64), nil
	}
	return "", fmt.Errorf("%s is no text", described(v))
}
