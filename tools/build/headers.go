package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// writeHeaders writes _headers, which gives the HTTP headers of files to Cloudflare and
// Netlify. Other hosts ignore it, and the page works without it. A rule has at most one *,
// because some hosts do not understand more.
func writeHeaders(dist string, s *site) error {
	var b strings.Builder
	rule := func(path string, headers ...string) {
		fmt.Fprintf(&b, "/%s\n", path)
		for _, h := range headers {
			fmt.Fprintf(&b, "  %s\n", h)
		}
	}
	// Frames without an origin and other people's pages read the files too; they
	// are public, and no cookie is involved.
	rule("*", "X-Content-Type-Options: nosniff", "Referrer-Policy: no-referrer", "Access-Control-Allow-Origin: *", "Cross-Origin-Resource-Policy: cross-origin")
	for _, folder := range []string{"guides", "gallery"} {
		rule(folder+"/*", "Content-Security-Policy: default-src 'none'; style-src 'self'; img-src 'self'; "+
			"base-uri 'none'; form-action 'none'")
	}
	rule("v/:version/assets/*", "Cache-Control: public, max-age=31536000, immutable")
	for _, name := range []string{"engine.wasm", "view.wasm"} {
		rule(s.Files[name], "Content-Type: application/wasm")
	}
	for _, folder := range []string{"", "v/" + s.Version + "/"} {
		rule(folder+serviceWorker, "Cache-Control: no-cache", "Content-Type: text/javascript; charset=utf-8")
		for _, page := range s.Pages {
			rule(folder+page, "Content-Security-Policy: "+headerPolicy)
			// Hosts that leave out the ending serve the document under the shorter name.
			short := strings.TrimSuffix(page, ".html")
			if short == "index" {
				short = ""
			}
			rule(folder+short, "Content-Security-Policy: "+headerPolicy)
		}
	}
	return os.WriteFile(filepath.Join(dist, "_headers"), []byte(b.String()), 0o644)
}

// writeNoJekyll keeps GitHub Pages from leaving out files whose names begin with _.
func writeNoJekyll(dist string) error {
	return os.WriteFile(filepath.Join(dist, ".nojekyll"), nil, 0o644)
}
