package plan

import "encoding/json"

func (p *Reuse) format() string  { return ReuseFormat }
func (p *Reuse) subject() string { return p.Name }
func (p *Reuse) whole() *string  { return &p.Digest }

func (p *Reuse) sections() []section {
	return []section{
		{"inputs", p.Inputs, &p.Digests.Inputs},
		{"declaration", p.Declaration, &p.Digests.Declaration},
		{"gates", p.Gates, &p.Digests.Gates},
		{"estimators", p.Estimators, &p.Digests.Estimators},
		{"rules", p.Rules, &p.Digests.Rules},
	}
}

// SealReuse fills in the digests of the sections and of the plan.
func SealReuse(p *Reuse) {
	p.Format = ReuseFormat
	seal(p)
}

// EncodeReuse returns the canonical bytes of a sealed plan.
func EncodeReuse(p *Reuse) []byte { return mustCanonical(p) }

// DecodeReuse reads what EncodeReuse wrote, with or without one line end after
// it. Any other change is an EditedError that names the section.
func DecodeReuse(b []byte) (*Reuse, error) {
	p := new(Reuse)
	if err := decode(b, p, func(raw json.RawMessage) (sealed, error) {
		q := new(Reuse)
		return q, json.Unmarshal(raw, &q.Digests)
	}); err != nil {
		return nil, err
	}
	return p, nil
}
