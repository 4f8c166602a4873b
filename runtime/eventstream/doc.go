// Package eventstream reads and writes server-sent events, as the WHATWG HTML
// standard defines them (section 9.2.6, "Interpreting an event stream"): lines
// end in LF, CR or CRLF, a byte order mark may stand at the beginning, data may
// take several lines, a line without a colon is a field without a value, and
// chunks of the network may end anywhere.
//
// Two things go beyond the standard, because deployments of language models do
// them: an event that the end of the stream cuts off is handed over and marked
// as unterminated, and every event comes with its own bytes, so that a proxy
// can pass on what it does not change.
//
// It imports the standard library only.
package eventstream
