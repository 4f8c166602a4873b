package arms

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/fdbench/fdbench/runtime/openai"
	"github.com/fdbench/fdbench/runtime/reuse/record"
)

// How many pairs may fail one after the other. After CheckAfter the endpoint is
// asked whether it is there at all, and after StopAfter nothing more is sent,
// whatever it says: each may have cost the longest time that a request is
// allowed.
const (
	CheckAfter = 3
	StopAfter  = 8
)

// OfItem tells whether a request, or the first donor before it that failed, was
// refused for what is in it, such as a prompt that is too long. That says
// nothing of the engine: another item may well be answered.
func OfItem(a *record.Arm) bool {
	detail := a.Detail
	switch {
	case a.DonorsFailed > 0 && (a.Outcome == string(openai.OK) || a.Outcome == string(openai.HTTPError)):
		donor, rest, ok := strings.Cut(detail, fmt.Sprintf(" (%s): ", openai.HTTPError))
		if !ok || strings.Contains(donor, "(") {
			return false // it failed in another way
		}
		detail = rest
	case a.Outcome != string(openai.HTTPError):
		return false
	}
	for _, status := range []int{http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity} {
		if strings.HasPrefix(detail, fmt.Sprintf("status %d", status)) {
			return true
		}
	}
	return false
}
