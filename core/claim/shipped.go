package claim

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/burstscope/burstscope/assets/papers"
	"github.com/burstscope/burstscope/core/scenario/authoring"
)

// Papers are the shipped ones, in the order of their folders.
var Papers = paperNames()

func paperNames() []string {
	var names []string
	for _, folder := range papers.Names() {
		names = append(names, strings.ToUpper(folder))
	}
	return names
}

// shippedPlace is where the shipped folders are in the repository, for messages.
const shippedPlace = "assets/papers"

// shippedFolder returns a shipped paper's folder, not yet read.
func shippedFolder(name string) *Paper {
	folder := strings.ToLower(name)
	return &Paper{folder: papers.Folder(folder), dir: path.Join(shippedPlace, folder), lines: map[string]int{}}
}

// heads are the shipped papers with what paper.yaml says, in the order of Papers. They are part of the
// program: a fault in them is the program's.
var heads = sync.OnceValue(func() []*Paper {
	var list []*Paper
	for _, name := range Papers {
		p := shippedFolder(name)
		p.readHead()
		p.readRemarks()
		if len(p.faults) > 0 {
			panic(p.faults[0])
		}
		list = append(list, p)
	}
	return list
})

// shipped returns a shipped paper with what paper.yaml says; nil if there is none of that name.
func shipped(name string) *Paper {
	if i := slices.Index(Papers, name); i >= 0 {
		return heads()[i]
	}
	return nil
}

// folderOf returns the folder whose words the rows of a paper may use; nil if none.
func (l *Ledger) folderOf(paper string) *Paper {
	if l.own != nil {
		return l.own
	}
	return shipped(paper)
}

// tableOf returns the rows of a shipped paper as CSV.
func tableOf(paper string) string {
	b, err := fs.ReadFile(shippedFolder(paper).folder, claimsFile)
	if err != nil {
		panic(err) // it is part of the program
	}
	return string(b)
}

// FigureNames returns the names of the figures of all shipped papers.
func FigureNames() []string {
	var names []string
	for _, p := range heads() {
		for _, f := range p.Figures {
			names = append(names, f.Name)
		}
	}
	return names
}

// FigureSource returns the YAML of a shipped figure and its place, whatever the case of its name; nil if
// there is none.
func FigureSource(name string) (source []byte, place string) {
	paper, _, _ := strings.Cut(strings.ToUpper(name), "-")
	if !slices.ContainsFunc(FigureNames(), func(known string) bool { return strings.EqualFold(known, name) }) {
		return nil, ""
	}
	p := shippedFolder(paper)
	file := path.Join(figureFolder, strings.ToLower(name)+".yaml")
	b, err := fs.ReadFile(p.folder, file)
	if err != nil {
		panic(err) // paper.yaml lists it
	}
	return b, p.place(file)
}

// ReadFigure reads a shipped figure by its name, in any case.
func ReadFigure(name string) (*Figure, error) {
	source, place := FigureSource(name)
	if source == nil {
		return nil, fmt.Errorf("unknown figure: %q: name one of %s", name, strings.Join(FigureNames(), ", "))
	}
	v, err := authoring.ParseTree(place, source)
	if err != nil {
		return nil, err
	}
	paper, _, _ := strings.Cut(strings.ToUpper(name), "-")
	return ParseFigure(v, shipped(paper))
}

// remark is a text about rows of a paper.
type remark struct {
	where string   `key:"@"` // in analyses.yaml
	ids   []string `key:"claims"`
	text  string   `key:"text"`
}

// remarks are what analyses.yaml holds.
type remarks struct {
	differences []remark `key:"differences"` // why claims do not hold, or not in size
	made        []remark `key:"made"`        // what was made so that rows hold
}

// readRemarks reads analyses.yaml, which a folder need not have.
func (p *Paper) readRemarks() {
	if _, err := fs.Stat(p.folder, remarksFile); errors.Is(err, fs.ErrNotExist) {
		return
	}
	if v := p.tree(remarksFile); v != nil {
		r := &reader{}
		r.read(v, &p.remarks)
		p.faults = append(p.faults, r.faults...)
	}
}

// analysisOf explains a claim of a shipped paper that the shipped results contradict, or the size of its number.
func analysisOf(id string) string {
	return remarkOn(id, func(p *Paper) []remark { return p.differences })
}

// circular returns what was made so that a row holds, or "". Such a row is no evidence.
func circular(id string) string { return remarkOn(id, func(p *Paper) []remark { return p.made }) }

func remarkOn(id string, of func(p *Paper) []remark) string {
	if one := found(heads(), of, func(one *remark) bool { return slices.Contains(one.ids, id) }); one != nil {
		return one.text
	}
	return ""
}
