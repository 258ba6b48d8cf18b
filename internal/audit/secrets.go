package audit

import (
	"encoding/base64"
	"encoding/json"
	"strings"
)

// SecretValues returns the values of every Secret in a JSON document, as written and decoded, wherever it is nested:
// in a list, in a Work, in an annotation that repeats the object. For Entry.Hide. Nil if the document is not JSON.
func SecretValues(document []byte) []string {
	var value any
	if json.Unmarshal(document, &value) != nil {
		return nil
	}
	return SecretValuesOf(value)
}

// SecretValuesOf does the same for a decoded document.
func SecretValuesOf(value any) []string { return secretValues(value, nil) }

func secretValues(value any, out []string) []string {
	switch v := value.(type) {
	case []any:
		for _, item := range v {
			out = secretValues(item, out)
		}
	case map[string]any:
		if v["kind"] == "Secret" {
			for _, field := range []string{"data", "stringData"} {
				data, ok := v[field].(map[string]any)
				if !ok {
					continue
				}
				for _, item := range data {
					text, ok := item.(string)
					if !ok {
						continue
					}
					out = append(out, text)
					if decoded, err := base64.StdEncoding.DecodeString(text); err == nil && field == "data" {
						out = append(out, string(decoded))
					}
				}
			}
		}
		for _, item := range v {
			out = secretValues(item, out)
		}
	case string:
		// kubectl's annotation with the whole object.
		if strings.HasPrefix(v, "{") && strings.Contains(v, "Secret") {
			out = append(out, SecretValues([]byte(v))...)
		}
	}
	return out
}
