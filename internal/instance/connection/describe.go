package connection

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kairship-io/kairship/api/v1alpha1"
)

// Trouble returns the reason and the message of a condition for a failed request to a Karmada.
func Trouble(err error) (reason, message string) {
	if apierrors.IsForbidden(err) || apierrors.IsUnauthorized(err) {
		return v1alpha1.ReasonRefused, "Karmada refuses the credential: " + Describe(err)
	}
	return v1alpha1.ReasonUnreachable, "Karmada does not answer: " + Describe(err)
}

// Describe says why a Karmada did not answer. The text is the same for the same cause: it leaves out what differs
// from attempt to attempt, such as our own port.
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
