package claim

import (
	"errors"
	"io/fs"
	"slices"

	"github.com/burstscope/burstscope/core/scenario"
)

// remark is a text about rows of a paper.
type remark struct {
	ids  []string
	text string
}

// readRemarks reads analyses.yaml, which a folder need not have.
func (p *Paper) readRemarks() {
	if _, err := fs.Stat(p.folder, remarksFile); errors.Is(err, fs.ErrNotExist) {
		return
	}
	v := p.tree(remarksFile)
	if v == nil {
		return
	}
	r := &figureReader{}
	r.repeated(v)
	list := func(dst *[]remark) func(*scenario.Value) {
		return func(v *scenario.Value) {
			r.list(v, "the texts", func(item *scenario.Value) {
				var one remark
				r.fields(item, " of a text", map[string]func(*scenario.Value){
					"claims": r.texts(&one.ids), "text": r.text(&one.text),
				})
				*dst = append(*dst, one)
			})
		}
	}
	r.fields(v, "", map[string]func(*scenario.Value){"differences": list(&p.differences), "made": list(&p.made)})
	p.faults = append(p.faults, r.faults...)
}

// analysisOf explains a core claim of a shipped paper that does not hold on the shipped results.
func analysisOf(id string) string {
	return remarkOn(id, func(p *Paper) []remark { return p.differences })
}

// circular returns what was made so that a row holds, or "". Such a row is no evidence.
func circular(id string) string { return remarkOn(id, func(p *Paper) []remark { return p.made }) }

func remarkOn(id string, of func(p *Paper) []remark) string {
	for _, p := range heads() {
		for _, one := range of(p) {
			if slices.Contains(one.ids, id) {
				return one.text
			}
		}
	}
	return ""
}
