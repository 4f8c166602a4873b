package measure

// Wanted lists the members that records have to hold, as kind, path and rule.
func Wanted() [][3]string {
	var out [][3]string
	var walk func(kind, prefix string, list []want)
	walk = func(kind, prefix string, list []want) {
		for _, w := range list {
			out = append(out, [3]string{kind, prefix + w.name, w.rule})
			walk(kind, prefix+w.name+".", w.sub)
		}
	}
	for kind, list := range wanted {
		walk(kind, "", list)
	}
	return out
}
