// Package execute carries a plan out in a folder: it begins or resumes the
// journal, runs the procedure on a virtual world, and writes the result and
// its reports. Killed at any instant, it goes on to the same bytes.
//
// It imports compiler/{plan,dataset}, lang/{exact,predicate}, the worlds
// (runtime/{virtual,live,world} with the drivers of a live one: its apparatus,
// detectors, leases, clock probes and shares) and runtime/{confine,folder,
// journal,measure,procedure,report,serving}.
package execute
