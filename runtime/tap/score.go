package tap

import (
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/fdbench/fdbench/runtime/openai"
	"github.com/fdbench/fdbench/runtime/random"
	"github.com/fdbench/fdbench/stdlib/text"
)

// workers score responses. Two let one long response not hold up the others.
const workers = 2

// job is a response that waits to be read and scored.
type job struct {
	ordinal   uint64
	operation string
	start     time.Time
	end       time.Time
	status    int
	header    http.Header
	failure   openai.Outcome
	request   copied
	response  copied

	ready *response // of a log: nothing is to be read
}

// size is the room that the job holds.
func (j *job) size() int { return len(j.request.data) + len(j.response.data) }

// queue hands jobs to the workers. It never waits: a job that finds no room is
// lost.
type queue struct {
	mu     sync.RWMutex
	closed bool
	jobs   chan *job
}

func (q *queue) put(j *job) bool {
	q.mu.RLock()
	defer q.mu.RUnlock()
	if q.closed {
		return false
	}
	select {
	case q.jobs <- j:
		return true
	default:
		return false
	}
}

func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.closed {
		q.closed = true
		close(q.jobs)
	}
}

// passed takes a request that has ended, however it did.
func (e *Exporter) passed(x *exchange, operation string) {
	j := &job{
		ordinal: x.ordinal, operation: operation, start: x.start, end: e.o.now(),
		status: x.status, header: x.header, failure: x.failure,
		request: x.request.seal(), response: x.response.seal(),
	}
	if j.status == 0 && j.failure == "" {
		j.failure = openai.Cancelled // the handler was left before there was a response
	}
	e.submit(j)
}

func (e *Exporter) submit(j *job) {
	if e.queue.put(j) {
		return
	}
	e.memory.give(j.size())
	e.unscored("queue")
}

// unscored counts a response that the detector will not hear of.
func (e *Exporter) unscored(why string) {
	e.tally.unscore(why)
	e.warn("unscored "+why, unscoredReasons[why])
}

var unscoredReasons = map[string]string{
	"queue":    "a response was not scored, since too many wait: the detector sees fewer than declared. Give the tap more processor time, a lower sampling or a longer queue",
	"memory":   "a response was not scored, since there was no room for its copy: the detector sees fewer than declared. Give the tap more memory",
	"encoding": "a response was not scored, since its Content-Encoding is none that the tap reads (gzip, deflate): the detector sees fewer than declared. Have the deployment answer in one of these or in none",
}

// work scores until the queue is closed and empty.
func (e *Exporter) work() {
	for j := range e.queue.jobs {
		if j.ready != nil {
			e.count(j.ready)
			continue
		}
		r, unread := j.read()
		e.memory.give(j.size())
		if unread != "" {
			e.unscored(unread)
			continue
		}
		e.count(&r)
	}
}

// count scores a response and adds it to the counters.
func (e *Exporter) count(r *response) {
	if r.outcome != openai.OK {
		e.tally.fail(r.outcome, r.model, e.o.CountErrors)
		return
	}
	scores := make([]score, len(e.o.Indicators))
	for i := range e.o.Indicators {
		if !e.sampled(i, r.ordinal) {
			continue
		}
		scores[i] = score{true, e.o.Indicators[i].Score(text.Response{Prompt: r.prompt, Text: r.text})}
	}
	e.tally.add(r.model, scores, r.firstToken)
	if e.pusher != nil {
		e.pusher.evaluated(r, scores)
	}
}

// score is what an indicator says of a response, where it was sampled.
type score struct {
	sampled bool
	value   int32
}

// sampled decides whether an indicator looks at a request, by the request's
// ordinal alone: the same requests are sampled whatever their responses are,
// and in whatever order they end.
func (e *Exporter) sampled(i int, ordinal uint64) bool {
	if e.chances[i].always {
		return true
	}
	s := random.New(e.o.Seed, "tap", "sampling", e.o.Indicators[i].Name, strconv.FormatUint(ordinal, 10))
	return s.Hit(e.chances[i].Chance)
}

type chance struct {
	always bool
	random.Chance
}
