package arms

// Problem is what would spoil a run, with what to do about it.
type Problem struct {
	Part   string // of the live block: live, donors, reset, metrics
	What   string
	Remedy string
}

func (p *Problem) Error() string {
	if p.Remedy == "" {
		return p.What
	}
	return p.What + "; " + p.Remedy
}
