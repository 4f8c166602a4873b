package quantity

import "fmt"

const tokensRemedy = `Write a whole number of tokens, such as "64 tokens".`

// ParseTokens reads a number of tokens, 0 or more: "64 tokens".
func ParseTokens(s string) (int64, *Error) {
	q, err := one(s, "a number of tokens", tokensRemedy)
	if err != nil {
		return 0, err
	}
	bad := func(format string, args ...any) (int64, *Error) {
		return 0, &Error{Offset: 0, End: len(s), Message: fmt.Sprintf(format, args...), Remedy: tokensRemedy}
	}
	switch n, ok := q.Value.Int64(); {
	case q.Dimension == Scalar:
		return bad("%q has no unit.", s)
	case q.Unit != "tokens":
		return bad("%q is no number of tokens.", s)
	case !q.Value.IsInt() || !ok || n < 0:
		return bad("%q is not a whole number of tokens.", s)
	default:
		return n, nil
	}
}
