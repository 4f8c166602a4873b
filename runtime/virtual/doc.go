// Package virtual is the world in virtual time: a discrete-event simulation,
// request by request, of a deployment under load, an apparatus that changes
// responses, and a detector that sees what passes the observation point.
//
// It imports compiler/plan, lang/exact, runtime/{world,serving,arrivals,injection,
// random,detector,readback} and the detector drivers.
package virtual
