// Package view writes what verbs have to say to a person: diagnostics, the
// summary of a plan, the progress of a run, scores, and two results side by
// side. A view is given values and a stream and decides nothing.
package view
