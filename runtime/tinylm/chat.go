package tinylm

// Chat is a prompt as the model was trained to see it: a turn of the user, and
// the beginning of the assistant's.
func Chat(t *Tokenizer, prompt string) []int {
	tokens := append([]int{t.Special(TokenUser)}, t.Encode(prompt)...)
	return append(tokens, t.Special(TokenAssistant))
}
