package postgres

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

var versionLine = regexp.MustCompile(`\(PostgreSQL\) (\d+)(\S*)`)

// version asks postgres for its version and refuses what is too old.
func version(ctx context.Context, i Installation) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	out, err := i.Command(ctx, "postgres", "--version").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("postgres --version: %w: %s", err, tail(string(out)))
	}
	match := versionLine.FindStringSubmatch(string(out))
	if match == nil {
		return "", fmt.Errorf("postgres --version says %q, which is not PostgreSQL's", tail(string(out)))
	}
	if major, err := strconv.Atoi(match[1]); err != nil || major < oldest {
		return "", fmt.Errorf("it is version %s; %d or later is needed", match[1]+match[2], oldest)
	}
	return match[1] + match[2], nil
}

// prove creates a data directory and throws it away. That runs the server once,
// so a missing library or share file shows here and not when the fleet starts.
func prove(ctx context.Context, i Installation) (err error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	dir, err := os.MkdirTemp("", "kairship-initdb-")
	if err != nil {
		return fmt.Errorf("make a folder to try initdb in: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if i.User != nil {
		if err := os.Chown(dir, int(i.User.UID), int(i.User.GID)); err != nil {
			return fmt.Errorf("give the folder to try initdb in to user %s: %w", i.User.Name, err)
		}
	}
	out, err := i.Command(ctx, "initdb", "--pgdata="+filepath.Join(dir, "data"), "--username=postgres",
		"--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync").CombinedOutput()
	if err != nil {
		return fmt.Errorf("initdb: %w: %s", err, tail(string(out)))
	}
	return nil
}

// fingerprint changes when the programs do, or who runs them.
func fingerprint(i Installation) (string, error) {
	var parts []string
	for _, name := range []string{"postgres", "initdb"} {
		info, err := os.Stat(i.Program(name))
		if err != nil {
			return "", fmt.Errorf("look at %s: %w", name, err)
		}
		parts = append(parts, fmt.Sprintf("%s %d %d", name, info.Size(), info.ModTime().UnixNano()))
	}
	if i.User != nil {
		parts = append(parts, fmt.Sprintf("as %d", i.User.UID))
	}
	return strings.Join(parts, ", "), nil
}

// tail is the end of what a program printed, which is where it says what is wrong.
func tail(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[max(0, len(lines)-3):], " / ")
}
