package blocks

import (
	"math"
	"slices"
)

// automaton is the suffix automaton (Blumer et al., 1985) of several texts,
// each read backwards, in which each state knows the first place of its words.
// Read backwards, the longest run at each token of a recipient is the longest
// suffix of what was read of it.
type automaton struct {
	states []state
	edges  []edge
	table  []int32 // edges by state and token; -1: none
	order  []int32 // states by length
	runs   []run
}

type state struct {
	length int32 // of its longest word
	link   int32 // state of the longest suffix that has further places; -1 for the root
	first  int32 // least start of its words in the text
	edges  int32 // the last one added; -1: none
}

type edge struct {
	from, to int32
	next     int32 // of the same state; -1: none
	token    uint32
}

// match returns for each token of the recipient the longest run of tokens from
// it on that some donor has, and the first place in text where it stands.
func (a *automaton) match(text []uint32, ends []int32, recipient []uint32) []run {
	a.build(text, ends)
	a.runs = slices.Grow(a.runs[:0], len(recipient))[:len(recipient)]
	at, n := int32(0), int32(0)
	for t := len(recipient) - 1; t >= 0; t-- {
		e := a.edge(at, recipient[t])
		for e < 0 && at != 0 {
			at = a.states[at].link
			n = a.states[at].length
			e = a.edge(at, recipient[t])
		}
		if e >= 0 {
			at = a.edges[e].to
			n++
		}
		a.runs[t] = run{a.states[at].first, n}
	}
	return a.runs
}

func (a *automaton) build(text []uint32, ends []int32) {
	a.states = append(a.states[:0], state{0, -1, math.MaxInt32, -1})
	a.edges = a.edges[:0]
	a.table = slices.Grow(a.table[:0], 256)[:256]
	for i := range a.table {
		a.table[i] = -1
	}
	begin := int32(0)
	for _, end := range ends {
		last := int32(0)
		for i := end - 1; i >= begin; i-- {
			last = a.extend(last, text[i])
			a.states[last].first = min(a.states[last].first, i)
		}
		begin = end
	}
	// A word stands wherever a longer word that ends in it does. Longer words
	// come first, by a counting sort.
	longest := int32(0)
	for _, s := range a.states {
		longest = max(longest, s.length)
	}
	count := make([]int32, longest+2)
	for _, s := range a.states {
		count[s.length+1]++
	}
	for i := range longest + 1 {
		count[i+1] += count[i]
	}
	a.order = slices.Grow(a.order[:0], len(a.states))[:len(a.states)]
	for i, s := range a.states {
		a.order[count[s.length]] = int32(i)
		count[s.length]++
	}
	for _, i := range slices.Backward(a.order) {
		if link := a.states[i].link; link >= 0 {
			a.states[link].first = min(a.states[link].first, a.states[i].first)
		}
	}
}

// extend returns the state of all that was read, the new token included.
func (a *automaton) extend(last int32, token uint32) int32 {
	if e := a.edge(last, token); e >= 0 {
		to := a.edges[e].to
		if a.states[to].length == a.states[last].length+1 {
			return to
		}
		return a.split(last, to, token)
	}
	created := int32(len(a.states))
	a.states = append(a.states, state{a.states[last].length + 1, 0, math.MaxInt32, -1})
	p := last
	for ; p >= 0; p = a.states[p].link {
		e := a.edge(p, token)
		if e < 0 {
			a.connect(p, token, created)
			continue
		}
		to := a.edges[e].to
		if a.states[to].length != a.states[p].length+1 {
			to = a.split(p, to, token)
		}
		a.states[created].link = to
		break
	}
	return created
}

// split parts off those words of a state that end where p's do, and one token
// on.
func (a *automaton) split(p, whole int32, token uint32) int32 {
	part := int32(len(a.states))
	a.states = append(a.states, state{a.states[p].length + 1, a.states[whole].link, math.MaxInt32, -1})
	for e := a.states[whole].edges; e >= 0; e = a.edges[e].next {
		a.connect(part, a.edges[e].token, a.edges[e].to)
	}
	a.states[whole].link = part
	for ; p >= 0; p = a.states[p].link {
		e := a.edge(p, token)
		if e < 0 || a.edges[e].to != whole {
			break
		}
		a.edges[e].to = part
	}
	return part
}

func (a *automaton) connect(from int32, token uint32, to int32) {
	if 4*len(a.edges) >= 3*len(a.table) {
		n := 2 * len(a.table)
		a.table = slices.Grow(a.table[:0], n)[:n]
		for i := range a.table {
			a.table[i] = -1
		}
		for i, e := range a.edges {
			*a.place(e.from, e.token) = int32(i)
		}
	}
	*a.place(from, token) = int32(len(a.edges))
	a.edges = append(a.edges, edge{from, to, a.states[from].edges, token})
	a.states[from].edges = int32(len(a.edges) - 1)
}

func (a *automaton) edge(from int32, token uint32) int32 { return *a.place(from, token) }

func (a *automaton) place(from int32, token uint32) *int32 {
	mask := uint64(len(a.table) - 1)
	h := (uint64(uint32(from))<<32 | uint64(token)) * multiplier
	for i := (h ^ h>>32) & mask; ; i = (i + 1) & mask {
		p := &a.table[i]
		if *p < 0 || a.edges[*p].from == from && a.edges[*p].token == token {
			return p
		}
	}
}
