package forms

// Group is a part of the catalog that shares one module.
type Group struct {
	Name  string
	Forms []Form
}

// Catalog returns all forms in groups.
func Catalog() []Group {
	var list []Group
	for _, g := range []struct {
		name string
		fill func(c *catalog)
	}{
		{"integers", (*catalog).integers},
		{"bit fields", (*catalog).bitFields},
		{"carries", (*catalog).carries},
		{"floats", (*catalog).floats},
		{"approximations", (*catalog).approximations},
		{"halves", (*catalog).halves},
		{"comparisons", (*catalog).comparisons},
		{"conversions", (*catalog).conversions},
		{"warps", (*catalog).warps},
		{"memory", (*catalog).memory},
		{"matrices", (*catalog).matrices},
	} {
		var c catalog
		g.fill(&c)
		list = append(list, Group{g.name, c.list})
	}
	return list
}
