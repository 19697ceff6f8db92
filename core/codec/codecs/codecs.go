// Package codecs is the one table of codecs, and makes any of them by its name.
package codecs

import (
	"fmt"
	"slices"
	"strings"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/codec/e2mc"
	"github.com/burstscope/burstscope/core/codec/plugin"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/system/slc/tslc"
)

// Coder is a codec with its fast sizes.
type Coder interface {
	codec.Codec
	codec.Sizer
	codec.RawSizer
}

// Options of a Coder or a scheme. The zero value gives the paper's settings.
type Options struct {
	Ways int // parallel decoding ways of Huffman codes; 0 = e2mc.DefaultWays
	// LUTSets gives codewords only to values with a place in the sets of E2MC's c-LUT.
	LUTSets bool
	// Table is the code of codecs that have one table, instead of one trained.
	Table *e2mc.Table
	// Module is the WebAssembly module of the codec Plugin.
	Module string
	// MAGBytes and ThresholdBytes of TSLC; 0 = 32 bytes, the burst of GDDR5 (SLC
	// section IV-A), and half of the MAG.
	MAGBytes, ThresholdBytes int
	Header                   tslc.Header
	Prediction               tslc.Prediction
	// Settings are the values of the row's own settings by name: whole numbers (int64), words (string) and bytes
	// (setting.Binary). A missing one has its default.
	Settings map[string]any
}

// Int returns the value of a setting of the row that is a number.
func (o *Options) Int(row *Row, name string) int {
	n, _ := o.value(row, name).(int64)
	return int(n)
}

// Word returns the value of a setting of the row that is a word.
func (o *Options) Word(row *Row, name string) string {
	w, _ := o.value(row, name).(string)
	return w
}

func (o *Options) value(row *Row, name string) any {
	if v, given := o.Settings[name]; given {
		return v
	}
	for i := range row.Settings {
		if row.Settings[i].Name == name {
			return row.Settings[i].Value()
		}
	}
	return nil
}

// Names returns the names of the lossless codecs, each in its default reading.
func Names() []string { return namesOf(func(r *Row) bool { return r.Over == "" && !r.Reading }) }

// Readings returns the names of other readings of the lossless codecs.
func Readings() []string { return namesOf(func(r *Row) bool { return r.Reading }) }

// Lossy returns the names of the lossy codecs, which shorten the code of another codec.
func Lossy() []string { return namesOf(func(r *Row) bool { return r.Over != "" }) }

// All returns the names of all codecs.
func All() []string { return namesOf(func(*Row) bool { return true }) }

// Where returns the names of the codecs without loss that fulfil a condition.
func Where(wanted func(*Row) bool) []string {
	return namesOf(func(r *Row) bool { return r.Over == "" && wanted(r) })
}

func namesOf(wanted func(*Row) bool) []string {
	var names []string
	for i := range Table {
		if wanted(&Table[i]) {
			names = append(names, Table[i].Name)
		}
	}
	return names
}

// Find returns the row of a codec, nil if there is none.
func Find(name string) *Row {
	for i := range Table {
		if Table[i].Name == name {
			return &Table[i]
		}
	}
	if name == Plugin {
		return &pluginRow
	}
	return nil
}

func find(name string) (*Row, error) {
	if r := Find(name); r != nil {
		return r, nil
	}
	return nil, fmt.Errorf("unknown codec: %q: one of %s", name, strings.Join(slices.Concat(Names(), Readings(), Lossy()), ", "))
}

// SymbolBits returns the symbol width of a codec's code table, 0 if the codec has no
// table.
func SymbolBits(name string) (int, error) {
	r, err := find(name)
	if err != nil {
		return 0, err
	}
	return r.SymbolBits, nil
}

// Trained reports whether a codec's codes are made from counts of the data in memory.
func Trained(name string) bool {
	r := Find(name)
	return r != nil && r.Trained()
}

// TrainedModule reports whether a codec is a module that makes a code table of the data in memory.
func TrainedModule(name, module string) bool { return name == Plugin && plugin.Trains(module) }

// ByName returns a codec. If it needs a code table, the table is made from all symbols of
// samples. TSLC codecs treat every block as safe to approximate.
func ByName(name string, samples []mem.Line) (Coder, error) {
	t, err := NewTrainer(name)
	if err != nil {
		return nil, err
	}
	for i := range samples {
		t.Count(&samples[i])
	}
	return t.Make(name, Options{})
}

// ParseHeader reads how the header of a lossy code counts against its budget.
func ParseHeader(text string) (tslc.Header, error) { return tslc.ParseHeader(text) }

// InL1 returns the row of a codec of a compressed L1, or says why the codec cannot be there.
func InL1(name string) (*Row, error) {
	r, err := find(name)
	if err != nil {
		return nil, err
	}
	switch {
	case r.Over != "":
		return nil, fmt.Errorf("codec %s is lossy, and an L1 must give back every byte", name)
	case r.L1 == nil && r.Trained():
		return nil, fmt.Errorf("codec %s makes its codes from data that it knows before a run, and an L1 has none; SC learns them there", name)
	case r.L1 == nil || r.L1.Place < 1:
		return nil, fmt.Errorf("codec %s has no counters of an L1: give its row of codecs.Table an L1 with a place", name)
	}
	return r, nil
}

// Description is a row in the form for the page and for programs that read its lists.
type Description struct {
	Name    string `json:"name"`
	Title   string `json:"title"`
	Reading bool   `json:"reading,omitempty"`
	Over    string `json:"over,omitempty"`
	Trained bool   `json:"trained,omitempty"`
	Ways    bool   `json:"ways,omitempty"`
	// Latencies in cycles of a clock, at the setting of the paper that Source names;
	// energies of a block, and GB/s of one unit (0 = not published).
	MHz              int     `json:"mhz"`
	CompressCycles   int     `json:"compressCycles"`
	DecompressCycles int     `json:"decompressCycles"`
	CompressPJ       float64 `json:"compressPJ"`
	DecompressPJ     float64 `json:"decompressPJ"`
	CompressGBps     float64 `json:"compressGBps,omitempty"`
	DecompressGBps   float64 `json:"decompressGBps,omitempty"`
	Source           string  `json:"source"`
	EnergySource     string  `json:"energySource"`
}

// Describe returns the description of every codec. The last is Plugin, whose values come from its module.
func Describe() ([]Description, error) {
	var list []Description
	for i := range Table {
		r := &Table[i]
		c, err := ByName(r.Name, nil)
		if err != nil {
			return nil, err
		}
		info := c.Info()
		list = append(list, Description{
			Name: r.Name, Title: r.Title, Reading: r.Reading, Over: r.Over, Trained: r.Trained(), Ways: r.Ways,
			MHz: info.Timing.MHz, CompressCycles: info.Timing.CompressCycles, DecompressCycles: info.Timing.DecompressCycles,
			CompressPJ: info.Cost.CompressPJ, DecompressPJ: info.Cost.DecompressPJ,
			CompressGBps: info.Cost.Compressor.GBPerSecond, DecompressGBps: info.Cost.Decompressor.GBPerSecond,
			Source: info.Source, EnergySource: info.Cost.EnergySource,
		})
	}
	return append(list, Description{Name: Plugin, Title: pluginRow.Title, Source: "its module", EnergySource: "its module"}), nil
}
