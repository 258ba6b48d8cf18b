package prometheus

import (
	"errors"
	"io"
	"math"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/kairship-io/kairship/internal/model"
)

// errShape is the error of JSON that is not an answer of Prometheus.
var errShape = errors.New("it is not the matrix of a range query")

// decode reads an answer as it comes, and keeps of it only what was asked for: memory is that of the window, whatever the
// other side sends.
func decode(r io.Reader, members []string, w Window) (Members, error) {
	a := &answer{Decoder: jsontext.NewDecoder(r, jsontext.AllowDuplicateNames(true)), asked: members, window: w, found: Members{}}
	err := a.object(func(name string) error {
		switch name {
		case "status":
			return a.text(&a.status)
		case "data":
			return a.object(a.data)
		}
		return a.SkipValue()
	})
	if err == nil && (a.status != "success" || a.kind != "matrix") {
		err = errShape
	}
	if errors.Is(err, errTooLarge) {
		return nil, &failure{why: "Prometheus answers with more than was asked for: have --prometheus-url checked.", err: err}
	}
	if err != nil {
		return nil, &failure{why: "What answers is not Prometheus: have --prometheus-url checked.", err: errShape}
	}
	return a.found, nil
}

// answer is an answer that is being read.
type answer struct {
	*jsontext.Decoder
	asked        []string
	window       Window
	status, kind string
	found        Members
}

func (a *answer) data(name string) error {
	switch name {
	case "resultType":
		return a.text(&a.kind)
	case "result":
		return a.array(a.series)
	}
	return a.SkipValue()
}

// series reads one series. Its values may come before it says whose they are.
func (a *answer) series() error {
	var metric, member string
	var values []float64
	err := a.object(func(name string) error {
		switch name {
		case "metric":
			return a.object(func(label string) error {
				switch label {
				case "__name__":
					return a.text(&metric)
				case memberLabel:
					return a.text(&member)
				}
				return a.SkipValue()
			})
		case "values":
			return a.array(func() error { return a.sample(&values) })
		}
		return a.SkipValue()
	})
	if name, ok := exported[metric]; err == nil && ok && values != nil && asked(a.asked, member) {
		a.keep(member, name, values)
	}
	return err
}

func (a *answer) keep(member string, name model.MetricName, values []float64) {
	if a.found[member] == nil {
		a.found[member] = Values{}
	}
	a.found[member][name] = values
}

// sample reads a pair of a time, a number, and a value, a string. Values that are not finite are gaps.
func (a *answer) sample(values *[]float64) error {
	place := 0
	var at float64
	return a.array(func() error {
		place++
		t, err := a.ReadToken()
		if err != nil {
			return err
		}
		switch {
		case place == 1 && t.Kind() == '0':
			at, err = strconv.ParseFloat(t.String(), 64)
			return err
		case place == 2 && t.Kind() == '"':
			v, err := strconv.ParseFloat(t.String(), 64)
			if err != nil {
				return err
			}
			if i, ok := a.window.index(at); ok && !math.IsNaN(v) && !math.IsInf(v, 0) {
				if *values == nil {
					*values = a.window.gaps()
				}
				(*values)[i] = v
			}
			return nil
		}
		return errShape
	})
}

// object reads an object; member reads the value of each of its names.
func (a *answer) object(member func(name string) error) error {
	if err := a.begin('{'); err != nil {
		return err
	}
	for a.PeekKind() != '}' {
		t, err := a.ReadToken()
		if err != nil {
			return err
		}
		if err := member(t.String()); err != nil {
			return err
		}
	}
	_, err := a.ReadToken()
	return err
}

// array reads an array; item reads each of its values.
func (a *answer) array(item func() error) error {
	if err := a.begin('['); err != nil {
		return err
	}
	for a.PeekKind() != ']' {
		if err := item(); err != nil {
			return err
		}
	}
	_, err := a.ReadToken()
	return err
}

func (a *answer) begin(kind jsontext.Kind) error {
	t, err := a.ReadToken()
	if err == nil && t.Kind() != kind {
		return errShape
	}
	return err
}

func (a *answer) text(into *string) error {
	t, err := a.ReadToken()
	if err == nil && t.Kind() != '"' {
		return errShape
	}
	*into = t.String()
	return err
}
