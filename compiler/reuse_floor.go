package compiler

import (
	"github.com/fdbench/fdbench/compiler/rule"
	"github.com/fdbench/fdbench/runtime/reuse/floor"
)

// readCalibration reads the noise floor and holds its protocol against that of
// the live block.
func (r *reuse) readCalibration() {
	d, p := r.d, &r.plan.Declaration
	if !d.given("calibration") {
		return
	}
	defer func() {
		if !d.usable("calibration") {
			r.fail(rule.Calibration)
		}
	}()
	name := r.c.fileName(d, "calibration")
	if name == "" {
		return
	}
	f := r.c.file(d, "calibration", name, "calibration")
	if f == nil {
		return
	}
	a, err := floor.Read(f.bytes)
	if err != nil {
		r.c.errorAt(d.at("calibration"), "LANG-calibration", "Noise floor that cannot be used", name+": "+sentence(err.Error()))
		d.fail("calibration")
		return
	}
	a.File, a.SHA256 = name, f.sha256
	p.Calibration = a
	r.input(name, f.sha256, "calibration")
	if p.Live != nil && r.ctx.Knows(rule.LiveArms, rule.Manifest) {
		r.ctx.Mismatch = floor.Mismatch(a.Protocol, p.Live, p.Manifest.SHA256)
	}
}
