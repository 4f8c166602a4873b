package stats_test

import (
	"fmt"

	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/stats"
)

func ExampleKeepMagnitude() {
	intended := exact.MustParse("0.10")
	fmt.Println(stats.KeepMagnitude(intended, exact.MustParse("0.11")))
	fmt.Println(stats.KeepMagnitude(intended, exact.MustParse("0.1101")))
	// Output:
	// true
	// false
}

func ExampleSearchSteps() {
	// The width after four halvings is the resolution, which is not below it.
	fmt.Println(stats.SearchSteps(exact.MustParse("0.03"), exact.MustParse("0.35"), exact.MustParse("0.02")))
	// Output: 5
}

func ExampleQuantile() {
	latencies := []exact.Duration{92 * exact.Second, 70 * exact.Second, 141 * exact.Second, 85 * exact.Second}
	median, _ := stats.Quantile(latencies, 1, 2)
	d, _ := exact.Nanosecond.Mul(median)
	fmt.Println(d)
	// Output: 1m28.5s
}

func ExampleBaselineOf() {
	// Refusals among the responses of four windows; the fifth had no traffic.
	b, ok := stats.BaselineOf([]stats.Window{{Sum: 3, N: 120}, {Sum: 2, N: 118}, {Sum: 5, N: 121}, {Sum: 1, N: 119}, {}})
	fmt.Println(ok, b.Windows, b.Undefined, b.Pooled.Decimal(4), b.SD(4), b.Floor(4))
	fmt.Println(stats.BelowTwoSD(b.Floor(4), b.Variance))
	// Output:
	// true 4 1 0.023 0.014 0.0281
	// false
}

func ExampleClopperPearson() {
	lo, hi := stats.ClopperPearson(18, 20, 0.95)
	fmt.Printf("18 of 20: %.3f to %.3f\n", lo, hi)
	// Output: 18 of 20: 0.683 to 0.988
}

func ExampleP95CI() {
	latencies := make([]exact.Duration, 20)
	for i := range latencies {
		latencies[i] = exact.Duration(60+i) * exact.Second
	}
	iv := stats.P95CI(latencies, 0.95)
	fmt.Println(iv.Lower, iv.HasUpper)
	// Output: 1m16s false
}

func ExampleDiscardQuota() {
	// 500 requests in the verification window, baseline 0.02, magnitude 0.10.
	fmt.Printf("independent: %.3f\n", stats.DiscardBernoulli(500, 0.02, 0.10))
	fmt.Printf("quota:       %.3f\n", stats.DiscardQuota(500, 0.02, 0.10))
	fmt.Printf("paired:      %.5f\n", stats.DiscardPaired(500, 0.02, 0.10, true))
	// Output:
	// independent: 0.449
	// quota:       0.060
	// paired:      0.00007
}

func ExampleEvidenceFloor() {
	// Refusals from 2 to 7 percent, a false alarm in 10,000 responses.
	responses := stats.EvidenceFloor(0.02, 0.07, 1e4)
	fmt.Printf("%.0f responses, %.0f s at 1 request a second\n", responses, responses/1)
	// Output: 119 responses, 119 s at 1 request a second
}
