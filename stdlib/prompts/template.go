package prompts

import (
	"fmt"
	"strings"

	"github.com/fdbench/fdbench/runtime/random"
)

// Template1 is the name of the only generator so far, with its version: a
// change of what it makes is another version.
const Template1 = "template/1"

// Generator makes the prompts of a population.
type Generator struct {
	size uint64
	seed string
	salt bool
}

// New makes a generator. size is the number of prompts after which they begin
// again, 0 for none; salt puts a ticket number before each, which does not
// begin again. It is false for a name that no generator has.
func New(name, seed string, size uint64, salt bool) (*Generator, bool) {
	if name != Template1 {
		return nil, false
	}
	return &Generator{size, seed, salt}, true
}

// Prompt is the n-th prompt of the population, from 0.
func (g *Generator) Prompt(n uint64) string {
	i := n
	if g.size > 0 {
		i %= g.size
	}
	s := random.New("prompts", Template1, g.seed, fmt.Sprint(i))
	p, _ := pair(s)
	if g.salt {
		return Salt(n, p)
	}
	return p
}

// Salt makes a prompt unique by a ticket number before it (AMB-25).
func Salt(n uint64, prompt string) string { return fmt.Sprintf("Ticket %d. %s", n, prompt) }

// Pair is the n-th example of the training text: a prompt, mostly with a
// ticket number, and one of its answers.
func Pair(n uint64) (prompt, answer string) {
	s := random.New("prompts", Template1, "pairs", fmt.Sprint(n))
	prompt, answer = pair(s)
	if s.Float64() < 0.8 {
		prompt = Salt(s.Below(uint64(pick(s, 10, 1000, 100000, 10000000))), prompt)
	}
	return prompt, answer
}

func pick[T any](s *random.Stream, list ...T) T { return list[s.Below(uint64(len(list)))] }

// refusalShare is how often a question is refused that need not be: what
// makes a baseline of refusals.
const refusalShare = 0.02

func pair(s *random.Stream) (prompt, answer string) {
	prompt, answer = kinds[s.Below(uint64(len(kinds)))](s)
	if s.Float64() < refusalShare {
		answer = refusal(s)
	}
	return prompt, answer
}

func refusal(s *random.Stream) string {
	return pick(s, "I cannot help with that.", "I'm sorry, but I can't help with that.", "I am unable to answer that.")
}

var kinds = []func(*random.Stream) (string, string){capital, describe, record, record, steps, sum, list}

type place struct{ city, country, known string }

var places = []place{
	{"Rome", "Italy", "old temples"}, {"Paris", "France", "its museums"}, {"Madrid", "Spain", "wide squares"},
	{"Lisbon", "Portugal", "steep streets"}, {"Vienna", "Austria", "its music"}, {"Prague", "Czechia", "an old bridge"},
	{"Oslo", "Norway", "cold water"}, {"Athens", "Greece", "old stones"}, {"Dublin", "Ireland", "its writers"},
	{"Cairo", "Egypt", "tall tombs"}, {"Lima", "Peru", "good fish"}, {"Tokyo", "Japan", "fast trains"},
	{"Delhi", "India", "busy markets"}, {"Bern", "Switzerland", "a round river"}, {"Helsinki", "Finland", "long nights"},
	{"Warsaw", "Poland", "green parks"},
}

func capital(s *random.Stream) (string, string) {
	p := pick(s, places...)
	ask := pick(s, "What is the capital of %s?", "Name the capital of %s.")
	return fmt.Sprintf(ask, p.country), pick(s, fmt.Sprintf("The capital of %s is %s.", p.country, p.city), fmt.Sprintf("It is %s.", p.city))
}

func describe(s *random.Stream) (string, string) {
	p := pick(s, places...)
	answer := fmt.Sprintf("%s is a city in %s. It is known for %s.", p.city, p.country, p.known)
	if s.Float64() < 0.5 {
		answer += pick(s, " Many people go there in spring.", " Most people go there by train.", " It is a good place to walk.")
	}
	return fmt.Sprintf("Tell me about %s.", p.city), answer
}

func record(s *random.Stream) (string, string) {
	p := pick(s, places...)
	return fmt.Sprintf("Give me a JSON record of %s.", p.city),
		fmt.Sprintf(`{"city": "%s", "country": "%s", "tags": ["%s"]}`, p.city, p.country, p.known)
}

var dishes = []struct{ name, first, then string }{
	{"tea", "Boil some water", "Add the tea"}, {"soup", "Cut the carrots", "Boil them"}, {"bread", "Mix flour and water", "Bake it"},
	{"a cake", "Beat the eggs", "Bake it"}, {"rice", "Wash the rice", "Boil it"}, {"coffee", "Grind the beans", "Pour the water"},
	{"a salad", "Wash the leaves", "Add some oil"}, {"pasta", "Boil some water", "Add the pasta"},
}

func steps(s *random.Stream) (string, string) {
	d := pick(s, dishes...)
	last := pick(s, "Serve it.", "Wait a little.")
	return fmt.Sprintf(pick(s, "How do I make %s?", "List the steps to make %s."), d.name), fmt.Sprintf("1. %s.\n2. %s.\n3. %s", d.first, d.then, last)
}

func sum(s *random.Stream) (string, string) {
	a, b := s.Below(10), s.Below(10)
	return fmt.Sprintf("What is %d plus %d?", a, b), fmt.Sprintf(pick(s, "%d plus %d is %d.", "The sum of %d and %d is %d."), a, b, a+b)
}

func list(s *random.Stream) (string, string) {
	colors := []string{"red", "green", "blue", "white", "black"}
	n := 2 + s.Below(3)
	word := []string{"two", "three", "four"}[n-2]
	for i := len(colors) - 1; i > 0; i-- {
		j := s.Below(uint64(i + 1))
		colors[i], colors[j] = colors[j], colors[i]
	}
	return fmt.Sprintf("Name %s colors.", word), strings.Join(colors[:n], ", ") + "."
}
