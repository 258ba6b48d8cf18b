package postgres

import (
	"context"
	"errors"
	"io"
)

func find(context.Context, string, io.Writer) (Installation, error) {
	return Installation{}, errors.New("no PostgreSQL is searched for yet")
}
