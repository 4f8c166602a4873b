// Package proxy is the injection apparatus in the response path (methodology
// 3.4): a reverse proxy in front of an OpenAI-compatible deployment. It picks
// requests at their start and changes the text of their responses, in one
// piece or as they stream, event by event and at their own pace. All else
// passes byte for byte and at once.
//
// Nothing tells a changed response from another but its text (FD-3.4-4): the
// proxy adds no header, no member, no log line and no metric, writes JSON as
// the deployment writes it, and encodes what came encoded.
//
// A Proxy is part of the harness's own process: where that ends, so does the
// fault, and with it the way of the responses.
//
// It imports compiler/plan, stdlib/text and runtime/{confine,
// eventstream,injection,listen,live/driver,openai,random,world}.
package proxy
