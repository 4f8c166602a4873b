// Package httpapparatus makes faults by calls to an endpoint of the
// deployment: one that applies, one that removes, and one whose answer is the
// deployment's configuration (FD-3.4-3).
//
// In the URL and the body of a call, {class}, {magnitude}, {fraction}, {level}
// and {trial} stand for those of the application, and {lease} for the seconds
// after which nobody wants it any more, so that a deployment can end the fault
// itself. They are written as the place asks for: escaped in a path, a query
// and a form, escaped inside of a JSON string, and as they are where JSON has a
// value. Calls go to confined addresses only (FD-7-1), follow no redirect, and
// keep no connection.
//
// It imports compiler/plan, internal/plainjson and
// runtime/{apparatus/mechanism,confine,live/driver,world}.
package httpapparatus
