// Package guides makes a site of the Markdown of this repository: each document is a page, and no text is written
// twice.
package guides

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// parts are the folders whose documents are guides, and leftOut the folders below them whose documents are not: inputs
// of tests, forms to fill in, and packages of others.
var (
	parts   = []string{".github", "assets", "core", "render", "site", "tools", "wasm"}
	leftOut = []string{"testdata", "template", "node_modules", "workflows", "build_backend"}
)

//go:embed page.html
var pageText string

//go:embed guides.css
var style []byte

var page = template.Must(template.New("page").Parse(pageText))

// guide is a document and its page; both paths have slashes and are relative to their roots.
type guide struct {
	from, to, title string
	source          []byte
	tree            ast.Node
	ids             []string
}

// shown is what a page's template gets.
type shown struct {
	Title, Home string
	Body        template.HTML
	List        []entry // of the first page alone
}

type entry struct{ To, Title, From string }

// Write makes the pages of the repository at root in the folder to. A link to a document is one to its page; pictures
// come along; the name of another file of the repository stays as text. A link to nothing is an error.
func Write(root, to string) error {
	names, err := documents(root)
	if err != nil {
		return err
	}
	s := &site{root: root, to: to, pages: map[string]*guide{}}
	for _, name := range names {
		if err := s.read(name); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	for _, name := range names {
		if err := s.write(s.pages[name]); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return s.file("guides.css", style)
}

// documents lists the Markdown files, README.md first.
func documents(root string) ([]string, error) {
	names := []string{"README.md"}
	for _, part := range parts {
		err := fs.WalkDir(os.DirFS(root), part, func(name string, e fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case e.IsDir() && slices.Contains(leftOut, e.Name()):
				return fs.SkipDir
			case path.Ext(name) == ".md":
				names = append(names, name)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return names, nil
}

// pageOf is the path of a document's page. Hosts leave out folders whose names begin with a dot.
func pageOf(name string) string {
	folder, file := path.Split(strings.Replace(name, ".github/", "project/", 1))
	if file == "README.md" {
		return folder + "index.html"
	}
	return folder + strings.TrimSuffix(file, ".md") + ".html"
}

type site struct {
	root, to string
	pages    map[string]*guide // by the document
}

// markdown is the dialect of the forge. Columns are aligned by an attribute: the site's policy allows no styles in a
// document.
var markdown = goldmark.New(goldmark.WithExtensions(extension.Linkify, extension.Strikethrough, extension.TaskList,
	extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute))),
	goldmark.WithParserOptions(parser.WithAutoHeadingID()))

// A table of Markdown must have a header; an empty one, or an empty cell in it, heads nothing.
var (
	emptyHeader = regexp.MustCompile(`<thead>\n<tr>\n(?:<th[^>]*></th>\n)+</tr>\n</thead>\n`)
	emptyHead   = regexp.MustCompile(`<th[^>]*></th>`)
)

func (s *site) read(name string) error {
	source, err := os.ReadFile(filepath.Join(s.root, filepath.FromSlash(name)))
	if err != nil {
		return err
	}
	g := &guide{from: name, to: pageOf(name), source: source}
	names := &headingIDs{taken: map[string]bool{}}
	context := parser.NewContext(parser.WithIDs(names))
	g.tree = markdown.Parser().Parse(text.NewReader(source), parser.WithContext(context))
	g.ids = names.list
	for n := g.tree.FirstChild(); n != nil; n = n.NextSibling() {
		if h, ok := n.(*ast.Heading); ok && h.Level == 1 && g.title == "" {
			g.title = plain(h, source)
		}
	}
	if g.title == "" {
		return fmt.Errorf("it has no title: begin it with a line # TITLE")
	}
	s.pages[name] = g
	return nil
}

// plain is the text of a node without its marks.
func plain(n ast.Node, source []byte) string {
	var b strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if t, ok := n.(*ast.Text); ok && entering {
			b.Write(t.Value(source))
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}

func (s *site) write(g *guide) error {
	if err := s.link(g); err != nil {
		return err
	}
	var body bytes.Buffer
	if err := markdown.Renderer().Render(&body, g.source, g.tree); err != nil {
		return err
	}
	up := strings.Repeat("../", strings.Count(g.to, "/"))
	text := emptyHead.ReplaceAllString(emptyHeader.ReplaceAllString(body.String(), ""), "<td></td>")
	about := shown{Title: g.title, Home: up, Body: template.HTML(text)}
	if g.from == "README.md" {
		about.List = s.list()
	}
	var out bytes.Buffer
	if err := page.Execute(&out, about); err != nil {
		return err
	}
	return s.file(g.to, out.Bytes())
}

// list are all pages in the order of their documents.
func (s *site) list() (list []entry) {
	for _, g := range s.pages {
		list = append(list, entry{g.to, g.title, g.from})
	}
	slices.SortFunc(list, func(a, b entry) int { return strings.Compare(a.From, b.From) })
	return list
}

func (s *site) file(name string, data []byte) error {
	at := filepath.Join(s.to, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
		return err
	}
	return os.WriteFile(at, data, 0o644)
}
