// Package runner runs the shells of consoles, for a server in another process: it has no right that the server has, but
// what each session brings. A session has a user of its own where this process is root, a folder of its own, a clean
// environment, a terminal and ten minutes; when it ends, however it does, its processes are killed and its folder is
// removed. Sessions are opened by who knows the shared token (package protocol), over one WebSocket each.
//
// It knows nothing of Kubernetes, of instances, nor of who may do what.
package runner

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"time"
)

// Config is what a Runner needs.
type Config struct {
	// Token returns the token that servers have to send, now.
	Token func() (string, error)
	// Shell is the program of a session, an absolute path, and Path its PATH.
	Shell, Path string
	// Dir is the folder for the folders of sessions. Nobody else uses it: what an earlier Runner left there is removed.
	Dir string
	// Users are those of sessions. None: this process is not root, there is one session at a time, and its user is that
	// of this process.
	Users Users
	// Limits; zero fields have defaults.
	Limits Limits
	Logger *slog.Logger
}

// Limits bound sessions. Zero means the default.
type Limits struct {
	// Sessions is how many there may be, and SessionsPerPerson of one person. 20, 3.
	Sessions, SessionsPerPerson int
	// Time is how long one lasts at most, and Warning how long before its end its terminal says so. 10 min, 1 min.
	Time, Warning time.Duration
	// Idle is how long one lasts in which nothing comes and nothing goes. 5 min.
	Idle time.Duration
	// Stall is how long the shell may leave input unread, of which a megabyte waits. 10 s.
	Stall time.Duration
}

func (l Limits) withDefaults() Limits {
	return Limits{
		Sessions: cmp.Or(l.Sessions, 20), SessionsPerPerson: cmp.Or(l.SessionsPerPerson, 3), Time: cmp.Or(l.Time, 10*time.Minute),
		Warning: cmp.Or(l.Warning, time.Minute), Idle: cmp.Or(l.Idle, 5*time.Minute), Stall: cmp.Or(l.Stall, 10*time.Second),
	}
}

// check refuses what cannot work for a process of a user.
func (c Config) check(user int) error {
	switch {
	case user == 0 && c.Users.Count == 0:
		return errors.New("this process is root: sessions need users of their own")
	case user != 0 && c.Users.Count > 0:
		return errors.New("sessions have users of their own where this process is root, and it is not")
	case c.Token == nil:
		return errors.New("a runner needs a token")
	case !filepath.IsAbs(c.Shell):
		return fmt.Errorf("the shell %q is no absolute path", c.Shell)
	case c.Path == "" || strings.Contains(c.Path, "\x00"):
		return errors.New("the PATH of sessions is empty")
	case !filepath.IsAbs(c.Dir):
		return fmt.Errorf("the folder %q is no absolute path", c.Dir)
	}
	return c.Users.check()
}

// minToken is the shortest token, in bytes: nobody guesses it.
const minToken = 16
