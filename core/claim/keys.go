package claim

import (
	"slices"
	"strconv"
	"strings"

	"go.starlark.net/starlark"

	"github.com/burstscope/burstscope/core/claim/predicate"
	"github.com/burstscope/burstscope/core/scenario"
)

// vocabularyKeys are the keys of paper.yaml that define words, with their readers.
func (p *Paper) vocabularyKeys(r *figureReader) map[string]func(*scenario.Value) {
	flag := func(dst *bool, word string) func(*scenario.Value) {
		return func(v *scenario.Value) {
			if *dst = v.Text == word; !*dst {
				r.fault(v, "this must be "+word+", or be left out")
			}
		}
	}
	definitions := func(dst *[]definition) func(*scenario.Value) {
		return func(v *scenario.Value) {
			eachKey(r, v, func(name string, item *scenario.Value) {
				d := definition{name: name}
				r.text(&d.text)(item)
				*dst = append(*dst, d)
			})
		}
	}
	formulas := func(dst *[]definition) func(*scenario.Value) {
		return func(v *scenario.Value) {
			definitions(dst)(v)
			for i, d := range *dst {
				if _, err := predicate.Read(d.name, d.text); err != nil {
					r.fault(&v.Items[i], err.Error())
				}
			}
		}
	}
	return map[string]func(*scenario.Value){
		"reading": func(v *scenario.Value) {
			eachKey(r, v, func(flag string, item *scenario.Value) {
				if err := p.reading.Set(flag, item.Text); err != nil {
					r.fault(item, err.Error())
				}
			})
		},
		"inputs": flag(&p.suite, "suite"), "errors": flag(&p.loss, "loss"), "notBound": flag(&p.unbound, "unasked"),
		"remark": r.text(&p.remark), "noise": r.texts(&p.noise),
		"readings": func(v *scenario.Value) { p.readOpenParts(r, v) },
		"lists": func(v *scenario.Value) {
			eachKey(r, v, func(name string, item *scenario.Value) {
				l := list{name: name}
				r.list(item, "a list", func(one *scenario.Value) {
					if n, err := strconv.Atoi(one.Text); err == nil && one.Kind == scenario.IsInteger {
						l.values = append(l.values, starlark.MakeInt(n))
						return
					}
					var text string
					r.text(&text)(one)
					l.values = append(l.values, starlark.String(text))
				})
				p.lists = append(p.lists, l)
			})
		},
		"settings": func(v *scenario.Value) {
			eachKey(r, v, func(name string, item *scenario.Value) {
				p.keywords = append(p.keywords, r.keyword(name, item))
			})
		},
		"metrics": formulas(&p.metrics), "words": formulas(&p.words), "absent": definitions(&p.absent),
		"tests": func(v *scenario.Value) {
			eachKey(r, v, func(name string, item *scenario.Value) {
				folder, function, ok := strings.Cut(item.Text, " ")
				if !ok {
					r.fault(item, "this must be the folder of a test and its function")
				}
				p.tests = append(p.tests, test{name, folder, function})
			})
		},
	}
}

// settings reads a map from paths to values.
func (r *figureReader) settings(v *scenario.Value) (list [][2]string) {
	eachKey(r, v, func(path string, value *scenario.Value) {
		if value.Kind != scenario.IsText && value.Kind != scenario.IsInteger {
			r.fault(value, "a setting is text or a whole number: put other values in quotes")
		}
		list = append(list, [2]string{path, value.Text})
	})
	return list
}

func (r *figureReader) number(dst *int) func(*scenario.Value) {
	return func(v *scenario.Value) {
		n, err := strconv.Atoi(v.Text)
		if v.Kind != scenario.IsInteger || err != nil {
			r.fault(v, "this must be a whole number")
		}
		*dst = n
	}
}

// keyword reads a word of predicates that changes a system.
func (r *figureReader) keyword(name string, v *scenario.Value) keyword {
	k := keyword{name: name, words: map[string][][2]string{}}
	r.fields(v, " of a setting", map[string]func(*scenario.Value){
		"to": r.texts(&k.to), "if": r.text(&k.only),
		"from": r.number(&k.from), "until": r.number(&k.until), "rest": r.number(&k.rest),
		"share": func(*scenario.Value) { k.share = true },
		"usual": func(v *scenario.Value) { k.usual = v.Text },
		"times": func(v *scenario.Value) {
			var err error
			if k.factor, err = strconv.ParseFloat(v.Text, 64); err != nil {
				r.fault(v, "this must be a number")
			}
		},
		"words": func(v *scenario.Value) {
			eachKey(r, v, func(word string, item *scenario.Value) { k.words[word] = r.settings(item) })
		},
	})
	return k
}

// readSystems reads the systems of a folder.
func (p *Paper) readSystems(r *figureReader, v *scenario.Value) {
	eachKey(r, v, func(name string, m *scenario.Value) {
		y := System{Name: name, where: m.Where}
		plain := scenario.Value{Kind: m.Kind, Text: m.Text, Where: m.Where}
		special := map[string]func(*scenario.Value){
			"programs": func(v *scenario.Value) {
				y.programs = map[string][][2]string{}
				eachKey(r, v, func(id string, item *scenario.Value) { y.programs[id] = r.settings(item) })
			},
			"others": r.text(&y.others),
			"with": func(v *scenario.Value) {
				y.with = map[string]string{}
				for _, one := range r.settings(v) {
					y.with[one[0]] = one[1]
				}
			},
			"search": func(v *scenario.Value) { y.search = r.search(v) },
		}
		for i, key := range m.Keys {
			if read := special[key]; read != nil {
				read(&m.Items[i])
				continue
			}
			plain.Keys, plain.Items = append(plain.Keys, key), append(plain.Items, m.Items[i])
		}
		y.Settings = r.settings(&plain)
		p.Systems = append(p.Systems, y)
	})
}

func (r *figureReader) search(v *scenario.Value) *search {
	s := &search{}
	r.fields(v, " of a search", map[string]func(*scenario.Value){
		"of": r.text(&s.of), "otherwise": r.text(&s.otherwise), "programs": r.texts(&s.programs),
		"shares": func(v *scenario.Value) {
			r.list(v, "shares", func(item *scenario.Value) {
				var n int
				r.number(&n)(item)
				s.shares = append(s.shares, n)
			})
		},
	})
	if s.of == "" || len(s.shares) == 0 || !slices.IsSorted(s.shares) {
		r.fault(v, "a search needs of and ascending shares")
	}
	return s
}
