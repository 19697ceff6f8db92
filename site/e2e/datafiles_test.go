package e2e

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// file is a file that a reader gives to the page.
type file struct {
	Name string
	Data []byte
}

// filesText is JavaScript for a DataTransfer that carries files.
func filesText(t *testing.T, files []file) string {
	t.Helper()
	type entry struct{ Name, Data string }
	var list []entry
	for _, f := range files {
		list = append(list, entry{f.Name, base64.StdEncoding.EncodeToString(f.Data)})
	}
	b, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf(`%s.reduce((d, f) => (d.items.add(new File([Uint8Array.from(atob(f.Data), c => c.charCodeAt(0))], f.Name)), d), new DataTransfer())`, b)
}

// dropAll drops files together on the lab.
func (p *tab) dropAll(files ...file) {
	p.t.Helper()
	eval[any](p, fmt.Sprintf(`(carried => {
		for (const type of ["dragenter", "dragover", "drop"])
			document.getElementById("lab").dispatchEvent(new DragEvent(type, {dataTransfer: carried, bubbles: true, cancelable: true}));
	})(%s)`, filesText(p.t, files)))
}

// give chooses a file in a field of the kernel's page.
func (p *tab) give(label string, f file) {
	p.t.Helper()
	eval[any](p, fmt.Sprintf(`(e => { e.files = %s.files; e.dispatchEvent(new Event("change")); })(document.querySelector('#kernel input[aria-label=%s]'))`, filesText(p.t, []file{f}), quote(label)))
}

const lfsPointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\nsize 4976698672\n"

// tensorsOf is a safetensors file of one tensor.
func tensorsOf(name, dtype string, shape int, data []byte) []byte {
	header := fmt.Sprintf(`{%q:{"dtype":%q,"shape":[%d],"data_offsets":[0,%d]}}`, name, dtype, shape, len(data))
	return append(append(binary.LittleEndian.AppendUint64(nil, uint64(len(header))), header...), data...)
}

// TestLabKnowsItsFiles: both questions of the lab refuse a file by name if it is not what its
// name says, read an index with its shards, and say what was not taken apart.
func TestLabKnowsItsFiles(t *testing.T) {
	t.Parallel()
	p := openLab(t, "none")
	data := labData(40)
	index := file{"model.safetensors.index.json", []byte(`{"metadata":{},"weight_map":{"x":"m-1.safetensors","y":"below/m-2.safetensors"}}`)}
	one, two := file{"m-1.safetensors", tensorsOf("x", "F32", 640, data[:2560])}, file{"m-2.safetensors", tensorsOf("y", "F32", 640, data[2560:])}
	refused := []struct {
		files []file
		want  string
	}{
		{[]file{{"a.safetensors", []byte(lfsPointer)}}, "This is a Git LFS pointer: run git lfs pull to get the file itself"},
		{[]file{{"a.npy", []byte("<!DOCTYPE html><html></html>")}}, "This is a web page: download the file itself"},
		{[]file{{"a.safetensors", npyOf(data)}}, "This is a NumPy array, and its name says a safetensors file"},
		{[]file{{"a.gguf", data}}, "its name says that this is a GGUF model"},
		{[]file{{"a.safetensors", append(tensorsOf("x", "U8", 1, []byte{1})[:60], " x"...)}}, "byte "},
		{[]file{index}, "The index needs 2 files, and 2 of them are missing"},
		{[]file{index, one}, "1 of them are missing"},
	}
	for _, question := range []string{"compress", "fit"} {
		eval[any](p, fmt.Sprintf(`document.getElementById("lab-to-%s").click()`, question))
		state, ended := "phase", surveyEnded
		if question == "fit" {
			state, ended = "fit", fitEnded
		}
		ask := func(files ...file) string {
			t.Helper()
			eval[any](p, fmt.Sprintf(`window.burstscope.state.lab.%s = "idle"`, state))
			p.dropAll(files...)
			p.wait(ended)
			return eval[string](p, "window.burstscope.state.lab."+state)
		}
		for _, c := range refused {
			if got := ask(c.files...); got != "failed" {
				t.Errorf("%s: %s is %s", question, c.files[0].Name, got)
				continue
			}
			if words := eval[string](p, `document.querySelector("#lab #messages").textContent`); !strings.Contains(strings.ToLower(words), strings.ToLower(c.want)) {
				t.Errorf("%s: of %s the page says %q, want %q", question, c.files[0].Name, words, c.want)
			}
		}
		p.screenshot("files-refused-" + question + ".png")
		about := map[string]string{"compress": "lab-about", "fit": "fit-notes"}[question]
		for _, c := range []struct {
			files []file
			want  string
		}{
			{[]file{two, index, one}, "2 shards beside the index are read"},
			{[]file{{"w.safetensors", tensorsOf("w", "F4", 5120, data[:2560])}}, `lements of type "F4" in 1 of 1 arrays are counted as bytes`},
			{[]file{{"a.bin", data}}, "raw bytes"},
		} {
			if got := ask(c.files...); got != "done" {
				t.Errorf("%s: %s is %s: %s", question, c.files[0].Name, got, p.textOf("messages"))
				continue
			}
			p.look()
			p.wait(fmt.Sprintf(`document.getElementById(%q).textContent.includes(%s)`, about, quote(c.want)))
			if question == "fit" && len(c.files) == 3 && !strings.Contains(p.textOf("fit-verdict"), "5.12\u202fkB fit") {
				t.Errorf("a shard is missing or counted twice: %s", p.textOf("fit-verdict"))
			}
		}
	}
	for _, c := range []struct {
		width int
		theme string
	}{{1440, "light"}, {390, "dark"}} {
		eval[any](p, fmt.Sprintf(`document.documentElement.dataset.theme = %q`, c.theme))
		p.size(c.width, 1400)
		for _, question := range []string{"compress", "fit"} {
			eval[any](p, fmt.Sprintf(`document.getElementById("lab-to-%s").click()`, question))
			for what, f := range map[string]file{"accepted": {"a.bin", data}, "refused": {"model-00001-of-00004.safetensors", []byte(lfsPointer)}} {
				eval[any](p, `window.burstscope.state.lab.phase = window.burstscope.state.lab.fit = "idle"`)
				p.dropAll(f)
				p.wait(surveyEnded + "||" + fitEnded)
				p.look()
				if eval[bool](p, "document.documentElement.scrollWidth > innerWidth") {
					t.Errorf("%s, %s at %d px: the page scrolls sideways", question, what, c.width)
				}
				p.screenshot(fmt.Sprintf("files-%s-%s-%d.png", question, what, c.width))
			}
		}
	}
}

// TestKernelPassesElements: a buffer, a texture and an expected output of the page hold the
// elements of a file, as those of the command do, or the file is refused by name.
func TestKernelPassesElements(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t).URL+"/#v=1&kernel=edit&picture=plain")
	p.wait(`S.kernel.ready && S.engineReady`)
	p.typed(kernelText(""))
	data := labData(64)[:8192]
	swapped := make([]byte, len(data))
	for i := 0; i < len(data); i += 4 {
		binary.BigEndian.PutUint32(swapped[i:], binary.LittleEndian.Uint32(data[i:]))
	}
	big := npyOf(swapped)
	copy(big[strings.Index(string(big), "<f4"):], ">f4")
	p.argument("argument 0, contents", "file")
	const status = `[...document.querySelectorAll("#kernel [role=status]")].map(e => e.textContent).join(" ")`
	for _, c := range []struct {
		name string
		data []byte
		want string
	}{
		{"a.safetensors", []byte(lfsPointer), "this is a Git LFS pointer"}, {"a.npy", []byte("<html>"), "this is a web page"}, {"a.npy", big[:200], "the array is cut off"},
		{"f.npy", []byte(strings.Replace(strings.Replace(string(npyOf(data)), "False", "True ", 1), "(2048,)", "(8,256)", 1)), "Fortran"},
		{"h.npy", []byte(strings.Replace(string(npyOf(data)), "'<f4'", "'|O8'", 1)), "are not numbers"},
	} {
		p.give("Contents of from", file{c.name, c.data})
		p.wait(fmt.Sprintf(`%s.includes(%s)`, status, quote(c.want)))
	}
	p.give("Contents of from", file{"big.npy", big})
	p.wait(`document.querySelector("#kernel .karg").textContent.includes("big.npy")`)
	held := func() []byte {
		t.Helper()
		b, err := base64.StdEncoding.DecodeString(eval[string](p, `JSON.parse(localStorage.getItem("burstscope.kernel")).rows[0].data`))
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	if got := held(); string(got) != string(data) {
		t.Errorf("big.npy: the buffer holds %d bytes, % x", len(got), got[:16])
	}
	// One of several arrays.
	header := `{"a":{"dtype":"U8","shape":[16],"data_offsets":[0,16]},"b":{"dtype":"F16","shape":[8],"data_offsets":[16,32]}}`
	p.give("Contents of from", file{"two.safetensors", append(append(binary.LittleEndian.AppendUint64(nil, uint64(len(header))), header...), data[:32]...)})
	p.wait(`document.querySelector('#kernel [aria-label="Contents of from, array"]') !== null`)
	p.screenshot("files-kernel-arrays.png")
	p.argument("Contents of from, array", "b")
	p.wait(status + `.includes("Its elements are f16: the buffer holds their bits, as u16.")`)
	if got := held(); string(got) != string(data[16:32]) {
		t.Errorf("two.safetensors, b: the buffer holds % x", got)
	}
	p.give("Contents of from", file{"raw.bin", data})
	p.wait(status + `.includes("“raw.bin” is read as raw bytes.")`)
	if got := held(); string(got) != string(data) {
		t.Errorf("raw.bin: the buffer holds %d bytes", len(got))
	}
	// An expected output of another type would be compared bit by bit with other numbers.
	f8 := npyOf(data)
	copy(f8[strings.Index(string(f8), "<f4"):], "<f8")
	f8 = []byte(strings.Replace(string(f8), "(2048,)", "(1024,)", 1))
	p.give("Expected output of to", file{"f8.npy", f8})
	p.wait(status + `.includes("its elements are f64, and those of to are f32")`)
	p.give("Expected output of to", file{"f4.npy", npyOf(data)})
	p.wait(`document.querySelector("#kernel .karg:last-of-type").textContent.includes("expected: f4.npy")`)
	// A texture of a picture.
	eval[any](p, `document.getElementById("kernel-texture").click()`)
	p.argument("texture 0, memory", "file")
	p.give("texture 0, file", file{"wide.npy", f8})
	p.wait(status + `.includes("its elements are f64. Texels are f32")`)
	p.give("texture 0, file", file{"a.pgm", append([]byte("P5 16 16 255\n"), data[:256]...)})
	p.wait(`[...document.querySelectorAll("#kernel .karg")].some(e => e.textContent.includes("a.pgm"))`)
	if got := eval[string](p, `(t => t.format + " " + atob(t.data).length)(JSON.parse(localStorage.getItem("burstscope.kernel")).textures[0].texture)`); got != "u8 256" {
		t.Errorf("a.pgm becomes a texture of %s", got)
	}
}
