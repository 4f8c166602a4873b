package report

import (
	"fmt"
	"reflect"
	"strings"
)

// nilLists gives f the path of every list that is null. A table without rows is
// an empty one, and one that is null was not written by a run.
func nilLists(v reflect.Value, path string, f func(path string)) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			nilLists(v.Elem(), path, f)
		}
	case reflect.Slice:
		if v.IsNil() {
			f(path)
		}
		for i := range v.Len() {
			nilLists(v.Index(i), fmt.Sprintf("%s[%d]", path, i), f)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			name, options, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
			if name == "" || strings.Contains(options, "omit") {
				continue
			}
			nilLists(v.Field(i), strings.TrimPrefix(path+"."+name, "."), f)
		}
	}
}
