package deployment

import (
	"net/http"
	"strconv"
)

// Headers in which an answer tells where it was placed, and why.
const (
	RouteHeader      = "X-Semantic-Route"            // semantic_placement, exact_route, cold_route
	WorkerHeader     = "X-Semantic-Route-Worker"     // the worker's name
	SimilarityHeader = "X-Semantic-Route-Similarity" // from 0 to 1
)

// placement sets the headers of a router. They tell what was found when the
// prompt was placed: what was then reused is another matter, and after a miss
// by a fault it is nothing (KV-6-2).
func (d *Deployment) placement(h http.Header, tokens int, r *reused) {
	if d.o.Worker == "" {
		return
	}
	outcome, similarity := "cold_route", 0.0
	switch {
	case r.hadFuzzy > 0:
		outcome, similarity = "semantic_placement", r.similarity(tokens)
	case r.hadPrefix > 0:
		outcome, similarity = "exact_route", r.similarity(tokens)
	}
	h.Set(RouteHeader, outcome)
	h.Set(WorkerHeader, d.o.Worker)
	h.Set(SimilarityHeader, strconv.FormatFloat(similarity, 'f', 4, 64))
}
