package measure

import "github.com/fdbench/fdbench/runtime/journal"

// resumed takes note that a run in real time was cut short and went on. What
// it repeats begins at rest, as every segment does.
func (c *computer) resumed(e journal.Entry, r *journal.Resumed) error {
	if c.segment != nil {
		return reject(e, "a run goes on inside segment %d", c.segment.ID)
	}
	if c.open.Time == timeVirtual {
		return reject(e, "a run in virtual time leaves nothing behind that a resumed one would have to remove")
	}
	if r.Entries < 0 {
		return reject(e, "%d entries of an unfinished segment cannot be", r.Entries)
	}
	return nil
}
