package jsontext

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"
)

type inner struct {
	X    int
	Kept string `json:"kept,omitempty"`
}

type word string

func (w word) MarshalText() ([]byte, error) { return []byte("<" + w + ">"), nil }

type pair struct{ a, b int }

func (p pair) MarshalJSON() ([]byte, error) { return json.Marshal([]int{p.a, p.b}) }

type whole struct {
	inner
	Name      string         `json:"name"`
	Off       bool           `json:"off,omitempty"`
	Floats    []float64      `json:"floats"`
	Small     []float32      `json:"small"`
	None      []int          `json:"none"`
	Nothing   []int          `json:"nothing,omitempty"`
	Bytes     []byte         `json:"bytes"`
	Array     [2]uint8       `json:"array"`
	Map       map[string]any `json:"map"`
	NoMap     map[string]int `json:"noMap"`
	Pointer   *inner         `json:"pointer"`
	NoPointer *inner         `json:"noPointer,omitempty"`
	Struct    inner          `json:"struct,omitempty"`
	Zero      inner          `json:"zero,omitzero"`
	Any       any            `json:"any"`
	Word      word           `json:"word"`
	Words     []word         `json:"words"`
	Pair      pair           `json:"pair"`
	Left      int            `json:"-"`
	Dash      int            `json:"-,"`
	hidden    int
	Big       uint64
	Least     int64
}

// The text is that of encoding/json, for every kind of value.
func TestAsEncodingJSON(t *testing.T) {
	full := whole{
		inner: inner{7, "yes"}, Name: "\x00\x1f\b\t\n\f\r\"\\/<&>\u007fé\u2027", Off: true,
		Floats: []float64{0, math.Copysign(0, -1), 1, -1.5, 1e-6, 9.99e-7, 1e-9, 1e20, 1e21, 123456789e40, 0.1,
			math.MaxFloat64, math.SmallestNonzeroFloat64},
		Small: []float32{0, 0.1, 1e-6, 9.99e-7, 1e-9, 1e21, math.MaxFloat32},
		Bytes: []byte("hello"), Array: [2]uint8{3, 255},
		Map:     map[string]any{"b": 1, "a": []string{"x"}, "": nil, "é": map[string]int{"z": 1}},
		Pointer: &inner{X: 1}, Any: inner{}, Word: "w", Words: []word{"x", "y"}, Pair: pair{1, 2},
		Left: 9, Dash: 4, hidden: 5, Big: math.MaxUint64, Least: math.MinInt64,
	}
	for _, v := range []any{nil, full, whole{}, &full, []any{1, "x", nil, true, pair{3, 4}}, map[string]whole{"k": full}} {
		var want bytes.Buffer
		e := json.NewEncoder(&want)
		e.SetEscapeHTML(false)
		if err := e.Encode(v); err != nil {
			t.Fatal(err)
		}
		if got := string(Append([]byte("before"), v)); got != "before"+strings.TrimSuffix(want.String(), "\n") {
			t.Errorf("%T:\n%s\nencoding/json:\n%s", v, got, want.String())
		}
	}
}

// JSON has no form of these numbers.
func TestNumbersThatJSONLacks(t *testing.T) {
	if got := string(Append(nil, []float64{math.NaN(), math.Inf(1), math.Inf(-1)})); got != "[null,null,null]" {
		t.Error(got)
	}
}

type refused struct{}

func (refused) MarshalText() ([]byte, error) { return nil, errors.New("refused") }

func TestValuesWithoutForm(t *testing.T) {
	for _, v := range []any{make(chan int), refused{}, struct{ F func() }{}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%T was written", v)
				}
			}()
			Append(nil, v)
		}()
	}
}
