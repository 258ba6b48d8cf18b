// Package text shortens the messages of controllers.
package text

import (
	"fmt"
	"strings"
)

const (
	// inEvent is how much of a message fits into an event, in characters, with room for what stands before it.
	inEvent = 900
	// inStatus keeps a message readable, and a status small.
	inStatus = 2048
	// inSentence is how much of another program's message fits into a sentence.
	inSentence = 200
	// named is how many of many names are listed.
	named = 5
)

// Event fits a message into an event.
func Event(message string) string { return clip(message, inEvent) }

// Status fits a message into a condition.
func Status(message string) string { return clip(message, inStatus) }

// Sentence makes one line of another program's message, short enough for a sentence.
func Sentence(text string) string { return clip(strings.Join(strings.Fields(text), " "), inSentence) }

// Enumerate lists the first of many names.
func Enumerate(names []string) string {
	if len(names) <= named {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:named], ", "), len(names)-named)
}

func clip(text string, most int) string {
	if len(text) <= most {
		return text
	}
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}
