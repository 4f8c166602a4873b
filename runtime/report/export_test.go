package report

// MissedWords is for tests.
var MissedWords = missedWords
