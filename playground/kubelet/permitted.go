package kubelet

import (
	"context"
	"fmt"
	"net"

	"github.com/kairship-io/kairship/playground/internal/enter"
)

// Permitted returns why pods cannot be run here; nil when they can.
func Permitted(ctx context.Context, a Addresses) error {
	if err := enter.Check(ctx); err != nil {
		return fmt.Errorf("mount namespaces are not permitted (%w)", err)
	}
	at := net.JoinHostPort(a.Balanced()[0], "443")
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", at)
	if err != nil {
		return fmt.Errorf("privileged ports are not permitted (%w)", err)
	}
	_ = l.Close()
	return nil
}
