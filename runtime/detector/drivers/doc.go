// Package drivers makes the detector that a plan declares, of whichever kind.
//
// It imports compiler/plan, lang/exact, runtime/{detector,random} and the
// detectors below runtime/detector.
package drivers
