package virtual

import (
	"bytes"
	"context"
	"math/big"
	"unsafe"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/detector"
	"github.com/fdbench/fdbench/runtime/random"
	"github.com/fdbench/fdbench/runtime/readback"
	"github.com/fdbench/fdbench/runtime/world"
)

// reader keeps what was read last, since a digest is worth making only of a
// configuration that has changed.
type reader struct {
	now, first detector.Settings
	last       []byte
	digest     string
}

// ReadBack reads the detector's settings from the values that it decides with
// and the deployment's state from the tables that responses are drawn from and
// from the fault that acts. Nothing in this program writes into a table, so
// that it is enough to see which ones are in use.
func (w *virtualWorld) ReadBack(context.Context) (world.Readback, error) {
	return world.Readback{Detector: w.detectorDigest(), Serving: w.servingDigest(), Population: w.home.declared.Population}, nil
}

func (w *virtualWorld) detectorDigest() string {
	c, ok := w.det.(detector.Configured)
	if !ok {
		return ""
	}
	r := &w.read
	r.now.Reset()
	c.Settings(&r.now)
	for i := range w.columns {
		w.computes(&r.now, i)
	}
	if r.digest != "" && bytes.Equal(r.last, r.now.Bytes()) {
		return r.digest
	}
	if r.digest == "" {
		r.first.Copy(&r.now)
	}
	r.last, r.digest = append(r.last[:0], r.now.Bytes()...), r.now.Digest()
	return r.digest
}

// computed is how a detector gets one of its indicators, as declared.
type computed struct {
	column   int
	sampling random.Chance
	lines    detector.Settings
}

func declaredIndicators(d *plan.Declaration) []computed {
	out := make([]computed, len(d.Detector.Indicators))
	for i, ind := range d.Detector.Indicators {
		out[i].column, out[i].sampling = indicatorIndex(d, ind.Indicator), random.ChanceOf(ind.Sampling.Rat())
		readback.Indicator(&out[i].lines, d, ind, ind.Sampling)
	}
	return out
}

// computes writes how the detector gets its i-th indicator from this world.
func (w *virtualWorld) computes(s *detector.Settings, i int) {
	sampling := certain
	if w.sampling != nil {
		sampling = w.sampling[i]
	}
	c := &w.home.computed[i]
	if w.columns[i] == c.column && sampling == c.sampling {
		s.Append(&c.lines)
		return
	}
	d := &w.plan.Declaration
	ind := d.Detector.Indicators[i]
	ind.Indicator = d.Indicators[w.columns[i]].Name
	readback.Indicator(s, d, ind, exact.FromRat(sampling.Rat()))
}

var certain = random.ChanceOf(big.NewRat(1, 1))

// Change implements world.Explaining.
func (w *virtualWorld) Change() string {
	return detector.Difference(w.read.first.Bytes(), w.read.now.Bytes())
}

func (w *virtualWorld) servingDigest() string {
	d := readback.Deployment{Declared: w.home.deployment}
	switch {
	case w.bank != w.home.bank:
		d.Replaced = "responses"
	case !same(w.latencies, w.home.latencies):
		d.Replaced = "latencies"
	case !same(w.masks, w.home.masks):
		d.Replaced = "guardrails"
	}
	if f := &w.fault; f.active || f.altered > 0 {
		d.Fault = readback.Fault{Class: f.spec.Class, Fraction: f.spec.Fraction, Profile: f.spec.Profile.Name}
	} else if d.Replaced == "" {
		return w.home.atRest
	}
	return d.Digest()
}

// same tells whether two slices are one.
func same[T any](a, b []T) bool {
	return len(a) == len(b) && unsafe.SliceData(a) == unsafe.SliceData(b)
}
