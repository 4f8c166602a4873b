// Package execute carries a plan out in a folder: it begins or resumes the
// journal, runs the procedure on a virtual world, and writes the result and
// its reports. Killed at any instant, it goes on to the same bytes.
//
// It imports compiler/{plan,dataset} and runtime/{folder,procedure,virtual,serving,
// journal,measure,report}.
package execute
