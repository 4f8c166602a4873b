// Package world says what the measuring procedure needs of its surroundings:
// the time, an apparatus, a detector and an observer. The procedure is written
// once against these interfaces; a virtual world steps a simulation, a live
// world waits for real time.
//
// It imports lang/exact, compiler/plan and runtime/detector.
package world
