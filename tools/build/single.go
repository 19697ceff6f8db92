package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// singleFile is the page in one document, which runs from a disk.
const singleFile = "burstscope.html"

// singlePolicy lets the document use only its own contents: its scripts cannot make any
// request.
const singlePolicy = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval' blob:; ` +
	`style-src 'unsafe-inline' blob:; img-src data: blob:; media-src blob:; font-src data: blob:; connect-src blob:; worker-src blob:; frame-src blob:; base-uri 'none'; form-action 'none'">`

var (
	sheetTag = regexp.MustCompile(`<link rel="stylesheet" href="([^":]+)">`)
	outerTag = regexp.MustCompile(`<link rel="(?:manifest|apple-touch-icon)"[^>]*>\n?`)
)

// writeSingle puts index.html and all files that it may request into one document.
// Texts are packed together; a program is packed by itself, so that it is unpacked
// while it is compiled.
func writeSingle(stage, cache, version string) error {
	files, err := readStage(stage)
	if err != nil {
		return err
	}
	page := string(files["index.html"])
	inside := map[string]bool{} // what index.html itself holds
	var faults []error
	must := func(name string) []byte {
		data, ok := files[name]
		if !ok {
			faults = append(faults, fmt.Errorf("index.html names %s, but the build does not make this file", name))
		}
		inside[name] = true
		return data
	}
	page = outerTag.ReplaceAllString(page, "")
	page = sheetTag.ReplaceAllStringFunc(page, func(tag string) string {
		return "<style>" + string(must(sheetTag.FindStringSubmatch(tag)[1])) + "</style>"
	})
	var start []string
	page = scriptTag.ReplaceAllStringFunc(page, func(tag string) string {
		start = append(start, scriptTag.FindStringSubmatch(tag)[1])
		return ""
	})
	page = reference.ReplaceAllStringFunc(page, func(found string) string {
		part := reference.FindStringSubmatch(found)
		kind := mime.TypeByExtension(path.Ext(part[2]))
		if _, ok := files[part[2]]; !ok || !strings.HasPrefix(kind, "image/") {
			return found
		}
		return part[1] + `="data:` + kind + ";base64," + base64.StdEncoding.EncodeToString(must(part[2])) + `"`
	})
	packed, err := packAssets(files, inside, cache)
	if err != nil {
		return err
	}
	list, err := json.Marshal(struct {
		assetList
		Packed bool `json:"packed"`
	}{assetList{Version: version, Build: buildOf(files), Files: map[string]string{}}, true})
	if err != nil {
		return err
	}
	loader := string(files["single.js"])
	for _, mark := range []string{"</script", "<!--"} {
		if strings.Contains(loader, mark) {
			faults = append(faults, fmt.Errorf("single.js holds %s, which ends the element it stands in", mark))
		}
	}
	tail := packed + `<script type="text/plain" id="start">` + strings.Join(start, " ") + "</script>\n<script>" + loader + "</script>\n"
	for _, put := range []struct{ before, text string }{{"<title>", singlePolicy + "\n"}, {"</head>", assetsElement(list)}, {"</body>", tail}} {
		if strings.Count(page, put.before) != 1 {
			faults = append(faults, fmt.Errorf("index.html must have exactly one %s", put.before))
		}
		page = strings.Replace(page, put.before, put.text+put.before, 1)
	}
	if err := errors.Join(faults...); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(stage, singleFile), []byte(page), 0o644)
}

// packAssets is every file that scripts ask for by asset, as elements of a document.
func packAssets(files map[string][]byte, inside map[string]bool, cache string) (string, error) {
	texts := map[string]string{}
	var others strings.Builder
	for _, name := range sorted(files) {
		if inside[name] || slices.Contains(notInSingle, name) || keepsName(name) && !slices.Contains(asWell, name) {
			continue
		}
		data := files[name]
		switch path.Ext(name) {
		case ".js", ".css", ".json", ".html", ".svg":
			texts[name] = string(data)
			continue
		case ".wasm":
			var err error
			if data, err = cached(cache, "gz", data, gzipped); err != nil {
				return "", err
			}
		}
		fmt.Fprintf(&others, "<script type=\"text/plain\" data-file=\"%s\">%s</script>\n", name, text7(data))
	}
	together, err := json.Marshal(texts)
	if err != nil {
		return "", err
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "<script type=\"text/plain\" id=\"texts\">%s</script>\n", text7(gzipped(together)))
	b.WriteString(others.String())
	return b.String(), nil
}
