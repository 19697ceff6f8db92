package ptx

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/mem"
)

type referenceArg struct {
	Kind, Name, Type string
	Count, Bytes     uint64
	Init             *string
	DeviceAddr       string `json:"device_addr"`
	Value            float64
}

type referenceLaunch struct {
	PTX         string
	Entry       string
	Grid, Block [3]uint32
	Args        []referenceArg
	Launches    []struct{ Args []referenceArg }
	Outputs     []struct {
		DeviceAddr string `json:"device_addr"`
		Bytes      int
		Hash       string `json:"fnv1a64_of_bytes"`
	}
}

func TestShowLaunches(t *testing.T) {
	var file struct{ Kernels map[string]map[string]any }
	shelfJSON(t, "reference/gpgpusim/launch.json", &file)
	for name, k := range file.Kernels {
		inits := ""
		for _, a := range k["args"].([]any) {
			inits += fmt.Sprint(a.(map[string]any)["name"], a.(map[string]any)["init"], a.(map[string]any)["value"], "; ")
		}
		keys := []string{}
		for x := range k {
			keys = append(keys, x)
		}
		t.Log(name, keys, inits)
	}
	_ = math.Pi
	_ = strconv.Itoa
	_ = strings.ToLower
	_ = fnv.New64a
	_ = binary.LittleEndian
	_ = mem.LineBytes
}
