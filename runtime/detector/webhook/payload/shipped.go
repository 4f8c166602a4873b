package payload

import (
	"sync"

	"github.com/fdbench/fdbench/compiler/plan"
)

// known is the mapping of a known payload as a scenario would write it, with
// what tells its payload from others.
type known struct {
	name string
	is   func(whole any) bool
	plan.Mapping
	held bool // starts_at is when the hold time began
}

// shipped are the mappings that need not be declared.
var shipped = []known{
	{name: "grafana", is: func(whole any) bool {
		o, _ := whole.(map[string]any)
		_, list := o["alerts"].([]any)
		return list && o["orgId"] != nil
	}, Mapping: plan.Mapping{
		Alerts:   `payload.alerts`,
		Status:   `alert.status`,
		Labels:   `alert.labels ?? {}`,
		StartsAt: `alert.startsAt`,
		// Old payloads have only the text.
		Value: `len(alert.values ?? {}) == 0 ? alert.valueString ?? "" : ` +
			`len(alert.values) == 1 ? values(alert.values)[0] : join(map(sort(keys(alert.values)), # + "=" + string(alert.values[#])), ", ")`,
		// An alert that Grafana raises because the data source gave nothing, or
		// failed, has a name of its own; one that goes on under its own name
		// says so in an annotation, which is a list of reasons: "NoData, KeepLast".
		NoData: `(alert.labels?.alertname ?? "") in ["DatasourceNoData", "DatasourceError"] or ` +
			`any(split(alert.annotations?.grafana_state_reason ?? "", ", "), # in ["NoData", "Error"])`,
	}},
	{name: "prometheus_alerts", is: func(whole any) bool { // GET /api/v1/alerts of Prometheus and vmalert
		o, _ := whole.(map[string]any)
		data, _ := o["data"].(map[string]any)
		_, list := data["alerts"].([]any)
		return list && o["status"] == "success"
	}, Mapping: plan.Mapping{
		Alerts:   `filter(payload.data.alerts, #.state in ["firing", "pending"])`,
		Status:   `alert.state`,
		Labels:   `alert.labels`,
		StartsAt: `alert.activeAt`,
		Value:    `alert.value`,
	}, held: true},
	{name: "alertmanager_alerts", is: func(whole any) bool { // GET /api/v2/alerts of Alertmanager
		list, ok := whole.([]any)
		if !ok {
			return false
		}
		for _, v := range list {
			o, _ := v.(map[string]any)
			if _, ok := o["status"].(map[string]any); !ok || o["labels"] == nil {
				return false
			}
		}
		return true
	}, Mapping: plan.Mapping{
		Alerts:   `filter(payload, #.status.state == "active")`,
		Status:   `"firing"`,
		Labels:   `alert.labels`,
		StartsAt: `alert.startsAt`,
	}},
}

var compiled = sync.OnceValue(func() []*mapping {
	var out []*mapping
	for _, s := range shipped {
		m, err := compile(s.name, &s.Mapping)
		if err != nil {
			panic("the mapping " + s.name + " that ships is wrong: " + err.Error())
		}
		m.held = s.held
		out = append(out, m)
	}
	return out
})

// recognise finds the mapping of a payload, or nil.
func recognise(whole any) *mapping {
	for i, s := range shipped {
		if s.is(whole) {
			return compiled()[i]
		}
	}
	return nil
}
