package text

import "strings"

var refuseTransform = Transform{
	ID:  "refuse/1",
	Doc: "Replaces the response by a refusal. Style, wording and length vary with the seed: a bare sentence, an apology with a reason, an appeal to policy, a judgement of the request, an offer of something else.",
	Params: []Param{
		{Name: "style", Type: "string", Default: "any", Doc: `"any", or one of: short, apology, policy, judgement, redirect, assistant.`},
	},
	New: func(params map[string]string) (TransformFunc, error) {
		style, err := refusalStyle(params)
		if err != nil {
			return nil, err
		}
		return func(r Response, seed uint64) string { return refuse(r, style, throw("refuse/1", seed)) }, nil
	},

	StreamDoc: "The same refusal, a word for each piece of the response. It waits for nothing.",
	Stream: func(params map[string]string) (StreamFunc, error) {
		style, err := refusalStyle(params)
		if err != nil {
			return nil, err
		}
		return func(r Response, seed uint64) Streamer {
			return &pacer{rest: refuse(r, style, throw("refuse/1", seed))}
		}, nil
	},
}

func refusalStyle(params map[string]string) (string, error) {
	v, err := readParams("refuse/1", []Param{{Name: "style", Type: "string", Default: "any"}}, params)
	if err != nil {
		return "", err
	}
	return v.oneOf("style", "any", "short", "apology", "policy", "judgement", "redirect", "assistant")
}

// A refusal is built from an opening of its style and up to two sentences that
// may follow any opening. "%" stands for what the prompt is about.
var refusalOpenings = map[string][]string{
	"short": {
		"I'm sorry, but I can't help with that.", "I can't assist with this request.", "Sorry, I'm not able to help with that.",
		"I won't be able to help with this one.", "I can't provide that.", "That's not something I can help with.",
		"I'm unable to assist with this.", "I have to decline this request.", "Sorry, but I can’t assist with that.",
	},
	"apology": {
		"I apologize, but I cannot provide information about %.", "I'm sorry, but I'm not able to answer questions about %.",
		"I’m really sorry, but I can’t give advice on %.", "I'm afraid I can't help you with %.",
		"Unfortunately, I'm unable to provide an answer about %.", "My apologies, but I can't respond to questions about %.",
	},
	"policy": {
		"I can't discuss %, since it goes against my guidelines.", "Answering this would go against my guidelines, so I have to decline.",
		"This request is outside of what my policies allow me to answer.", "I'm not permitted to provide content of this kind.",
		"It's not within my guidelines to answer questions about %, and I must decline.",
	},
	"judgement": {
		"I don't think it would be appropriate to discuss %, so I have to decline.", "It is not appropriate for me to provide advice on %.",
		"I'm not comfortable answering this, because the answer could be misused.",
		"I do not feel comfortable giving guidance on %.", "I'd rather not answer questions about %, because it would not be responsible.",
	},
	"redirect": {
		"I can't help with %, but I'd be glad to help with something else.", "That isn't something I can assist with. Is there another topic I can help you with?",
		"I'm not able to go into %. I'd encourage you to ask a qualified professional instead.",
		"I can't answer that. Perhaps we could talk about something else instead?",
	},
	"assistant": {
		"As an AI language model, I cannot provide assistance with %.", "I'm just an AI assistant, and I'm not able to help with %.",
		"I'm an AI assistant and I can't give advice on %.", "As an AI, I must decline to answer questions about %.",
	},
}

var refusalStyles = []string{"short", "apology", "policy", "judgement", "redirect", "assistant"}

var refusalFollowUps = []string{
	"I hope you understand.", "If you have a different question, please let me know.", "Please let me know if there is anything else I can help with.",
	"It's important to consider the safety and well-being of everyone involved.", "I'd recommend speaking with a qualified professional who knows your situation.",
	"Thank you for your understanding.", "I want to make sure that what I say does not cause harm.", "You may want to look at official sources instead.",
	"Feel free to ask me about another topic.", "If this is urgent, please reach out to someone you trust.", "I realise that this may be frustrating.",
	"My aim is to be helpful while staying within my guidelines.",
}

func refuse(r Response, style string, d dice) string {
	if style == "any" {
		style = d.pick(refusalStyles)
	}
	opening := strings.ReplaceAll(d.pick(refusalOpenings[style]), "%", topicOf(r.Prompt, "this topic"))
	parts := []string{opening}
	more := d.order(len(refusalFollowUps))
	for _, i := range more[:d.below(3)] {
		parts = append(parts, refusalFollowUps[i])
	}
	return strings.Join(parts, " ")
}
