package text

// The order here is the order of every listing.
var scorers = []Scorer{
	refusalScorer, jsonInvalidScorer, schemaViolationScorer, verbosityScorer, truncationScorer, emptyScorer,
	repetitionScorer, wrongLanguageScorer, garbledScorer, specialTokenScorer, reasoningScorer, toolCallScorer,
}

var transforms = []Transform{
	refuseTransform, breakJSONTransform, violateSchemaTransform, verboseTransform, terseTransform, truncateTransform,
	emptyTransform, repeatTransform, switchLanguageTransform, garbleTransform, leakSpecialTransform,
	leakReasoningTransform, breakToolCallTransform,
}

var refusalScorer = Scorer{
	ID: "refusal/1", Kind: "rate", Unit: "1",
	Doc: "1 where the response declines to do what was asked: by saying so, by judging the request, by denying its premise or by turning to something else. A response that declines in part and answers in part is weighed.",
	New: fixedScorer("refusal/1", func(r Response) int32 { return rate(Refused(r)) }),
}
