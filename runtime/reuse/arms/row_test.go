package arms

import (
	"testing"

	"github.com/fdbench/fdbench/runtime/reuse/record"
)

func TestOfItem(t *testing.T) {
	for _, x := range []struct {
		a    record.Arm
		want bool
	}{
		{record.Arm{Outcome: "http_error", Detail: "status 400: too long"}, true},
		{record.Arm{Outcome: "http_error", Detail: "status 413"}, true},
		{record.Arm{Outcome: "http_error", Detail: "status 422"}, true},
		{record.Arm{Outcome: "http_error", Detail: "status 500: status 400"}, false},
		{record.Arm{Outcome: "http_error", Detail: "status 401"}, false},
		{record.Arm{Outcome: "connection_refused", Detail: "status 400"}, false},
		{record.Arm{Outcome: "ok", DonorsFailed: 1, Detail: "donor 2 (http_error): status 400: too long"}, true},
		{record.Arm{Outcome: "http_error", DonorsFailed: 1, Detail: "donor 1 (http_error): status 413; status 413"}, true},
		{record.Arm{Outcome: "ok", DonorsFailed: 1, Detail: "donor 1 (http_error): status 503"}, false},
		{record.Arm{Outcome: "ok", DonorsFailed: 1, Detail: "donor 1 (timeout): as (http_error): status 400"}, false},
		{record.Arm{Outcome: "timeout", DonorsFailed: 1, Detail: "donor 1 (http_error): status 400; no answer"}, false},
		{record.Arm{Outcome: "ok"}, false},
	} {
		if got := OfItem(&x.a); got != x.want {
			t.Errorf("%+v: %v", x.a, got)
		}
	}
}
