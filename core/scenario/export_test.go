package scenario

// SetPresetMeanings replaces the table of names for a test, and returns what restores it.
func SetPresetMeanings(rows ...[3]any) (restore func()) {
	before := presetMeanings
	presetMeanings = nil
	for _, r := range rows {
		presetMeanings = append(presetMeanings, presetMeaning{r[0].(string), r[1].(int), r[2].(string)})
	}
	return func() { presetMeanings = before }
}

// PresetMeanings lists the names of the table.
func PresetMeanings() (names []string) {
	for _, m := range presetMeanings {
		names = append(names, m.name)
	}
	return names
}
