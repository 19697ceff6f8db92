package experiment

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/jsontext"
)

// sameJSON fails if the page, whose engine has no encoding/json, would get another text of a result than a file has.
func sameJSON(t *testing.T, of string, v any) {
	t.Helper()
	var want bytes.Buffer
	e := json.NewEncoder(&want)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		t.Fatal(err)
	}
	if got := string(jsontext.Append(nil, v)); got != strings.TrimSuffix(want.String(), "\n") {
		t.Errorf("%s: the page gets\n%s\na file has\n%s", of, got, want.String())
	}
}
