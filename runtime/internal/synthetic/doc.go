// Package synthetic writes plans and journals for tests: small, complete,
// deterministic, and made without a world. A test changes the entries before
// they are written in order to see what a reader makes of them.
//
// It imports compiler/plan, lang/exact and runtime/{journal,detector,random,readback,stats}.
package synthetic
