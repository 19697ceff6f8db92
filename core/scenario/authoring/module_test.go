package authoring

import (
	"bytes"
	"encoding/base64"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/codec/plugin/plugintest"
	"github.com/burstscope/burstscope/core/scenario"
)

// A module is the same bytes in msgpack, YAML and JSON, on both sides of a comparison.
func TestModuleInEveryFormat(t *testing.T) {
	t.Parallel()
	module := plugintest.New().Binary()
	text := base64.StdEncoding.EncodeToString(module)
	s := scenario.Default("vecadd")
	for _, set := range [][2]string{
		{"memory.codec", "plugin"}, {"memory.module", text}, {"compare.memory.codec", "plugin"}, {"compare.memory.module", text},
	} {
		if err := s.Set(set[0], set[1]); err != nil {
			t.Fatal(err)
		}
	}
	packed := Marshal(s)
	if !bytes.Equal(packed, s.Canonical()) || bytes.Count(packed, module) != 2 {
		t.Error("msgpack does not hold the module as it is")
	}
	for name, read := range map[string]func() (*scenario.Scenario, error){
		"msgpack": func() (*scenario.Scenario, error) { return scenario.ParseMsgpack(packed) },
		"YAML":    func() (*scenario.Scenario, error) { return ParseYAML("s.yaml", ToYAML(s)) },
		"JSON":    func() (*scenario.Scenario, error) { return ParseJSON("s.json", ToJSON(s)) },
		"page":    func() (*scenario.Scenario, error) { return scenario.ParseJSON("s.json", ToJSON(s)) },
	} {
		got, err := read()
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if string(got.Memory.Module()) != string(module) || !got.Compare.Memory.Equal(s.Compare.Memory) || !bytes.Equal(got.Canonical(), packed) {
			t.Errorf("%s changes the module", name)
		}
	}
}

// A module that breaks a rule is refused where it stands, before it runs.
func TestModuleFaults(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"memory: {codec: plugin}":                    "memory.module: the codec plugin has no module",
		"memory: {codec: plugin, module: '%'}":       "m.yaml:1:33: memory.module: the text is not base64",
		"memory: {codec: plugin, module: TVo=}":      "m.yaml:1:33: memory.module: it is not a WebAssembly module",
		"memory: {codec: plugin, module: 5}":         "want binary data",
		"memory: {codec: plugim}":                    `unknown codec "plugim"`,
		"memory: {codec: plugin, module: " + large(): "the module has 262145 bytes; a codec may have 262144",
		"memory: {codec: plugin, approximation: tslc-opt, module: " + base64.StdEncoding.EncodeToString(plugintest.New().Binary()) + "}": "tslc-opt works on the symbols of codec e2mc16, not of plugin",
	} {
		_, err := ParseYAML("m.yaml", []byte(text+"\nworkload: {name: vecadd}\n"))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60s: %v, want %q", text, err, want)
		}
	}
}

func large() string { return base64.StdEncoding.EncodeToString(make([]byte, 256<<10+1)) + "}" }
