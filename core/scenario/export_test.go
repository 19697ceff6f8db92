package scenario

// PresetMeanings lists the names of the table.
func PresetMeanings() (names []string) {
	for _, m := range presetMeanings {
		names = append(names, m.name)
	}
	return names
}
