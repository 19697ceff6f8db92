package main

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"regexp"
	"strings"
)

// What a document of the page may do is to use files of its own site, compile WebAssembly, and make workers
// and pictures of what it holds. Styles are set by scripts, elements and the canvas program, so they may stand
// in the document.
//
// The site is named by its address and not as 'self': in a sandboxed frame WebKit takes 'self' for the origin
// of the frame, which is none, and so allows nothing. A file of headers is written before anybody knows the
// address. Its policy therefore trusts one script by hash, which stands at the beginning of the document, and
// no other that stands there; this script adds the policy with the address before it loads anything.

// sitePolicy is the policy of a document; SITE is the address of its site.
const sitePolicy = "default-src 'none'; script-src SITE 'wasm-unsafe-eval'; style-src SITE 'unsafe-inline'; img-src SITE data: blob:; media-src SITE blob:; " +
	"font-src SITE; connect-src SITE blob:; worker-src SITE blob:; frame-src SITE blob:; manifest-src SITE; base-uri 'none'; form-action 'none'"

// startSource is the first script of a document. Scripts that it makes run when they have arrived,
// in order; those of the page wait for the end of the document themselves (afterDocument).
// Before the first paint it gives an empty address the session of the visit before (site/src/page/session.ts), and says
// how much of the page is on show (site/src/page/depth.ts).
const startSource = `((d,o)=>{const a=d.head;` +
	`try{const s=localStorage.getItem("burstscope.session");` +
	`if(location.hash.length<2&&self==top&&d.documentElement.className!="embed"&&/^#v=/.test(s))` +
	`history.replaceState(null,"",s);` +
	`d.documentElement.dataset.depth=localStorage.getItem("burstscope.depth")||` +
	`(location.hash.length>1?"all":"simple")}catch{}` +
	`if(/^http/.test(o)){const m=d.createElement("meta");m.httpEquiv="Content-Security-Policy";m.content="POLICY".replaceAll("SITE",o);a.append(m)}` +
	`for(const f of d.currentScript.dataset.run.split(" ")){const s=d.createElement("script");s.src=f;s.async=false;a.append(s)}})(document,location.origin)`

var (
	startScript = strings.ReplaceAll(startSource, "POLICY", sitePolicy)
	// headerPolicy is the policy that hosts send. Browsers that know 'strict-dynamic' leave out 'self' beside it.
	headerPolicy = strings.NewReplacer("script-src SITE", "script-src 'self' 'strict-dynamic' "+sourceHash(startScript), "SITE", "http: https:").Replace(sitePolicy)
)

// sourceHash names a script that stands in a document, as Content-Security-Policy does.
func sourceHash(script string) string {
	sum := sha256.Sum256([]byte(script))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// charset is the first line of a document's head, as browsers want it.
const charset = `<meta charset="utf-8">`

// started makes a document load its scripts with startScript.
func started(page string) (string, error) {
	var scripts []string
	page = scriptTag.ReplaceAllStringFunc(page, func(tag string) string {
		scripts = append(scripts, scriptTag.FindStringSubmatch(tag)[1])
		return ""
	})
	if strings.Count(page, charset) != 1 {
		return "", fmt.Errorf("the document must have exactly one %s", charset)
	}
	return strings.Replace(page, charset, fmt.Sprintf("%s\n<script data-run=\"%s\">%s</script>", charset, strings.Join(scripts, " "), startScript), 1), nil
}

// afterDocument makes a script wait until its document and the document's style sheet are there, as the attribute defer does.
func afterDocument(script []byte) []byte {
	return fmt.Appendf(nil, `((d,f)=>{const g=()=>{const l=d.querySelector("link[rel=stylesheet]");l&&!l.sheet?l.onload=l.onerror=f:f()};`+
		`d.readyState=="loading"?d.addEventListener("DOMContentLoaded",g):g()})(document,()=>{%s});`, script)
}

// starting are the scripts that documents name.
var starting = []string{"shell.js", "embed.js"}

// scriptTag is a script of its own file in a document.
var scriptTag = regexp.MustCompile(`<script src="([^":]+)"[^>]*></script>\n?`)
