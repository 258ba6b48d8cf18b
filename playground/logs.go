package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

type logsCmd struct {
	Name   string `arg:"" help:"A component, or supervisor."`
	Follow bool   `short:"f" help:"Go on as the log grows."`
	Tail   int    `short:"n" help:"Only the last lines; 0 for all." default:"0"`
	Audit  bool   `help:"The audit log of an API server instead: who asked for what."`
}

// Run prints a log. It works on a fleet that is down too.
func (c logsCmd) Run(e *environment) error {
	path := e.dir.Log(c.Name)
	if c.Audit {
		path = e.dir.Audit(c.Name)
	}
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%q has no such log; there are: %s", c.Name, strings.Join(logNames(filepath.Dir(path)), ", "))
	}
	if err != nil {
		return fmt.Errorf("opening the log of %s: %w", c.Name, err)
	}
	defer func() { _ = f.Close() }() // only read
	if c.Tail > 0 {
		if err := seekTail(f, c.Tail); err != nil {
			return fmt.Errorf("reading the log of %s: %w", c.Name, err)
		}
	}
	for {
		if _, err := io.Copy(os.Stdout, f); err != nil {
			return fmt.Errorf("reading the log of %s: %w", c.Name, err)
		}
		if !c.Follow {
			return nil
		}
		select {
		case <-e.ctx.Done():
			return nil
		case <-time.After(200 * time.Millisecond):
		}
		// The supervisor empties a log that has grown too long.
		if i, err := f.Stat(); err == nil {
			if at, err := f.Seek(0, io.SeekCurrent); err == nil && i.Size() < at {
				if _, err := f.Seek(0, io.SeekStart); err != nil {
					return fmt.Errorf("reading the log of %s: %w", c.Name, err)
				}
			}
		}
	}
}

func logNames(dir string) []string {
	files, err := filepath.Glob(filepath.Join(dir, "*.log"))
	if err != nil {
		return nil
	}
	var names []string
	for _, f := range files {
		names = append(names, strings.TrimSuffix(filepath.Base(f), ".log"))
	}
	slices.Sort(names)
	return names
}

// seekTail moves to where the last lines begin.
func seekTail(f *os.File, lines int) error {
	var starts []int64
	var at int64
	r := bufio.NewReader(f)
	for {
		line, err := r.ReadString('\n')
		if line != "" {
			starts = append(starts, at)
			at += int64(len(line))
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
	}
	at = 0
	if len(starts) > 0 {
		at = starts[max(0, len(starts)-lines)]
	}
	_, err := f.Seek(at, io.SeekStart)
	return err
}
