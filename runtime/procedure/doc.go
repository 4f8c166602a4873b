// Package procedure is the measuring procedure of the fault-detection
// methodology, sections 4.2 to 5.5, written once against the interfaces of
// runtime/world. What it decides in virtual time it decides in real time by
// the same lines.
//
// A series is executed in segments. A segment begins with the world at rest,
// holds several trials one after the other, and ends with a commit; what is
// committed is never repeated, and what is not is repeated from the segment's
// beginning to the same bytes.
//
// What can be read back of the world is read when a segment begins, before each
// application, after its removal and after the quiet period that follows. What
// breaks a rule that only a run can see is written down as a violation before
// the act that would follow it, under the rule's own id, and either stops the
// series or marks it.
//
// It imports compiler/plan, lang/{exact,predicate}, spec and
// runtime/{world,journal,stats,random,detector,share}; no driver.
package procedure
