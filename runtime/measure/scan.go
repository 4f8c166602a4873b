package measure

import "encoding/json"

// eachMember calls f for the members of a JSON object, in order, with the
// bytes of their values. It is for text that is known to be valid JSON, as the
// data of an entry is, and takes nothing from the heap: every entry of a
// journal goes through it.
func eachMember(object []byte, f func(name, value []byte)) {
	i := skipSpace(object, 0)
	if i >= len(object) || object[i] != '{' {
		return
	}
	for i = skipSpace(object, i+1); i < len(object) && object[i] == '"'; i = skipSpace(object, i+1) {
		end := skipValue(object, i)
		name := object[i+1 : end-1]
		for _, c := range name {
			if c == '\\' {
				name = unescaped(object[i:end])
				break
			}
		}
		i = skipSpace(object, end) // at the colon
		i = skipSpace(object, i+1) // at the value
		end = skipValue(object, i) // behind it
		f(name, object[i:end])
		if i = skipSpace(object, end); i >= len(object) || object[i] != ',' {
			return
		}
	}
}

// eachElement calls f for the elements of a JSON list.
func eachElement(list []byte, f func(value []byte)) {
	i := skipSpace(list, 0)
	if i >= len(list) || list[i] != '[' {
		return
	}
	for i = skipSpace(list, i+1); i < len(list) && list[i] != ']'; i = skipSpace(list, i+1) {
		end := skipValue(list, i)
		f(list[i:end])
		if i = skipSpace(list, end); i >= len(list) || list[i] != ',' {
			return
		}
	}
}

func unescaped(quoted []byte) []byte {
	var s string
	if json.Unmarshal(quoted, &s) != nil {
		return nil
	}
	return []byte(s)
}

func skipSpace(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\t' || b[i] == '\n' || b[i] == '\r') {
		i++
	}
	return i
}

// skipValue returns the place behind the value that begins at i.
func skipValue(b []byte, i int) int {
	depth := 0
	for i < len(b) {
		switch b[i] {
		case '"':
			for i++; i < len(b) && b[i] != '"'; i++ {
				if b[i] == '\\' {
					i++
				}
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth < 0 {
				return i
			}
		case ',', ':', ' ', '\t', '\n', '\r':
			if depth == 0 {
				return i
			}
			i++
			continue
		default: // a number or a word
			for i < len(b) && !delimiter(b[i]) {
				i++
			}
			if depth == 0 {
				return i
			}
			continue
		}
		i++
		if depth == 0 {
			return min(i, len(b))
		}
	}
	return len(b)
}

func delimiter(c byte) bool {
	switch c {
	case ',', ':', '}', ']', '{', '[', '"', ' ', '\t', '\n', '\r':
		return true
	}
	return false
}
