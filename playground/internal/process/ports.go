package process

import (
	"errors"
	"fmt"
	"net"
	"strconv"
)

// PortTaken is a port that a program of the fleet needs and somebody else has.
type PortTaken struct {
	Port   int
	Name   string
	Holder string
}

func (e *PortTaken) Error() string {
	by := "another process"
	if e.Holder != "" {
		by = e.Holder
	}
	return fmt.Sprintf("port %d, needed by %s, is taken by %s", e.Port, e.Name, by)
}

// CheckPorts reports every port of the specs that cannot be listened on, joined
// in one error. Call it only for programs that do not run.
func CheckPorts(specs []Spec) error {
	var errs []error
	for _, s := range specs {
		for _, port := range s.Ports {
			l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
			if err != nil {
				errs = append(errs, &PortTaken{Port: port, Name: s.Name, Holder: Holder(port)})
				continue
			}
			l.Close()
		}
	}
	return errors.Join(errs...)
}
