package httpx

import (
	"net/http"
	"strings"
)

// isJSON reports whether a request says that its body is JSON, whatever the parameters.
func isJSON(r *http.Request) bool {
	values := r.Header["Content-Type"]
	if len(values) != 1 {
		return false
	}
	media, _, _ := strings.Cut(values[0], ";")
	return strings.EqualFold(strings.TrimSpace(media), "application/json")
}

// A form is how a reply may be sent.
type form uint8

// Forms that a client admits.
const (
	inJSON form = 1 << iota
	inStream
)

// admitted returns the forms that a request admits: JSON if it does not say.
func admitted(r *http.Request) form {
	values, present := r.Header["Accept"]
	if !present {
		return inJSON
	}
	var forms form
	for _, value := range values {
		for part := range strings.SplitSeq(value, ",") {
			media, parameters, _ := strings.Cut(part, ";")
			if isZero(parameters) {
				continue
			}
			switch media = strings.TrimSpace(media); {
			case media == "*/*", strings.EqualFold(media, "application/*"), strings.EqualFold(media, "application/json"):
				forms |= inJSON
			case strings.EqualFold(media, "text/event-stream"):
				forms |= inStream
			}
		}
	}
	return forms
}

// isZero reports whether the parameters of a media range hold a weight of 0: not this one.
func isZero(parameters string) bool {
	for parameter := range strings.SplitSeq(parameters, ";") {
		name, value, _ := strings.Cut(strings.TrimSpace(parameter), "=")
		if strings.EqualFold(name, "q") && value != "" && strings.Trim(value, "0.") == "" {
			return true
		}
	}
	return false
}
