package testenv

import (
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
)

// CountConnections counts the open connections to a server that is not started yet.
func CountConnections(s *httptest.Server) (open *atomic.Int32) {
	open = &atomic.Int32{}
	s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		switch state {
		case http.StateNew:
			open.Add(1)
		case http.StateClosed, http.StateHijacked:
			open.Add(-1)
		case http.StateActive, http.StateIdle:
		}
	}
	return open
}
