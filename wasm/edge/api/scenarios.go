package api

import (
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/burstscope/burstscope/core/digest"
	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/lesson/steps"
	"github.com/burstscope/burstscope/core/ptx/compile"
	"github.com/burstscope/burstscope/core/ptx/syntax"
	"github.com/burstscope/burstscope/core/scenario"
)

const scenariosPath = "/api/scenarios"

// form is a scenario's canonical msgpack under the SHA-256 of these bytes, which is
// its address: whoever fetches it can check that it is the one.
type form struct {
	hash   string
	packed []byte
}

// formsOf returns the two forms of a scenario. The first is all of it. The second
// is what of it changes results, and its hash is the one that results name: so a
// scenario is also found by the hash that a citation holds.
func formsOf(s *scenario.Scenario) []form {
	whole, bare := s.Canonical(), s.Bare().Canonical()
	forms := []form{{digest.Hex(whole), whole}}
	if hash := digest.Hex(bare); hash != forms[0].hash {
		forms = append(forms, form{hash, bare})
	}
	return forms
}

func (s *Shipped) forms() []form { return formsOf(s.parse()) }

func (s *Shipped) parse() *scenario.Scenario {
	parsed, err := scenario.ParseMsgpack(s.Packed)
	if err != nil {
		panic("api: the shipped scenario " + s.Name + ": " + err.Error())
	}
	return parsed
}

// entry is one line of the index: the same words as in the site's
// scenarios/index.json. Name and Scenario are of shipped ones only.
type entry struct {
	Name  string `json:"name,omitempty"`
	Title string `json:"title"`
	Notes string `json:"notes,omitempty"`
	// Hash is the scenario's address; ScenarioHash is that of its bare form, which
	// results name.
	Hash         string             `json:"hash"`
	ScenarioHash string             `json:"scenarioHash,omitempty"`
	URL          string             `json:"url"`
	Scenario     *scenario.Scenario `json:"scenario,omitempty"`
}

// scenarios answers the collection.
func (h *Handler) scenarios(r *http.Request, _ string) *reply {
	if r.Method == http.MethodPost {
		return h.post(r)
	}
	index, err := h.index()
	if err != nil {
		return storeFailed(err)
	}
	a := content(http.StatusOK, typeJSON, jsonBody(index))
	a.header.Set("Cache-Control", "public, max-age=60")
	return a.unlessKnown(r, digest.Hex(a.body))
}

// index lists what the site ships and what its owner lists. What people share is
// found by its address only: their words are not for everybody's menu, nor are
// their images.
func (h *Handler) index() ([]entry, error) {
	list := []entry{}
	for i := range h.Shipped {
		s := h.Shipped[i].parse()
		hash := digest.Hex(h.Shipped[i].Packed)
		list = append(list, entry{h.Shipped[i].Name, s.Title, s.Notes, hash, s.Hash(), scenariosPath + "/" + hash, s})
	}
	item, err := h.Store.Get(listedKey)
	if errors.Is(err, ErrAbsent) {
		return list, nil
	}
	return append(list, listed(string(item.Value))...), err
}

// maxListed bounds the owner's list: a menu longer than this is not one.
const maxListed = 200

// listed reads the owner's list: lines of a hash and a title.
func listed(text string) []entry {
	var list []entry
	for line := range strings.Lines(text) {
		hash, title, _ := strings.Cut(strings.TrimSpace(line), " ")
		if title = strings.TrimSpace(title); isHash(hash) && title != "" && len(list) < maxListed {
			list = append(list, entry{Title: clip(title), Hash: hash, URL: scenariosPath + "/" + hash})
		}
	}
	return list
}

// scenario answers one scenario, packed or as JSON.
func (h *Handler) scenario(r *http.Request, hash string) *reply {
	kind := chooseType(headerValue(r, "Accept"))
	if kind == "" {
		return problem(http.StatusNotAcceptable, "a scenario has no form of the types asked for", "Accept", "ask for "+typeMsgpack+" or "+typeJSON)
	}
	packed, err := h.fetch(hash)
	if errors.Is(err, ErrAbsent) {
		return problem(http.StatusNotFound, "no scenario with this hash is kept here", hash,
			"check the link; whoever made it may have shared the scenario on another site")
	}
	if err != nil {
		return storeFailed(err)
	}
	tag, body := hash, packed
	if kind == typeJSON {
		s, err := scenario.ParseMsgpack(packed)
		if err != nil {
			return storeFailed(errDamaged)
		}
		tag, body = hash+"-json", jsonBody(s)
	}
	a := content(http.StatusOK, kind, body)
	a.header.Set("Cache-Control", "public, max-age=31536000, immutable") // a year is what caches take for ever
	a.header.Set("Vary", "Accept")
	return a.unlessKnown(r, tag)
}

// unlessKnown gives the answer its tag, and leaves its body out for a client that
// has it.
func (a *reply) unlessKnown(r *http.Request, tag string) *reply {
	tag = `"` + tag + `"`
	a.header.Set("ETag", tag)
	if matchesTag(headerValue(r, "If-None-Match"), tag) {
		a.status, a.body = http.StatusNotModified, nil
		a.header.Del("Content-Type")
	}
	return a
}

// shared is the answer to POST.
type shared struct {
	Hash         string `json:"hash"`
	ScenarioHash string `json:"scenarioHash"`
	Bytes        int    `json:"bytes"`
	// URL is the scenario, Short the link for people, Open what that leads to.
	URL   string `json:"url"`
	Short string `json:"short"`
	Open  string `json:"open"`
	// Secret deletes the scenario. Whoever shared it first gets it, and nobody again.
	Secret string `json:"secret,omitempty"`
}

// ownOrigin refuses pages of other sites.
func ownOrigin(r *http.Request) *reply {
	if from := headerValue(r, "Origin"); from != "" && from != origin(r) {
		return problem(http.StatusForbidden, "a page of another site may read scenarios here, and may neither keep nor delete any", "Origin: "+from, "open this site and share from there, or send the request with a program such as curl")
	}
	return nil
}

// post keeps a scenario. Doing it again changes nothing and answers the same, without
// the secret.
func (h *Handler) post(r *http.Request) *reply {
	if refused := ownOrigin(r); refused != nil {
		return refused
	}
	kind := mediaType(r)
	parse, ok := readers[kind]
	if !ok {
		a := problem(http.StatusUnsupportedMediaType, "a scenario cannot be read from this type", "Content-Type: "+kind,
			"send "+typeMsgpack+" or "+typeJSON+"; `burstscope scenario pack FILE.yaml` packs YAML")
		a.header.Set("Accept-Post", typeMsgpack+", "+typeJSON)
		return a
	}
	body, refused := readBody(r)
	if refused != nil {
		return refused
	}
	s, err := parse(body)
	if err != nil {
		return invalid(err)
	}
	forms := formsOf(s)
	whole := forms[0]
	if len(whole.packed) > MaxBodyBytes {
		return tooLarge(fmt.Sprintf("the scenario has %d bytes when packed", len(whole.packed)))
	}
	status, id, secret := http.StatusOK, whole.hash[:shortestID], ""
	if h.shippedWith(whole.hash) == "" {
		_, id, err = h.linkTo(whole.hash)
		if err == nil {
			_, err = h.fetch(whole.hash)
		}
		switch {
		case errors.Is(err, ErrAbsent), errors.Is(err, errDamaged): // it is new, was dropped, or was lost
			if refused := checkProgram(s); refused != nil {
				return refused
			}
			if refused := h.charge(r, sizeOf(forms)); refused != nil {
				return refused
			}
			if id, secret, err = h.keep(forms); err != nil {
				return storeFailed(err)
			}
			if secret != "" {
				status = http.StatusCreated
			}
		case err != nil:
			return storeFailed(err)
		}
	}
	a := content(status, typeJSON, jsonBody(shared{
		Hash: whole.hash, ScenarioHash: s.Hash(), Bytes: len(whole.packed),
		URL: scenariosPath + "/" + whole.hash, Short: shortPath + id, Open: opening(whole.hash), Secret: secret,
	}))
	a.header.Set("Location", scenariosPath+"/"+whole.hash)
	return a
}

func sizeOf(forms []form) (bytes int) {
	for _, f := range forms {
		bytes += len(f.packed)
	}
	return bytes
}

// maxProgramBytes bounds the PTX of a scenario that is kept [ours]: it is compiled
// here, and again by every page that opens the link. Compiling allocates up to 240 times
// its size, and a Worker has 128 MB.
const maxProgramBytes = 128 << 10

// checkProgram compiles the program of a scenario as the page that opens it does.
func checkProgram(s *scenario.Scenario) *reply {
	p := s.Workload.PTX
	if p == nil {
		return nil
	}
	const path = "workload.ptx.source"
	if len(p.Source) > maxProgramBytes {
		return invalid(&fault.Errors{List: []fault.Fault{{Path: path, Message: fmt.Sprintf("the program has %d bytes", len(p.Source)),
			Mend: fmt.Sprintf("at most %d are kept; keep the scenario as a file", maxProgramBytes)}}})
	}
	module, err := compile.Load("program", []byte(p.Source))
	if err == nil {
		// Variables get their addresses when a program is loaded; any will do here.
		_, err = compile.Kernel(module, p.Entry, func(string) uint64 { return p.Base })
	}
	if err == nil {
		return nil
	}
	message := err.Error()
	var list syntax.Errors
	if errors.As(err, &list) && len(list) > 0 {
		message = list[0].Error()
	}
	return invalid(&fault.Errors{List: []fault.Fault{{Path: path, Message: clip(message), Mend: "correct the program, and look with `burstscope ptx check`"}}})
}

// readers read the types that a scenario may be sent as.
var readers = map[string]func([]byte) (*scenario.Scenario, error){
	typeJSON:       readJSON,
	packedTypes[0]: readPacked,
	packedTypes[1]: readPacked,
	packedTypes[2]: readPacked,
}

// readJSON and readPacked also look at a lesson's words, which a run does not need.
func readJSON(b []byte) (*scenario.Scenario, error) {
	s, err := scenario.ParseJSON("body", b) // bounds its length
	if err != nil || s.Lesson == nil {
		return s, err
	}
	v, err := scenario.ParseJSONTree("body", b)
	return withLesson(v, err)
}

func readPacked(b []byte) (*scenario.Scenario, error) {
	s, err := scenario.ParseMsgpack(b)
	if err != nil || s.Lesson == nil {
		return s, err
	}
	v, err := scenario.ParseMsgpackTree(b)
	return withLesson(v, err)
}

func withLesson(v *scenario.Value, err error) (*scenario.Scenario, error) {
	if err != nil {
		return nil, err
	}
	return scenario.FromTree(v, steps.Validate)
}

// maxFaults bounds what is said about one scenario.
const maxFaults = 50

// invalid refuses a scenario with its faults, each with its path, place and remedy.
func invalid(err error) *reply {
	var faults *fault.Errors
	if !errors.As(err, &faults) || len(faults.List) == 0 {
		return problem(http.StatusBadRequest, "the body is no scenario", "body", "send a scenario")
	}
	list := faults.List[:min(len(faults.List), maxFaults)]
	first := list[0]
	status := http.StatusBadRequest // the text cannot be read
	where := first.Where
	if first.Path != "" {
		status, where = http.StatusUnprocessableEntity, first.Path // its values cannot be
	}
	return problem(status, "the scenario is refused: "+first.Message, where, first.Mend, list...)
}

// storeFailed answers for a store that does not answer, or not with what was kept.
func storeFailed(err error) *reply {
	if errors.Is(err, errDamaged) {
		return problem(http.StatusBadGateway, "what is kept under this hash is not the scenario with this hash", "store", "tell the owner of this site; a scenario shared again is kept anew")
	}
	a := problem(http.StatusServiceUnavailable, "the store of scenarios does not answer", "store", "try again in a minute")
	a.header.Set("Retry-After", "60")
	return a
}
