package lease

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/fdbench/fdbench/compiler/plan"
	"github.com/fdbench/fdbench/lang/exact"
	"github.com/fdbench/fdbench/runtime/live/driver"
	"github.com/fdbench/fdbench/runtime/world"
)

// The test binary is also the watchdog and the harness that is killed.
const (
	roleVariable = "FDBENCH_LEASE_TEST_ROLE"
	taskVariable = "FDBENCH_LEASE_TEST_TASK"
	keyVariable  = "FDBENCH_LEASE_TEST_KEY"
)

func TestMain(m *testing.M) {
	switch os.Getenv(roleVariable) {
	case "watchdog":
		Endure()
		if err := Watch(context.Background(), os.Args[len(os.Args)-1], os.Stdin, os.Stdout, os.Stderr); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	case "harness":
		if err := harness(); err != nil {
			fmt.Println("failed:", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// watchdogLine is the command line of the watchdog.
func watchdogLine() []string {
	return []string{"/usr/bin/env", roleVariable + "=watchdog", os.Args[0]}
}

// task is what a harness process does.
type task struct {
	Apparatus plan.Apparatus
	Record    string
	Log       bool // the watchdog's words go into its file
}

// harness applies a fault, renews its lease, and removes it when asked to. It
// prints what it has done.
func harness() error {
	var t task
	if err := json.Unmarshal([]byte(os.Getenv(taskVariable)), &t); err != nil {
		return err
	}
	ctx := context.Background()
	o := Options{Record: t.Record, Watchdog: watchdogLine(), Log: os.Stderr, Confirm: 10 * time.Second}
	if t.Log {
		o.Log = nil
	}
	x, err := New(ctx, t.Apparatus, o)
	if err != nil {
		return err
	}
	if err := x.Start(ctx, driver.NewClock()); err != nil {
		return err
	}
	fmt.Println("started")
	if _, err := x.Apply(ctx, refusals("trial 1")); err != nil {
		return err
	}
	fmt.Println("applied")
	lines := make(chan string)
	go func() {
		for s := bufio.NewScanner(os.Stdin); s.Scan(); {
			lines <- s.Text()
		}
	}()
	tick := time.NewTicker(time.Duration(t.Apparatus.Lease) / 4)
	for {
		select {
		case <-tick.C:
			if err := x.Renew(ctx); err != nil {
				fmt.Println("renew:", strings.ReplaceAll(err.Error(), "\n", " "))
				if errors.Is(err, ErrExpired) {
					tick.Stop()
				}
			}
		case line := <-lines:
			if line != "remove" {
				continue
			}
			if _, err := x.Remove(ctx); err != nil {
				fmt.Println("remove:", err)
			}
			fmt.Println("removed")
			if err := x.Close(ctx); err != nil {
				return err
			}
			fmt.Println("closed")
			return nil
		}
	}
}

// refusals is a fault of the deployment's temperature.
func refusals(trial string) driver.Fault {
	return driver.Fault{Fault: world.Fault{Class: "json_invalid", Fraction: exact.MustParse("1/3"), Profile: plan.Profile{Name: "step", Shape: "step"}, Verify: int64(time.Second)},
		Magnitude: "0.2", Trial: trial}
}

// defaultsApparatus sets the defaults of a deployment.
func defaultsApparatus(url string, lease time.Duration) plan.Apparatus {
	call := func(method, body string) plan.HTTPCall {
		return plan.HTTPCall{Method: method, URL: url + "/admin/defaults", Body: body}
	}
	return plan.Apparatus{Name: "admin", Kind: "http", Lease: exact.Duration(lease),
		HTTP: &plan.HTTPApparatus{KeyEnv: keyVariable,
			Apply: call("PUT", `{"temperature": {level}, "system": "trial {trial}"}`), Remove: call("PUT", `{}`), Check: call("GET", "")},
		Levels: []plan.Level{{Class: "json_invalid", Magnitude: exact.MustParse("0.2"), Value: "1.5"}}}
}

func eventually(t *testing.T, within time.Duration, what string, ok func() bool) time.Duration {
	t.Helper()
	begin := time.Now()
	for !ok() {
		if time.Since(begin) > within {
			t.Fatalf("not within %s: %s", within, what)
		}
		time.Sleep(5 * time.Millisecond)
	}
	return time.Since(begin)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
