package prompts

import (
	"fmt"
	"slices"
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
	p := questions[s.Below(uint64(len(questions)))](s)
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
	prompt = questions[s.Below(uint64(len(questions)))](s)
	return prompt, Answer(prompt, s)
}

func refusal(s *random.Stream) string {
	return pick(s, "I cannot help with that.", "I'm sorry, but I can't help with that.", "I am unable to answer that.")
}

// questions draw a prompt; some kinds come twice as often.
var questions = []func(*random.Stream) string{askCapital, askCity, askRecord, askRecord, askSteps, askSum, askColors}

// answers give an answer to a prompt, where it is of their kind.
var answers = []func(string, *random.Stream) (string, bool){tellCapital, tellCity, tellRecord, tellSteps, tellSum, tellColors}

// middle is what stands between two texts that a prompt begins and ends with.
func middle(prompt, begin, end string) (string, bool) {
	rest, ok := strings.CutPrefix(prompt, begin)
	if !ok {
		return "", false
	}
	return strings.CutSuffix(rest, end)
}

type place struct{ city, country, known string }

var places = []place{
	{"Rome", "Italy", "old temples"}, {"Paris", "France", "its museums"}, {"Madrid", "Spain", "wide squares"},
	{"Lisbon", "Portugal", "steep streets"}, {"Vienna", "Austria", "its music"}, {"Prague", "Czechia", "an old bridge"},
	{"Oslo", "Norway", "cold water"}, {"Athens", "Greece", "old stones"}, {"Dublin", "Ireland", "its writers"},
	{"Cairo", "Egypt", "tall tombs"}, {"Lima", "Peru", "good fish"}, {"Tokyo", "Japan", "fast trains"},
	{"Delhi", "India", "busy markets"}, {"Bern", "Switzerland", "a round river"}, {"Helsinki", "Finland", "long nights"},
	{"Warsaw", "Poland", "green parks"},
}

func askCapital(s *random.Stream) string {
	return fmt.Sprintf(pick(s, "What is the capital of %s?", "Name the capital of %s."), pick(s, places...).country)
}

func tellCapital(prompt string, s *random.Stream) (string, bool) {
	country, ok := middle(prompt, "What is the capital of ", "?")
	if !ok {
		country, ok = middle(prompt, "Name the capital of ", ".")
	}
	for _, p := range places {
		if ok && p.country == country {
			return pick(s, fmt.Sprintf("The capital of %s is %s.", p.country, p.city), fmt.Sprintf("It is %s.", p.city)), true
		}
	}
	return "", false
}

func askCity(s *random.Stream) string {
	return fmt.Sprintf("Tell me about %s.", pick(s, places...).city)
}

func tellCity(prompt string, s *random.Stream) (string, bool) {
	p, ok := placeOf(middle(prompt, "Tell me about ", "."))
	if !ok {
		return "", false
	}
	answer := fmt.Sprintf("%s is a city in %s. It is known for %s.", p.city, p.country, p.known)
	if s.Float64() < 0.5 {
		answer += pick(s, " Many people go there in spring.", " Most people go there by train.", " It is a good place to walk.")
	}
	return answer, true
}

func placeOf(city string, ok bool) (place, bool) {
	for _, p := range places {
		if ok && p.city == city {
			return p, true
		}
	}
	return place{}, false
}

func askRecord(s *random.Stream) string {
	return fmt.Sprintf("Give me a JSON record of %s.", pick(s, places...).city)
}

func tellRecord(prompt string, _ *random.Stream) (string, bool) {
	p, ok := placeOf(middle(prompt, "Give me a JSON record of ", "."))
	return fmt.Sprintf(`{"city": "%s", "country": "%s", "tags": ["%s"]}`, p.city, p.country, p.known), ok
}

var dishes = []struct{ name, first, then string }{
	{"tea", "Boil some water", "Add the tea"}, {"soup", "Cut the carrots", "Boil them"}, {"bread", "Mix flour and water", "Bake it"},
	{"a cake", "Beat the eggs", "Bake it"}, {"rice", "Wash the rice", "Boil it"}, {"coffee", "Grind the beans", "Pour the water"},
	{"a salad", "Wash the leaves", "Add some oil"}, {"pasta", "Boil some water", "Add the pasta"},
}

func askSteps(s *random.Stream) string {
	return fmt.Sprintf(pick(s, "How do I make %s?", "List the steps to make %s."), pick(s, dishes...).name)
}

func tellSteps(prompt string, s *random.Stream) (string, bool) {
	name, ok := middle(prompt, "How do I make ", "?")
	if !ok {
		name, ok = middle(prompt, "List the steps to make ", ".")
	}
	for _, d := range dishes {
		if ok && d.name == name {
			return fmt.Sprintf("1. %s.\n2. %s.\n3. %s", d.first, d.then, pick(s, "Serve it.", "Wait a little.")), true
		}
	}
	return "", false
}

func askSum(s *random.Stream) string {
	return fmt.Sprintf("What is %d plus %d?", s.Below(10), s.Below(10))
}

func tellSum(prompt string, s *random.Stream) (string, bool) {
	var a, b int
	if n, err := fmt.Sscanf(prompt, "What is %d plus %d?", &a, &b); n != 2 || err != nil {
		return "", false
	}
	return fmt.Sprintf(pick(s, "%d plus %d is %d.", "The sum of %d and %d is %d."), a, b, a+b), true
}

func askColors(s *random.Stream) string {
	return fmt.Sprintf("Name %s colors.", pick(s, "two", "three", "four"))
}

func tellColors(prompt string, s *random.Stream) (string, bool) {
	word, ok := middle(prompt, "Name ", " colors.")
	n := slices.Index([]string{"two", "three", "four"}, word) + 2
	if !ok || n < 2 {
		return "", false
	}
	colors := []string{"red", "green", "blue", "white", "black"}
	for i := len(colors) - 1; i > 0; i-- {
		j := s.Below(uint64(i + 1))
		colors[i], colors[j] = colors[j], colors[i]
	}
	return strings.Join(colors[:n], ", ") + ".", true
}

// Answer is one of the answers to a prompt of the generator, without its
// ticket number; to a prompt of another origin it is a sentence that asks for
// one.
func Answer(prompt string, s *random.Stream) string {
	if s.Float64() < refusalShare {
		return refusal(s)
	}
	for _, k := range answers {
		if a, ok := k(prompt, s); ok {
			return a
		}
	}
	return "Please ask me about a city, a dish, a sum or some colors."
}
