// Package static serves a built page: a folder of files, read-only, with the
// types and the compression a browser needs to compile WebAssembly while it
// arrives.
package static

import (
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"net/url"
	"os"
	"path"
	"strconv"
	"strings"
)

// types is a fixed table because the host's MIME database may differ, and browsers
// stream-compile only application/wasm.
var types = map[string]string{
	".css":         "text/css; charset=utf-8",
	".html":        "text/html; charset=utf-8",
	".ico":         "image/x-icon",
	".js":          "text/javascript; charset=utf-8",
	".json":        "application/json",
	".map":         "application/json",
	".msgpack":     "application/msgpack",
	".png":         "image/png",
	".svg":         "image/svg+xml",
	".txt":         "text/plain; charset=utf-8",
	".wasm":        "application/wasm",
	".webmanifest": "application/manifest+json",
}

// Handler serves the files below dir. Nothing outside dir can be reached, through
// links either.
func Handler(dir string) (http.Handler, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return &handler{root.FS()}, nil
}

// Under serves handler below a path such as /people/me/burstscope/, like a page that is part of
// another site. Other paths are not found.
func Under(prefix string, handler http.Handler) http.Handler {
	prefix = "/" + strings.Trim(prefix, "/")
	if prefix == "/" {
		return handler
	}
	inside := http.StripPrefix(prefix, handler)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasPrefix(r.URL.Path, prefix+"/"):
			inside.ServeHTTP(w, r)
		case r.URL.Path == prefix:
			redirectInside(w, r)
		default:
			http.NotFound(w, r)
		}
	})
}

type handler struct{ files fs.FS }

func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	// The next build is served at once; unchanged files cost a 304.
	header.Set("Cache-Control", "no-cache")
	header.Set("X-Content-Type-Options", "nosniff")
	// Embeds in a sandbox have no origin; all served files are public.
	header.Set("Access-Control-Allow-Origin", "*")
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		header.Set("Allow", "GET, HEAD")
		http.Error(w, "use GET or HEAD: this server only serves files", http.StatusMethodNotAllowed)
		return
	}
	name, ok := fileName(r.URL.Path)
	if !ok {
		http.Error(w, "not a path of this page", http.StatusBadRequest)
		return
	}
	if info, err := fs.Stat(h.files, name); err == nil && info.IsDir() {
		if !strings.HasSuffix(r.URL.Path, "/") {
			// Relative links in the index are meant from inside the folder.
			redirectInside(w, r)
			return
		}
		name = path.Join(name, "index.html")
	}
	header.Set("Content-Type", typeOf(name))
	header.Add("Vary", "Accept-Encoding")
	for _, c := range compressed {
		if r.Header.Get("Range") != "" || !accepts(r.Header.Get("Accept-Encoding"), c.coding) {
			continue
		}
		if _, err := fs.Stat(h.files, name+c.ending); err == nil {
			header.Set("Content-Encoding", c.coding)
			h.serve(w, r, name+c.ending)
			return
		}
	}
	h.serve(w, r, name)
}

// redirectInside adds the slash that a folder's URL ends in. The target is relative,
// since this may not be the root of the site.
func redirectInside(w http.ResponseWriter, r *http.Request) {
	to := url.URL{Path: "./" + path.Base(r.URL.Path) + "/", RawQuery: r.URL.RawQuery}
	w.Header().Set("Location", to.String())
	w.WriteHeader(http.StatusMovedPermanently)
}

func (h *handler) serve(w http.ResponseWriter, r *http.Request, name string) {
	file, err := h.files.Open(name)
	if err == nil {
		defer file.Close()
		if info, err := file.Stat(); err == nil && info.Mode().IsRegular() {
			if content, ok := file.(*os.File); ok {
				// A folder may be replaced by one with older files; their time alone
				// would then say that nothing changed.
				w.Header().Set("ETag", fmt.Sprintf(`"%x-%x"`, info.ModTime().UnixNano(), info.Size()))
				http.ServeContent(w, r, "", info.ModTime(), content)
				return
			}
		}
	}
	w.Header().Del("Content-Encoding")
	http.Error(w, "no such file: "+name, http.StatusNotFound)
}

// fileName turns a URL's path into a file name, or refuses it. Browsers resolve dots
// themselves, so a path with dots is an attempt to leave the folder.
func fileName(urlPath string) (string, bool) {
	name := strings.Trim(urlPath, "/")
	if name == "" {
		return ".", true
	}
	return name, !strings.ContainsAny(name, "\\\x00") && fs.ValidPath(name)
}

func typeOf(name string) string {
	ext := path.Ext(name)
	if t, ok := types[ext]; ok {
		return t
	}
	if t := mime.TypeByExtension(ext); t != "" {
		return t
	}
	return "application/octet-stream"
}

// compressed are the codings of prepared files (FILE.br or FILE.gz beside FILE), the
// smallest first.
var compressed = []struct{ coding, ending string }{{"br", ".br"}, {"gzip", ".gz"}}

// accepts reports whether an Accept-Encoding header allows a coding.
func accepts(header, coding string) bool {
	others := false
	for item := range strings.SplitSeq(header, ",") {
		name, params, _ := strings.Cut(item, ";")
		name = strings.TrimSpace(name)
		if name != coding && name != "*" {
			continue
		}
		wanted := true
		if q, found := strings.CutPrefix(strings.TrimSpace(params), "q="); found {
			weight, err := strconv.ParseFloat(q, 64)
			wanted = err == nil && weight > 0
		}
		if name == coding {
			return wanted
		}
		others = wanted
	}
	return others
}
