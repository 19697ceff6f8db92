package parameter

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/burstscope/burstscope/core/cache"
	"github.com/burstscope/burstscope/core/dram"
	"github.com/burstscope/burstscope/core/memctrl"
	"github.com/burstscope/burstscope/core/noc"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/sm"
)

// leaf is one value inside a GPU.
type leaf struct{ value reflect.Value }

// place is where a value lies in every GPU.
type place struct {
	path  string // the Go path in lower case
	steps []int  // the numbers of the fields and elements that lead to it
}

// of returns the value at p in a GPU.
func (p *place) of(gpu reflect.Value) leaf {
	for _, i := range p.steps {
		if gpu.Kind() == reflect.Array {
			gpu = gpu.Index(i)
		} else {
			gpu = gpu.Field(i)
		}
	}
	return leaf{gpu}
}

// notValues are the fields of a GPU that are not values: names and
// sources, and what the machine sets from the memory scheme.
var notValues = []string{"name", "title", "source", "dram.name", "dram.source", "dram.exceptions", "l2.wholeblocks"}

// places returns the place of every value of a GPU in the order of its fields.
func places() []place { return appendPlaces(nil, place{}, reflect.TypeFor[GPU]()) }

func appendPlaces(list []place, at place, t reflect.Type) []place {
	step := func(i int, name string) place {
		steps := append(slices.Clip(at.steps), i)
		if name == "" {
			return place{at.path, steps}
		}
		return place{strings.TrimPrefix(at.path+"."+strings.ToLower(name), "."), steps}
	}
	switch {
	case slices.Contains(notValues, at.path):
	case t.Kind() == reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			name := f.Name
			if f.Anonymous {
				name = ""
			}
			list = appendPlaces(list, step(i, name), f.Type)
		}
	case t.Kind() == reflect.Array:
		for i := range t.Len() {
			list = appendPlaces(list, step(i, ClassNames[i]), t.Elem())
		}
	default:
		list = append(list, at)
	}
	return list
}

// UnitNames are the names of execution units in values.
var UnitNames = []string{sm.UnitALU: "alu", sm.UnitSpecial: "special", sm.UnitDouble: "double", sm.UnitMemory: "memory"}

// choices are the words of the types that are not numbers.
func choices(t reflect.Type) []string {
	switch t {
	case reflect.TypeFor[bool]():
		return []string{"off", "on"}
	case reflect.TypeFor[sm.Unit]():
		return UnitNames
	case reflect.TypeFor[ptx.Compile]():
		return ptx.CompileNames[:]
	case reflect.TypeFor[sm.Policy]():
		return sm.PolicyNames[:]
	case reflect.TypeFor[cache.Index]():
		return cache.IndexNames[:]
	case reflect.TypeFor[cache.Local]():
		return cache.LocalNames[:]
	case reflect.TypeFor[cache.StorePolicy]():
		return cache.StorePolicyNames[:]
	case reflect.TypeFor[cache.Acquire]():
		return cache.AcquireNames[:]
	case reflect.TypeFor[cache.Launches]():
		return cache.LaunchesNames[:]
	case reflect.TypeFor[sm.Atomics]():
		return sm.AtomicsNames[:]
	case reflect.TypeFor[noc.InputQueues]():
		return noc.InputQueuesNames[:]
	case reflect.TypeFor[cache.WriteMiss]():
		return cache.WriteMissNames[:]
	case reflect.TypeFor[dram.Standard]():
		return dram.StandardNames()
	case reflect.TypeFor[dram.RefreshMode]():
		return []string{dram.RefreshAllBanks: "allBanks", dram.RefreshPerBank: "perBank"}
	case reflect.TypeFor[dram.GroupRule]():
		return []string{dram.GroupLow: "low", dram.GroupHigh: "high"}
	case reflect.TypeFor[memctrl.Schedule]():
		return []string{memctrl.ScheduleDrain: "drain", memctrl.ScheduleJoint: "joint"}
	case reflect.TypeFor[memctrl.RowPolicy]():
		return []string{memctrl.RowOpen: "open", memctrl.RowClose: "close", memctrl.RowTimeout: "timeout", memctrl.RowAdaptive: "adaptive"}
	case reflect.TypeFor[HostLink]():
		return hostLinkNames()
	case reflect.TypeFor[dram.Hash]():
		return []string{dram.HashNone: "none", dram.HashBank: "bank", dram.HashChannel: "channel", dram.HashBoth: "both"}
	}
	return nil
}

// memoryUnit is the unit of memory instructions: only the load/store unit has a queue for them, so no other one
// can take them.
const memoryUnit = "sm.timing.memory.unit"

// legal are the words that the value of a path may be, nil if it is a number.
func (l leaf) legal(path string) []string {
	if path == memoryUnit {
		return UnitNames[sm.UnitMemory : sm.UnitMemory+1]
	}
	return choices(l.value.Type())
}

// text returns the value in the form that describe shows and set reads.
func (l leaf) text() string {
	words := choices(l.value.Type())
	switch k := l.value.Kind(); {
	case k == reflect.Bool && l.value.Bool():
		return words[1]
	case k == reflect.Bool:
		return words[0]
	case words != nil:
		return words[l.value.Uint()]
	case k == reflect.String:
		return l.value.String()
	case l.value.CanInt():
		return strconv.FormatInt(l.value.Int(), 10)
	}
	return strconv.FormatUint(l.value.Uint(), 10)
}

// set changes the value. If it is not legal, set returns the message of a fault and how to
// mend it.
func (l leaf) set(text string, f *Parameter) (message, mend string) {
	words := choices(l.value.Type())
	switch k := l.value.Kind(); {
	case words != nil:
		i, legal := slices.Index(words, text), l.legal(f.Path)
		if !slices.Contains(legal, text) {
			return strconv.Quote(text) + " is not one of its values", "use one of " + strings.Join(legal, ", ")
		}
		if k == reflect.Bool {
			l.value.SetBool(i == 1)
		} else {
			l.value.SetUint(uint64(i))
		}
	case k == reflect.String:
		l.value.SetString(text)
	default:
		span := "use " + strconv.FormatInt(f.Low, 10) + " to " + strconv.FormatInt(f.High, 10)
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return strconv.Quote(text) + " is not a whole number", span
		}
		if n < f.Low || n > f.High {
			return strconv.FormatInt(n, 10) + " is out of range", strings.TrimSpace(span + " " + f.Unit)
		}
		if l.value.CanInt() {
			l.value.SetInt(n)
		} else {
			l.value.SetUint(uint64(n))
		}
	}
	return "", ""
}
