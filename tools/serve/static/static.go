// Package static serves a built page: a folder of files, read-only, with the
// types and the compression a browser needs to compile WebAssembly while it
// arrives.
package static

import (
	"io/fs"
	"mime"
	"net/http"
	"os"
	"path"
	"strconv"
	"strings"
)

// types is written down because the host's MIME database may lack or contradict
// it, and browsers refuse to stream-compile what is not application/wasm.
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

type handler struct{ files fs.FS }

func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	// The next build is served at once; unchanged files cost a 304.
	header.Set("Cache-Control", "no-cache")
	header.Set("X-Content-Type-Options", "nosniff")
	// Embeds in a sandbox have no origin; what is served here is public.
	header.Set("Access-Control-Allow-Origin", "*")
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		header.Set("Allow", "GET, HEAD")
		http.Error(w, "this server only gives files", http.StatusMethodNotAllowed)
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
			http.Redirect(w, r, path.Base(r.URL.Path)+"/", http.StatusMovedPermanently)
			return
		}
		name = path.Join(name, "index.html")
	}
	header.Set("Content-Type", typeOf(name))
	header.Add("Vary", "Accept-Encoding")
	if acceptsBrotli(r.Header.Get("Accept-Encoding")) && r.Header.Get("Range") == "" {
		if _, err := fs.Stat(h.files, name+".br"); err == nil {
			header.Set("Content-Encoding", "br")
			h.serve(w, r, name+".br")
			return
		}
	}
	h.serve(w, r, name)
}

func (h *handler) serve(w http.ResponseWriter, r *http.Request, name string) {
	file, err := h.files.Open(name)
	if err == nil {
		defer file.Close()
		if info, err := file.Stat(); err == nil && info.Mode().IsRegular() {
			if content, ok := file.(*os.File); ok {
				http.ServeContent(w, r, "", info.ModTime(), content)
				return
			}
		}
	}
	w.Header().Del("Content-Encoding")
	http.Error(w, "no such file: "+name, http.StatusNotFound)
}

// fileName turns a URL's path into a file name, or refuses it. A browser resolves
// dots itself, so dots that arrive here are somebody trying the fence.
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

// acceptsBrotli reads an Accept-Encoding header.
func acceptsBrotli(header string) bool {
	for item := range strings.SplitSeq(header, ",") {
		coding, params, _ := strings.Cut(item, ";")
		if strings.TrimSpace(coding) != "br" {
			continue
		}
		if q, found := strings.CutPrefix(strings.TrimSpace(params), "q="); found {
			weight, err := strconv.ParseFloat(q, 64)
			return err == nil && weight > 0
		}
		return true
	}
	return false
}
