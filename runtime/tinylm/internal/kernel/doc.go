// Package kernel holds the two loops in which a language model spends its
// time. Built with GOEXPERIMENT=simd on amd64 they use vector instructions;
// the sums are then added in another order, so the last bits may differ.
package kernel
