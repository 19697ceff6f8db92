package datafile

import (
	"bytes"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"unicode/utf8"
)

// kind is a kind of file that is known by its name or by its first bytes.
type kind struct {
	title   string   // with its article
	format  string   // that reads it; "" = none does
	endings []string // of names, lower case
	marks   []mark   // any of them tells the kind
	is      func(start []byte) bool
	mend    string // what to do with a file that no format reads
	// stands is set if the file stands for another one. Its bytes are never data.
	stands  bool
	pointer bool // it stands for a file that a tool fetches
	// general is set if other kinds are of this kind too: then a name says more.
	general bool
}

// mark is a signature at a place of a file.
type mark struct {
	at   int
	text string
}

func at0(texts ...string) (list []mark) {
	for _, t := range texts {
		list = append(list, mark{0, t})
	}
	return list
}

// What to do with the kinds that no format reads.
const (
	mendTensors = "save its tensors as .safetensors"
	mendTorch   = "load it with torch.load and save its tensors with safetensors.torch.save_file"
	mendArrays  = "save its arrays as .npy or .npz with NumPy"
	mendUnpack  = "unpack it first"
	mendPicture = "save it as .png, .pgm or .ppm"
	mendText    = "save its numbers as .npy with NumPy"
	mendPage    = "download the file itself, not the page about it"
	mendOther   = "choose a file of numbers"
)

// kinds are all known kinds. The first one whose marks fit is taken, so those with longer
// marks come first. Each mark is that of the format's specification, or of file(1)'s
// magic; endings are in common use.
var kinds = []kind{
	{title: "a Git LFS pointer",
		marks: at0("version https://git-lfs.github.com/spec/", "version https://hawser.github.com/spec/"),
		mend:  "run git lfs pull to get the file itself", stands: true, pointer: true},
	{title: "a git-annex pointer",
		marks: at0("/annex/objects/", "../.git/annex/objects/", ".git/annex/objects/"),
		mend:  "run git annex get to get the file itself", stands: true, pointer: true},
	{title: "a Git Xet pointer",
		marks: at0("# xet version "),
		mend:  "run git xet checkout to get the file itself", stands: true, pointer: true},
	{title: "a DVC pointer", endings: []string{".dvc"},
		marks: at0("outs:\n- md5: ", "outs:\n- hash: "),
		mend:  "run dvc pull to get the file itself", stands: true, pointer: true},
	{title: "a web page", endings: []string{".html", ".htm"}, is: isHTML, mend: mendPage, stands: true},

	{title: "a NumPy array", format: NPY, endings: []string{".npy"}, marks: at0(npyMagic)},
	{title: "a PNG picture", format: PNG, endings: []string{".png"}, marks: at0(pngMagic)},
	{title: "a PyTorch checkpoint", endings: []string{".pt", ".pth", ".ckpt"}, is: isTorch, mend: mendTorch},
	{title: "a NumPy archive", format: NPZ, endings: []string{".npz"}, is: isNumPyArchive},
	{title: "a ZIP archive", format: NPZ, endings: []string{".zip"},
		marks: at0("PK\x03\x04", "PK\x05\x06"), general: true},
	{title: "a Netpbm picture", format: PNM, endings: []string{".pgm", ".ppm", ".pnm"}, is: isPNM},
	{title: "a safetensors file", format: SafeTensors, endings: []string{".safetensors"}, is: isSafeTensors},
	{title: "an index of safetensors files", format: Index, endings: []string{".safetensors.index.json"}, is: isIndex},

	{title: "a GGUF model", endings: []string{".gguf", ".ggml"},
		marks: at0("GGUF", "lmgg", "ggml", "fmgg", "tjgg", "algg"),
		mend:  mendTensors},
	{title: "an HDF5 file", endings: []string{".h5", ".hdf5", ".hdf"},
		marks: at0("\x89HDF\r\n\x1a\n", "\x0e\x03\x13\x01"),
		mend:  mendArrays},
	{title: "an ONNX model", format: ONNX, endings: []string{".onnx"}},
	{title: "a model of TensorFlow Lite", format: TFLite, endings: []string{".tflite"}, marks: []mark{{4, "TFL3"}}},
	{title: "a TensorFlow file", endings: []string{".pb", ".tfrecord"}, mend: mendTensors},
	{title: "a Keras model", endings: []string{".keras"}, mend: mendTensors},
	{title: "a Python pickle", endings: []string{".pkl", ".pickle", ".joblib"}, is: isPickle, mend: mendArrays},
	{title: "a MATLAB file", endings: []string{".mat"},
		marks: at0("MATLAB 5.0 MAT-file", "MATLAB 7.3 MAT-file"),
		mend:  mendArrays},
	{title: "a NetCDF file", endings: []string{".nc"},
		marks: at0("CDF\x01", "CDF\x02", "CDF\x05"),
		mend:  mendArrays},
	{title: "a FITS file", endings: []string{".fits"}, marks: at0("SIMPLE  ="), mend: mendArrays},
	{title: "a table in columns", endings: []string{".parquet", ".arrow", ".feather", ".orc", ".avro"},
		marks: at0("PAR1", "ARROW1", "FEA1", "Obj\x01"),
		mend:  mendArrays},
	{title: "a database", endings: []string{".db", ".sqlite"}, marks: at0("SQLite format 3\x00"), mend: mendArrays},

	{title: "compressed with gzip", endings: []string{".gz", ".tgz"}, marks: at0("\x1f\x8b\x08"), mend: mendUnpack},
	{title: "compressed with zstd", endings: []string{".zst"}, marks: at0("\x28\xb5\x2f\xfd"), mend: mendUnpack},
	{title: "compressed with xz", endings: []string{".xz"}, marks: at0("\xfd7zXZ\x00"), mend: mendUnpack},
	{title: "compressed with bzip2", endings: []string{".bz2"}, is: isBzip2, mend: mendUnpack},
	{title: "compressed with LZ4", endings: []string{".lz4"}, marks: at0("\x04\x22\x4d\x18"), mend: mendUnpack},
	{title: "an archive", endings: []string{".tar", ".7z", ".rar"},
		marks: append(at0("7z\xbc\xaf\x27\x1c", "Rar!\x1a\x07"), mark{257, "ustar"}),
		mend:  mendUnpack},

	{title: "a JPEG picture", endings: []string{".jpg", ".jpeg"},
		marks: at0("\xff\xd8\xff\xe0", "\xff\xd8\xff\xe1", "\xff\xd8\xff\xdb", "\xff\xd8\xff\xee"),
		mend:  mendPicture},
	{title: "a picture", endings: []string{".gif", ".webp", ".bmp", ".tif", ".tiff", ".exr",
		".hdr", ".pbm", ".pam", ".pfm", ".psd", ".jp2", ".avif", ".heic", ".ico"},
		marks: append(at0("GIF87a", "GIF89a", "II*\x00", "MM\x00*", "\x76\x2f\x31\x01", "#?RADIANCE", "8BPS\x00\x01",
			"\x00\x00\x00\x0cjP  "), mark{8, "WEBP"}), mend: mendPicture},
	{title: "a vector picture", endings: []string{".svg"}, marks: at0("<svg"), mend: mendPicture},
	{title: "a sound or a film", endings: []string{".wav", ".mp3", ".flac", ".ogg", ".mp4", ".mov", ".mkv", ".webm", ".avi"},
		marks: append(at0("fLaC", "OggS", "ID3\x03", "ID3\x04", "\x1a\x45\xdf\xa3"), mark{8, "WAVE"}, mark{8, "AVI "},
			mark{4, "ftyp"}), mend: mendOther},

	{title: "a PDF document", endings: []string{".pdf"}, marks: at0("%PDF-"), mend: mendOther},
	{title: "PTX text", endings: []string{".ptx"}, mend: mendOther},
	{title: "XML text", endings: []string{".xml"}, marks: at0("<?xml"), mend: mendPage, stands: true},
	{title: "JSON text", endings: []string{".json", ".jsonl", ".ipynb"}, is: isJSON, mend: mendText},
	{title: "a table as text", endings: []string{".csv", ".tsv"}, mend: mendText},
	{title: "YAML text", endings: []string{".yaml", ".yml"}, mend: mendText},
}

// Refusal is the error of a file that is another kind of file than asked for.
type Refusal struct {
	What, Mend string
	// Raw reports whether the file can be measured as raw bytes if somebody asks for them.
	Raw bool
}

func (r *Refusal) Error() string { return r.What + ": " + r.Mend }

// kindOf returns the kind of a file by its first bytes, nil if they tell none.
func kindOf(start []byte) *kind {
	text := blankStart(start)
	for i := range kinds {
		k := &kinds[i]
		if k.is != nil && k.is(start) {
			return k
		}
		for _, m := range k.marks {
			here := len(start) >= m.at && bytes.HasPrefix(start[m.at:], []byte(m.text))
			if here || k.stands && bytes.HasPrefix(text, []byte(m.text)) {
				return k
			}
		}
	}
	return nil
}

// kindNamed returns the kind that a name ends in, nil if it tells none.
func kindNamed(name string) *kind {
	name = strings.ToLower(path.Base(name))
	var found *kind
	longest := 0
	for i := range kinds {
		for _, e := range kinds[i].endings {
			if strings.HasSuffix(name, e) && len(e) > longest {
				found, longest = &kinds[i], len(e)
			}
		}
	}
	return found
}

// CheckRawName refuses a name for raw bytes that says they are something else: nobody could
// read such a file.
func CheckRawName(name string) error {
	if k := kindNamed(name); k != nil {
		return fmt.Errorf("%s: raw bytes are written, and the name says %s: use a name such as out.bin", name, k.title)
	}
	return nil
}

// HeaderIn says what data begin with that should be elements alone: the header of arrays or
// a pointer to a file. It returns "" for everything else, also for files of other kinds, which
// a program may want to read as they are.
func HeaderIn(data []byte) string {
	k := kindOf(data[:min(len(data), startBytes)])
	if k == nil || k.general || k.format != NPY && k.format != NPZ && k.format != SafeTensors && !k.pointer {
		return ""
	}
	return k.title
}

// formatOf is the one rule that decides what a file is. Its content decides, unless the
// name says something else: then the file is refused. Raw bytes are what nobody knows, or
// what somebody asked for.
func formatOf(src io.ReaderAt, size int64, o Options) (string, error) {
	if o.Format != "" && !slices.Contains(Formats(), o.Format) {
		return "", fmt.Errorf("unknown format %q: one of %s", o.Format, strings.Join(Formats(), ", "))
	}
	if o.Format == Raw {
		return Raw, nil
	}
	start := make([]byte, min(size, startBytes))
	if err := readAt(src, start, 0, "the start of the file"); err != nil {
		return "", err
	}
	typed := o.Type != NoType || o.Offset != 0
	content, named := kindOf(start), kindNamed(o.Name)
	if named != nil && content != nil {
		if content.general && named.format == "" || named.format == Index && isJSON(start) && !content.stands {
			content = named
		}
	}
	switch {
	case content != nil && content.stands:
		return "", content.refusal("this is ")
	case o.Format != "" && content != nil && content.format != o.Format:
		return "", content.refusal("this is ")
	case o.Format != "":
		return o.Format, nil
	case content != nil && content.format != "" && (named == nil || named.format == content.format):
		return content.format, nil
	case content != nil && content.format != "":
		return "", &Refusal{fmt.Sprintf("this is %s, and its name says %s", content.title, named.title),
			"rename it, or say that it has the format " + content.format, true}
	case named != nil && named.format != "" && content == nil:
		return named.format, nil // whose reader says what is wrong
	case typed:
		return Raw, nil
	case content != nil:
		return "", content.refusal("this is ")
	case named != nil:
		return "", named.refusal("its name says that this is ")
	}
	return Raw, nil
}

// refusal is the error of a file that is read as something else.
func (k *kind) refusal(begin string) error {
	mend := k.mend
	if mend == "" {
		mend = "say that it has the format " + k.format
	}
	return &Refusal{begin + k.title, mend, !k.stands}
}

// startBytes are enough to tell the kinds apart: tar's mark ends at byte 262.
const startBytes = 1 << 10

// blankStart passes over what may stand before a text.
func blankStart(start []byte) []byte {
	return bytes.TrimLeft(bytes.TrimPrefix(start, []byte("\xef\xbb\xbf")), " \t\r\n")
}

func isHTML(start []byte) bool {
	text := bytes.ToLower(blankStart(start))
	return slices.ContainsFunc([]string{"<!doctype html", "<html", "<head>"}, func(tag string) bool {
		return bytes.HasPrefix(text, []byte(tag))
	})
}

// isTorch tells a checkpoint by the first entry of its archive, or by the number that an old
// one starts with (pytorch/pytorch, torch/serialization.py, MAGIC_NUMBER).
func isTorch(start []byte) bool {
	if bytes.HasPrefix(start, []byte("\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19")) {
		return true
	}
	name := firstEntry(start)
	return slices.Contains([]string{"data.pkl", "byteorder", ".format_version"}, path.Base(name)) && path.Dir(name) != "."
}

func isNumPyArchive(start []byte) bool { return strings.HasSuffix(firstEntry(start), ".npy") }

// firstEntry is the name of the first entry of a ZIP archive (PKWARE APPNOTE, section 4.3.7).
func firstEntry(start []byte) string {
	const head = 30
	if !bytes.HasPrefix(start, []byte("PK\x03\x04")) || len(start) < head {
		return ""
	}
	end := head + int(start[26]) + int(start[27])<<8
	return string(start[head:min(end, len(start))])
}

func isPNM(s []byte) bool {
	if len(s) < 4 || s[0] != 'P' || s[1] < '1' || s[1] > '7' || !isSpace(s[2]) {
		return false
	}
	rest := bytes.TrimLeft(s[3:], " \t\r\n\v\f")
	return len(rest) == 0 || rest[0] == '#' || isDigit(rest[0]) || s[1] == '7' && bytes.HasPrefix(rest, []byte("WIDTH"))
}

// isSafeTensors tells a file by the brace after a length below 2^48.
func isSafeTensors(s []byte) bool {
	if len(s) < 10 || s[6] != 0 || s[7] != 0 {
		return false
	}
	text := bytes.TrimLeft(s[8:], " \t\r\n")
	if len(text) == 0 || text[0] != '{' {
		return false
	}
	text = bytes.TrimLeft(text[1:], " \t\r\n")
	return len(text) == 0 || text[0] == '"' || text[0] == '}'
}

// isJSON tells an object or a list whose first value is one of JSON.
func isJSON(start []byte) bool {
	text := blankStart(start)
	if len(text) == 0 || text[0] != '{' && text[0] != '[' {
		return false
	}
	object := text[0] == '{'
	text = bytes.TrimLeft(text[1:], " \t\r\n")
	switch {
	case len(text) == 0:
		return false
	case text[0] == '"' || text[0] == '}' && object || text[0] == ']' && !object:
		return printable(text)
	}
	return !object && (text[0] == '{' || text[0] == '[' || text[0] == '-' || isDigit(text[0])) && printable(text)
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// printable reports whether a text has no control characters but blanks.
func printable(text []byte) bool {
	return !bytes.ContainsFunc(text, func(r rune) bool { return r < ' ' && !isSpace(byte(r)) || r == utf8.RuneError })
}

func isIndex(start []byte) bool {
	return isJSON(start) && bytes.Contains(start, []byte(`"weight_map"`))
}

// isPickle tells protocols 2 to 5 by their first two opcodes (CPython, Lib/pickle.py).
func isPickle(s []byte) bool {
	if len(s) < 4 || s[0] != 0x80 {
		return false
	}
	if s[1] == 4 || s[1] == 5 {
		return s[2] == 0x95 // FRAME
	}
	if s[1] != 2 && s[1] != 3 {
		return false
	}
	switch s[2] {
	case '}', ']': // EMPTY_DICT or EMPTY_LIST, and BINPUT
		return s[3] == 'q'
	case 'c': // GLOBAL and the name of a module
		return s[3] >= 'a' && s[3] <= 'z' || s[3] == '_'
	}
	return false
}

// isBzip2 tells a block size and the digits of pi that the first block starts with.
func isBzip2(s []byte) bool {
	return len(s) >= 10 && string(s[:3]) == "BZh" && s[3] >= '1' && s[3] <= '9' && string(s[4:10]) == "\x31\x41\x59\x26\x53\x59"
}
