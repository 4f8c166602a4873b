// Package paired has the statistics of cold and warm arms: percentiles,
// speed-ups, and bootstrap intervals that resample whole source documents.
//
// The intervals are percentile bootstraps (Efron and Tibshirani, An
// Introduction to the Bootstrap, 1993, chapter 13). Pairs of one document are
// alike, so that resampling them one by one would give intervals that are too
// short; documents are resampled as wholes instead (Davison and Hinkley,
// Bootstrap Methods and their Application, 1997, section 3.8). With one pair a
// document that is the plain bootstrap.
//
// The figures are advisory statistics in binary64. They depend on the values,
// the name of the random stream and nothing else: not on the order of the pairs,
// and not on the number of processors. Products are rounded before they are
// added, so that a processor with fused multiplication gives the same bits.
//
// It imports runtime/random.
package paired
