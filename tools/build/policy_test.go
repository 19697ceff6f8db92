package main

import (
	"strings"
	"testing"
)

// longestHeader is the most that Cloudflare takes as one line of _headers, in characters.
const longestHeader = 2000

// TestPolicyIsStrict: no script that stands in a document runs, but for one by its hash; nothing comes from
// elsewhere, once it has named the site.
func TestPolicyIsStrict(t *testing.T) {
	directives := func(policy string) map[string]string {
		d := map[string]string{}
		for part := range strings.SplitSeq(policy, ";") {
			name, sources, _ := strings.Cut(strings.TrimSpace(part), " ")
			d[name] = " " + sources + " "
		}
		return d
	}
	header := directives(headerPolicy)
	for _, loose := range []string{"'unsafe-inline'", "'unsafe-eval'", "*", "http:", "https:", "data:", "blob:"} {
		if strings.Contains(header["script-src"], " "+loose+" ") {
			t.Errorf("script-src has %s", loose)
		}
	}
	if !strings.Contains(header["script-src"], sourceHash(startScript)) {
		t.Errorf("script-src lacks the hash of %s", startScript)
	}
	for name, want := range map[string]string{"default-src": " 'none' ", "base-uri": " 'none' ", "form-action": " 'none' "} {
		if header[name] != want {
			t.Errorf("%s is %s", name, header[name])
		}
	}
	if n := len("  Content-Security-Policy: " + headerPolicy); n > longestHeader {
		t.Errorf("the header has %d characters", n)
	}
	_, rest, _ := strings.Cut(startScript, `m.content="`)
	own, _, _ := strings.Cut(rest, `"`)
	for name, sources := range directives(own) {
		if strings.Contains(sources, "http") || strings.Contains(sources, "'self'") || strings.Contains(sources, "*") {
			t.Errorf("beside the header, %s is %s", name, sources)
		}
	}
	page, err := started(`<head><meta charset="utf-8"><script src="a.js" defer></script></head>`)
	if want := charset + "\n<script data-run=\"a.js\">" + startScript + "</script></head>"; err != nil || !strings.Contains(page, want) {
		t.Errorf("%v: %s", err, page)
	}
	if _, err := started("<head></head>"); err == nil {
		t.Error("a document without a charset is taken")
	}
}
