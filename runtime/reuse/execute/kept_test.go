package execute

import (
	"maps"
	"testing"

	"github.com/fdbench/fdbench/runtime/reuse/evidence"
	"github.com/fdbench/fdbench/runtime/reuse/record"
)

// An id that an engine gives to the answers of several requests names none of
// them, however often it comes; the run's own ids do.
func TestOneIDForAll(t *testing.T) {
	var k kept
	for _, a := range []record.Arm{
		{ItemID: "a", Arm: record.Cold, RequestID: "r1", EngineID: "chatcmpl"},
		{ItemID: "a", Arm: record.Warm, RequestID: "r2", EngineID: "chatcmpl"},
		{ItemID: "b", Arm: record.Cold, RequestID: "r3", EngineID: "chatcmpl"},
		{ItemID: "b", Arm: record.Warm, RequestID: "r4", EngineID: "r4"},
		{ItemID: "c", Arm: record.Warm, RequestID: "r5", EngineID: "own"},
		{ItemID: "d", Arm: record.Warm, RequestID: "r6"},
	} {
		k.sent(&a)
	}
	want := map[string]evidence.Request{"chatcmpl": {}, "r1": {ItemID: "a", Arm: "cold"}, "r2": {ItemID: "a", Arm: "warm"}, "r3": {ItemID: "b", Arm: "cold"},
		"r4": {ItemID: "b", Arm: "warm"}, "r5": {ItemID: "c", Arm: "warm"}, "own": {ItemID: "c", Arm: "warm"}, "r6": {ItemID: "d", Arm: "warm"}}
	if !maps.Equal(k.ids, want) {
		t.Errorf("%+v", k.ids)
	}
}
