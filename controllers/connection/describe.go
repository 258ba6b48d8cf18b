package connection

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
)

// Describe tells people why a Karmada did not answer. The text is the same for the same cause: it leaves
// out what differs from attempt to attempt, such as our own port.
func Describe(err error) string {
	var op *net.OpError
	var address *url.Error
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return "no answer in time"
	case errors.As(err, &op) && op.Addr != nil:
		return fmt.Sprintf("%s %s: %s", op.Op, op.Addr, op.Err)
	case errors.As(err, &address):
		return address.Err.Error()
	default:
		return err.Error()
	}
}
