package system

// Description is a group for programs that read its lists: the page, and the command
// line.
type Description struct {
	Group    string               `json:"group"`
	Key      string               `json:"key"`
	Title    string               `json:"title"`
	About    string               `json:"about"`
	Settings []SettingDescription `json:"settings"`
	Entries  []EntryDescription   `json:"entries"`
}

// EntryDescription is an entry of a group.
type EntryDescription struct {
	Name     string               `json:"name"`
	Title    string               `json:"title"`
	About    string               `json:"about,omitempty"`
	Place    string               `json:"place,omitempty"`
	Settings []SettingDescription `json:"settings"`
}

// SettingDescription is a setting with what it may be.
type SettingDescription struct {
	Path     string   `json:"path"`
	Title    string   `json:"title"`
	Unit     string   `json:"unit,omitempty"`
	About    string   `json:"about"`
	Words    []string `json:"words,omitempty"`
	Numbers  []int    `json:"numbers,omitempty"`
	Low      int      `json:"low,omitempty"`
	High     int      `json:"high,omitempty"`
	Default  any      `json:"default"`
	Optional bool     `json:"optional,omitempty"`
	Binary   bool     `json:"binary,omitempty"`
	Pattern  string   `json:"pattern,omitempty"`
	Mend     string   `json:"mend,omitempty"` // of a pattern
	Term     string   `json:"term,omitempty"`
	Label    string   `json:"label,omitempty"`
	Without  string   `json:"without,omitempty"`
	Offer    []string `json:"offer,omitempty"`
	// Needs are conditions on other settings of the group: without all of them the setting has no effect.
	Needs []NeedDescription `json:"needs,omitempty"`
}

// NeedDescription is a condition: the value at Path is one of Is, or none of Not.
type NeedDescription struct {
	Path string   `json:"path"`
	Is   []string `json:"is,omitempty"`
	Not  []string `json:"not,omitempty"`
}

// Describe lists groups with their entries and settings.
func Describe(groups []Group) []Description {
	var list []Description
	for i := range groups {
		g := &groups[i]
		d := Description{Group: g.Name, Key: g.Key, Title: g.Title, About: g.About, Settings: g.describe(g.Settings)}
		for _, e := range g.List() {
			if e.Unlisted {
				continue
			}
			d.Entries = append(d.Entries, EntryDescription{e.Name, e.Title, e.About, e.Place, g.describe(e.Settings)})
		}
		list = append(list, d)
	}
	return list
}

func (g *Group) describe(settings []Setting) []SettingDescription {
	list := []SettingDescription{}
	for i := range settings {
		f := &settings[i]
		d := SettingDescription{
			Path: g.Name + "." + f.Name, Title: f.Title, Unit: f.Unit, About: f.About, Words: f.List(), Numbers: f.Numbers,
			Low: f.Low, High: f.High, Default: f.Value(), Optional: f.Optional, Binary: f.Binary, Pattern: f.Pattern,
			Term: f.Term, Label: f.Label, Without: f.Without, Offer: f.Offer,
		}
		if f.Pattern != "" {
			d.Mend = f.Mend
		}
		for _, n := range f.Needs {
			need := NeedDescription{Path: g.Name + "." + n.Of, Not: n.Not}
			if n.Is != nil {
				need.Is = n.Is()
			}
			d.Needs = append(d.Needs, need)
		}
		list = append(list, d)
	}
	return list
}
