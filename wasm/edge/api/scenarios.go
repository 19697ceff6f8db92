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
	"github.com/burstscope/burstscope/core/workload"
)

const scenariosPath = "/api/scenarios"

// form is a scenario's canonical msgpack. Its address is the SHA-256 of these bytes, so a
// client can check what it fetched.
type form struct {
	hash   string
	packed []byte
}

// formsOf returns the two forms of a scenario. The first is the whole scenario. The
// second, the bare form, holds only the parts that change results. Results and citations
// name the hash of the bare form, so a scenario is also found by it.
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

// entry is one line of the index, with the keys of the site's scenarios/index.json. Only
// shipped scenarios have Name and Scenario.
type entry struct {
	Name  string `json:"name,omitempty"`
	Title string `json:"title"`
	Notes string `json:"notes,omitempty"`
	// Hash is the scenario's address. ScenarioHash is the hash of its bare form, which
	// results name.
	Hash         string             `json:"hash"`
	ScenarioHash string             `json:"scenarioHash,omitempty"`
	URL          string             `json:"url"`
	Scenario     *scenario.Scenario `json:"scenario,omitempty"`
}

// scenarios answers requests for the collection.
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

// index lists the scenarios that the site ships and that its owner lists. Shared
// scenarios are found only by their address: their texts and images must not appear in
// everybody's menu.
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

// maxListed bounds the owner's list: a longer menu would be useless.
const maxListed = 200

// listed reads the owner's list: each line has a hash and a title.
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
		return problem(http.StatusNotAcceptable, "a scenario is not available in the requested types", "Accept", "ask for "+typeMsgpack+" or "+typeJSON)
	}
	packed, err := h.fetch(hash)
	if errors.Is(err, ErrAbsent) {
		return problem(http.StatusNotFound, "no scenario with this hash is kept here", hash,
			"check the link; the scenario may have been shared on another site")
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
	a.header.Set("Cache-Control", "public, max-age=31536000, immutable") // caches treat a year as for ever
	a.header.Set("Vary", "Accept")
	return a.unlessKnown(r, tag)
}

// unlessKnown gives the answer its tag. It leaves the body out if the client already
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
	// URL is the address of the scenario, Short its short link, Open the target of Short.
	URL   string `json:"url"`
	Short string `json:"short"`
	Open  string `json:"open"`
	// Secret deletes the scenario. Only the first POST of the scenario answers it.
	Secret string `json:"secret,omitempty"`
}

// ownOrigin refuses requests from pages of other sites.
func ownOrigin(r *http.Request) *reply {
	if from := headerValue(r, "Origin"); from != "" && from != origin(r) {
		return problem(http.StatusForbidden, "pages of other sites may only read scenarios here", "Origin: "+from, "open this site and share from there, or send the request with a program such as curl")
	}
	return nil
}

// post keeps a scenario. A second POST of the same scenario changes nothing and gets the
// same answer without the secret.
func (h *Handler) post(r *http.Request) *reply {
	if refused := ownOrigin(r); refused != nil {
		return refused
	}
	kind := mediaType(r)
	parse, ok := readers[kind]
	if !ok {
		a := problem(http.StatusUnsupportedMediaType, "a scenario cannot have this type", "Content-Type: "+kind,
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
		case errors.Is(err, ErrAbsent), errors.Is(err, errDamaged): // new, dropped or lost
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

// maxProgramBytes bounds the PTX of a kept scenario [ours]: it is compiled here, and again
// by every page that opens the link. Compiling allocates up to 240 times its size, and a
// Worker has 128 MB.
const maxProgramBytes = 128 << 10

// checkProgram compiles the program of a scenario, as the page does.
func checkProgram(s *scenario.Scenario) *reply {
	p := s.Workload.PTX
	if p == nil {
		return nil
	}
	const path = "workload.ptx.source"
	bytes := len(p.Source)
	for i := range p.Modules {
		bytes += len(p.Modules[i].Source)
	}
	if bytes > maxProgramBytes {
		return invalid(&fault.Errors{List: []fault.Fault{{Path: path,
			Message: fmt.Sprintf("the program has %d bytes", bytes),
			Mend:    fmt.Sprintf("at most %d are kept; keep the scenario as a file", maxProgramBytes)}}})
	}
	program, err := s.Program()
	if err == nil {
		err = compileAll(program, p.Base)
	}
	if err == nil {
		return nil
	}
	if faults := (*fault.Errors)(nil); errors.As(err, &faults) {
		return invalid(faults)
	}
	message := err.Error()
	var list syntax.Errors
	if errors.As(err, &list) && len(list) > 0 {
		message = list[0].Error()
	}
	return invalid(&fault.Errors{List: []fault.Fault{{Path: path, Message: clip(message), Mend: "correct the program; `burstscope ptx check` checks it"}}})
}

// compileAll compiles the kernels that a program launches.
func compileAll(p *workload.Program, base uint64) error {
	modules := make([]*compile.Module, len(p.Modules)+1)
	done := map[[2]string]bool{}
	for i := range p.Launches {
		l := &p.Launches[i]
		text := p.ModuleOf(l.Module)
		key := [2]string{text.Name, l.Entry}
		if done[key] {
			continue
		}
		done[key] = true
		if modules[l.Module] == nil {
			var err error
			if modules[l.Module], err = compile.Load("program", text.PTX); err != nil {
				return err
			}
		}
		// Variables get their addresses when a program is loaded; a check accepts any address.
		if _, err := compile.Kernel(modules[l.Module], l.Entry, func(string) uint64 { return base }); err != nil {
			return err
		}
	}
	return nil
}

// readers holds a reader for each accepted type.
var readers = map[string]func([]byte) (*scenario.Scenario, error){
	typeJSON:       readJSON,
	packedTypes[0]: readPacked,
	packedTypes[1]: readPacked,
	packedTypes[2]: readPacked,
}

// readJSON and readPacked also check a lesson's texts, which a run does not need.
func readJSON(b []byte) (*scenario.Scenario, error) {
	if len(b) > scenario.MaxTextBytes { // packed, the same data takes a Worker less memory
		return nil, fault.Refuse("body", fmt.Sprintf("the scenario has %d bytes of text", len(b)), fmt.Sprintf("at most %d are read; pack large data as msgpack", scenario.MaxTextBytes))
	}
	s, err := scenario.ParseJSON("body", b)
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

// maxFaults bounds the faults reported for one scenario.
const maxFaults = 50

// invalid refuses a scenario with its faults, each with its path, place and remedy.
func invalid(err error) *reply {
	var faults *fault.Errors
	if !errors.As(err, &faults) || len(faults.List) == 0 {
		return problem(http.StatusBadRequest, "the body is not a scenario", "body", "send a scenario")
	}
	list := faults.List[:min(len(faults.List), maxFaults)]
	first := list[0]
	status := http.StatusBadRequest // the text cannot be read
	where := first.Where
	if first.Path != "" {
		status, where = http.StatusUnprocessableEntity, first.Path // its values are refused
	}
	return problem(status, "the scenario is refused: "+first.Message, where, first.Mend, list...)
}

// storeFailed is the answer if the store fails or returns a damaged value.
func storeFailed(err error) *reply {
	if errors.Is(err, errDamaged) {
		return problem(http.StatusBadGateway, "the value kept under this hash is not the scenario with this hash", "store", "tell the owner of this site, or share the scenario again")
	}
	a := problem(http.StatusServiceUnavailable, "the store of scenarios does not answer", "store", "try again in a minute")
	a.header.Set("Retry-After", "60")
	return a
}
