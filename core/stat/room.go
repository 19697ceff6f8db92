package stat

import "strconv"

// Places of counters that a Set has for systems. A room's counters are constants from a place on (First of its
// groups), so hot loops add to a fixed place whatever rooms there are.
const (
	FirstPlace  = numOwn
	places      = 96 // 46 are taken, of codecs in an L1 and of five systems [ours]
	NumCounters = FirstPlace + places
)

// Group describes counters of a system: Infos[i] is counter First+i. Lists have them after a counter that every
// machine has.
type Group struct {
	First, After Counter
	Infos        []Info
}

// extra are the descriptions of the places, and list has all counters that have one, in the order of lists.
var (
	extra [places]Info
	list  = order(nil)
)

// Extend makes groups the counters beside those of every machine. It panics if two have one place, or one place
// is none: the rooms are part of the program.
func Extend(groups []Group) {
	clear(extra[:])
	for i := range groups {
		g := &groups[i]
		for k, info := range g.Infos {
			c := g.First + Counter(k)
			if g.First < FirstPlace || c >= NumCounters || g.After < First || g.After >= FirstPlace {
				panic("stat: counter " + info.Name + ": its place is none, or it is not after a counter of every machine")
			}
			if other := &extra[c-FirstPlace]; other.Name != "" {
				panic("stat: counters " + other.Name + " and " + info.Name +
					" have one place: the first free one is FirstPlace + " + strconv.Itoa(free(groups)))
			}
			if _, taken := ByName(info.Name); taken {
				panic("stat: two counters are called " + info.Name)
			}
			extra[c-FirstPlace] = info
		}
	}
	list = order(groups)
}

// free returns the number of the first place beyond those of all groups.
func free(groups []Group) (place int) {
	for i := range groups {
		place = max(place, int(groups[i].First-FirstPlace)+len(groups[i].Infos))
	}
	return place
}

func order(groups []Group) []Counter {
	var list []Counter
	for c := First; c < FirstPlace; c++ {
		list = append(list, c)
		for i := range groups {
			for k := range groups[i].Infos {
				if groups[i].After == c {
					list = append(list, groups[i].First+Counter(k))
				}
			}
		}
	}
	return list
}

// List returns all counters, in the order of lists. The caller does not change it.
func List() []Counter { return list }
