// Package live is the world in real time: it offers the declared load to a
// running deployment, scores every response at both points, keeps the windows,
// and drives the injection apparatus and the detector under test through
// their drivers.
//
// What happens outside arrives as stamped events in one queue. A world's clock
// is the instant up to which the queue was worked off, and it stands still
// between two calls, so that windows end exactly where they should, whatever
// the process was busy with. The procedure decides by the same lines as in
// virtual time.
//
// Traffic goes on between the segments of one load point: a segment does not
// restart anything, and only a change of the load has to settle.
//
// It imports compiler/{dataset,plan}, stdlib/{prompts,text} and
// runtime/{arrivals,confine,detector,injection,live/driver,openai,random,
// traffic,world}; no driver.
package live
