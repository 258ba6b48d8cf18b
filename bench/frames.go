package main

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"time"
)

// maxFrame is the largest message of a server that is read.
const maxFrame = 1 << 20

// frames reads the messages of a WebSocket server from a connection until it closes, and answers its pings. The bench shares the
// machine with what it measures, so that hundreds of readers must cost next to nothing: what has come is taken by one
// read, and every message in it came when that read ended. A message is valid during the call.
func frames(conn net.Conn, told func(message []byte, at time.Time)) error {
	var at time.Time
	in := bufio.NewReaderSize(readerFunc(func(p []byte) (int, error) {
		n, err := conn.Read(p)
		at = time.Now()
		return n, err //nolint:wrapcheck // a reader's own error
	}), 32<<10)
	for {
		operation, size, err := frameHead(in)
		if err != nil {
			return err
		}
		// Most are whole in the buffer: they are not copied.
		message, err := in.Peek(size)
		taken := err == nil
		if errors.Is(err, bufio.ErrBufferFull) {
			message = make([]byte, size)
			_, err = io.ReadFull(in, message)
		}
		if err != nil {
			return fmt.Errorf("reading a message: %w", err)
		}
		switch operation {
		case textFrame:
			told(message, at)
		case pingFrame:
			// What a client sends is masked; by zeros it stays what it is.
			_, err = conn.Write(append([]byte{final | pongFrame, masked | byte(size), 0, 0, 0, 0}, message...))
		case closeFrame:
			return nil
		}
		if taken && err == nil {
			_, err = in.Discard(size)
		}
		if err != nil {
			return fmt.Errorf("answering a message: %w", err)
		}
	}
}

// Of RFC 6455.
const (
	final, masked                               = 0x80, 0x80
	textFrame, closeFrame, pingFrame, pongFrame = 1, 8, 9, 10
)

// frameHead reads what is before a message: what it is, and its size in bytes.
func frameHead(in *bufio.Reader) (operation byte, size int, err error) {
	var head [8]byte
	if _, err := io.ReadFull(in, head[:2]); err != nil {
		return 0, 0, fmt.Errorf("reading a frame: %w", err)
	}
	operation, size = head[0]&^final, int(head[1])
	more := 0
	switch size {
	case 126:
		more = 2
	case 127:
		more = 8
	}
	if _, err := io.ReadFull(in, head[:more]); err != nil {
		return 0, 0, fmt.Errorf("reading a frame: %w", err)
	}
	switch more {
	case 2:
		size = int(binary.BigEndian.Uint16(head[:]))
	case 8:
		size = int(min(binary.BigEndian.Uint64(head[:]), maxFrame+1)) //nolint:gosec // at most maxFrame+1
	}
	if size > maxFrame {
		return 0, 0, errors.New("a message is too large")
	}
	return operation, size, nil
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }
