// Package quality holds texts against one another: outputs against the answers
// of an item, and the outputs of a warm arm against those of the cold one.
//
// Texts are compared as words: runs of letters and digits in lower case, where
// everything else separates. ROUGE-L is Lin, ROUGE: A Package for Automatic
// Evaluation of Summaries (2004), with equal weight on precision and recall. Its
// longest common subsequence is found bit-parallel (Hyyrö, Bit-parallel LCS-length
// computation revisited, 2004).
//
// A score of agreement between two arms means nothing by itself: it is judged
// against a noise floor of the same protocol (KV-8-8, package floor).
//
// It imports lang/exact and runtime/reuse/record.
package quality
