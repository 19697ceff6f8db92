package guides

import (
	"fmt"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
)

// link turns the links of a document into links of its page. It collects them first: a link that becomes text leaves
// the tree.
func (s *site) link(g *guide) error {
	var links []*ast.Link
	var images []*ast.Image
	err := ast.Walk(g.tree, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Link:
			links = append(links, n)
		case *ast.Image:
			images = append(images, n)
		case *east.Table:
			n.SetAttributeString("tabindex", []byte("0")) // a wide one scrolls, with the keyboard too
		}
		return ast.WalkContinue, nil
	})
	for _, n := range links {
		if err == nil {
			err = s.linkTo(g, n)
		}
	}
	for _, n := range images {
		if err == nil {
			err = s.picture(g, n)
		}
	}
	return err
}

// linkTo points a link to the page of a document. Another file of the repository has no page: its name stays.
func (s *site) linkTo(g *guide, n *ast.Link) error {
	to, err := url.Parse(string(n.Destination))
	if err != nil {
		return err
	}
	if to.Scheme != "" || to.Host != "" {
		return nil
	}
	target := g
	if to.Path != "" {
		name := path.Join(path.Dir(g.from), to.Path)
		if target = s.pages[name]; target == nil {
			target = s.pages[path.Join(name, "README.md")]
		}
		if target == nil {
			if _, err := os.Stat(filepath.Join(s.root, filepath.FromSlash(name))); err != nil {
				return fmt.Errorf("a link to %s, which is not there: correct it", to.Path)
			}
			unwrap(n)
			return nil
		}
	}
	if to.Fragment != "" && !slices.Contains(target.ids, to.Fragment) {
		return fmt.Errorf("a link to %s, and %s has no such heading: use one of %s", to, target.from,
			strings.Join(target.ids, ", "))
	}
	if to.Path != "" {
		up := strings.Repeat("../", strings.Count(g.to, "/"))
		to.Path = up + target.to
		n.Destination = []byte(to.String())
	}
	return nil
}

// unwrap puts what is in a link into its place.
func unwrap(n *ast.Link) {
	parent := n.Parent()
	for child := n.FirstChild(); child != nil; child = n.FirstChild() {
		parent.InsertBefore(parent, n, child)
	}
	parent.RemoveChild(parent, n)
}

// picture copies a picture of the repository beside the pages.
func (s *site) picture(g *guide, n *ast.Image) error {
	to, err := url.Parse(string(n.Destination))
	if err != nil {
		return err
	}
	if to.Scheme != "" || to.Host != "" {
		return fmt.Errorf("a picture of another site, %s: a page shows pictures of the repository only", to)
	}
	name := path.Join(path.Dir(g.from), to.Path)
	data, err := os.ReadFile(filepath.Join(s.root, filepath.FromSlash(name)))
	if err != nil {
		return err
	}
	n.Destination = []byte(strings.Repeat("../", strings.Count(g.to, "/")) + name)
	return s.file(name, data)
}

// headingIDs names headings as the forge does, so that links between documents hold in both places: letters, digits,
// - and _ stay, in lower case; a blank becomes -; a name that is taken gets a number.
type headingIDs struct {
	taken map[string]bool
	list  []string
}

// Generate is called with the text of each heading.
func (h *headingIDs) Generate(value []byte, _ ast.NodeKind) []byte {
	base := strings.Map(func(c rune) rune {
		switch {
		case unicode.IsLetter(c) || unicode.IsDigit(c) || c == '-' || c == '_':
			return unicode.ToLower(c)
		case c == ' ':
			return '-'
		}
		return -1
	}, strings.TrimSpace(string(value)))
	id := base
	for i := 1; h.taken[id]; i++ {
		id = fmt.Sprintf("%s-%d", base, i)
	}
	h.Put([]byte(id))
	return []byte(id)
}

// Put takes a name that a document gives itself.
func (h *headingIDs) Put(value []byte) {
	h.taken[string(value)] = true
	h.list = append(h.list, string(value))
}
