package datafile

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/mem"
)

// contents returns the bytes of all blocks, padding included.
func contents(data []byte, o Options) (*File, []byte, error) {
	f, err := Open(bytes.NewReader(data), int64(len(data)), o)
	if err != nil {
		return nil, nil, err
	}
	var all []byte
	lines := make([]mem.Line, 3)
	for b := f.Blocks(); ; {
		n, t, err := b.Next(lines)
		if errors.Is(err, io.EOF) {
			if int64(len(all)) != f.BlockCount()*mem.LineBytes || b.PaddedBytes() != int64(len(all))-f.Bytes {
				return nil, nil, fmt.Errorf("%d bytes in %d blocks with %d of padding", len(all), f.BlockCount(), b.PaddedBytes())
			}
			return f, all, nil
		}
		if err != nil {
			return f, nil, err
		}
		if t == NoType {
			return f, nil, errors.New("blocks without a type")
		}
		for i := range lines[:n] {
			all = append(all, lines[i][:]...)
		}
	}
}

func padded(b []byte) []byte {
	return append(bytes.Clone(b), make([]byte, (mem.LineBytes-len(b)%mem.LineBytes)%mem.LineBytes)...)
}

func ramp(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(i*7 + i>>8)
	}
	return b
}

// npyFile is an array as NumPy writes it.
func npyFile(descr, shape string, data []byte) []byte {
	header := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': %s, }", descr, shape)
	header += strings.Repeat(" ", (64-(10+len(header)+1)%64)%64) + "\n"
	b := append([]byte(npyMagic), 1, 0)
	b = binary.LittleEndian.AppendUint16(b, uint16(len(header)))
	return append(append(b, header...), data...)
}

func npzFile(t testing.TB, method uint16, entries ...[]byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i, data := range entries {
		w, err := z.CreateHeader(&zip.FileHeader{Name: fmt.Sprintf("arr_%d.npy", i), Method: method})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(data); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func tensorFile(header string, data []byte) []byte {
	b := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
	return append(append(b, header...), data...)
}

func swapped(b []byte, unit int) []byte {
	out := bytes.Clone(b)
	for i := 0; i+unit <= len(out); i += unit {
		for k := range unit {
			out[i+k] = b[i+unit-1-k]
		}
	}
	return out
}

// Each format gives the numbers in it, little-endian, every array in blocks of its own.
func TestFormats(t *testing.T) {
	data := ramp(1000)
	tensors := tensorFile(`{"__metadata__":{"format":"pt","note":"a \"quoted\" text"},"b":{"dtype":"BF16","shape":[5,10],"data_offsets":[400,500]},"a":{"dtype":"F32","shape":[100],"data_offsets":[0,400]}}`, data[:500])
	for _, c := range []struct {
		name   string
		file   []byte
		o      Options
		format string
		arrays string
		want   []byte
	}{
		{"raw", data, Options{}, Raw, "u8[1000]", padded(data)},
		{"raw with a type", data, Options{Type: F32, Offset: 200}, Raw, "f32[200]", padded(data[200:])},
		{"one byte", []byte{7}, Options{}, Raw, "u8[1]", padded([]byte{7})},
		{"whole blocks", data[:256], Options{}, Raw, "u8[256]", data[:256]},
		{"npy", npyFile("<f4", "(10, 25)", data), Options{}, NPY, "f32[10 25]", padded(data)},
		{"npy of bytes", npyFile("|u1", "(1000,)", data), Options{}, NPY, "u8[1000]", padded(data)},
		{"npy without dimensions", npyFile("<f8", "()", data[:8]), Options{}, NPY, "f64[]", padded(data[:8])},
		{"npy, big-endian", npyFile(">i8", "(125,)", data), Options{}, NPY, "i64[125]", padded(swapped(data, 8))},
		{"npy, complex, big-endian", npyFile(">c16", "(50,)", data[:800]), Options{}, NPY, "c128[50]", padded(swapped(data[:800], 8))},
		{"npy taken as raw", npyFile("<f4", "(1,)", data[:4]), Options{Format: Raw}, Raw, "u8[132]", padded(npyFile("<f4", "(1,)", data[:4]))},
		{"npz", npzFile(t, zip.Store, npyFile("<u2", "(100,)", data[:200]), npyFile(">u2", "(2,)", data[:4])), Options{}, NPZ, "arr_0 u16[100] arr_1 u16[2]", append(padded(data[:200]), padded(swapped(data[:4], 2))...)},
		{"npz, compressed", npzFile(t, zip.Deflate, npyFile("<u2", "(100,)", data[:200]), npyFile("<f2", "(0, 3)", nil)), Options{}, NPZ, "arr_0 u16[100]", padded(data[:200])},
		{"npz, one array", npzFile(t, zip.Deflate, npyFile("<u2", "(100,)", data[:200]), npyFile("<f4", "(1,)", data[:4])), Options{Array: "arr_1"}, NPZ, "arr_1 f32[1]", padded(data[:4])},
		{"safetensors with escapes", tensorFile(`{"\u0061\/\ud83d\ude00\n":{"dtype":"U8","shape":[4],"data_offsets":[0,4]}}`, data[:4]), Options{}, SafeTensors, "a/😀\n u8[4]", padded(data[:4])},
		{"safetensors with blanks", tensorFile(" \n{ \"a\" :\t{ \"data_offsets\" : [ 0 , 4 ] , \"shape\" : [ 4 ] , \"dtype\" : \"U8\" } } \r\n", data[:4]), Options{}, SafeTensors, "a u8[4]", padded(data[:4])},
		{"safetensors of short floats", tensorFile(`{"a":{"dtype":"F4","shape":[4],"data_offsets":[0,2]},"b":{"dtype":"F6_E3M2","shape":[4],"data_offsets":[2,5]},"c":{"dtype":"F8_E8M0","shape":[3],"data_offsets":[5,8]},"d":{"dtype":"F3_NEXT","shape":[9,9],"data_offsets":[8,10]}}`, data[:10]),
			Options{}, SafeTensors, "a u8[4] b u8[4] c u8[3] d u8[9 9]", slices.Concat(padded(data[:2]), padded(data[2:5]), padded(data[5:8]), padded(data[8:10]))},
		{"safetensors, one of a strange type taken", tensorFile(`{"a":{"dtype":"F3_NEXT","shape":[],"data_offsets":[0,2]},"b":{"dtype":"I8","shape":[1],"data_offsets":[2,3]}}`, data[:3]), Options{Array: "b"}, SafeTensors, "b i8[1]", padded(data[2:3])},
		{"safetensors", tensors, Options{}, SafeTensors, "a f32[100] b bf16[5 10]", append(padded(data[:400]), padded(data[400:500])...)},
		{"pgm", append([]byte("P5\n# a comment\n10 100 255\n"), data...), Options{}, PNM, "u8[100 10]", padded(data)},
		{"pgm, 16 bits", append([]byte("P5 10 50 65535\n"), data...), Options{}, PNM, "u16[50 10]", padded(swapped(data, 2))},
		{"ppm", append([]byte("P6 3 2 255 "), data[:18]...), Options{}, PNM, "u8[2 3 3]", padded(data[:18])},
		{"pgm as text", []byte("P2\n3 2\n300\n0 1 2\n7 256 300\n"), Options{}, PNM, "u16[2 3]", padded([]byte{0, 0, 1, 0, 2, 0, 7, 0, 0, 1, 44, 1})},
		{"ppm as text", []byte("P3 1 1 255 1 20 255"), Options{}, PNM, "u8[1 1 3]", padded([]byte{1, 20, 255})},
	} {
		f, got, err := contents(c.file, c.o)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		var arrays []string
		for _, a := range f.Arrays {
			arrays = append(arrays, strings.TrimSpace(a.Name+" "+a.Type.String())+fmt.Sprint(a.Shape))
		}
		if s := strings.Join(arrays, " "); f.Format != c.format || s != c.arrays {
			t.Errorf("%s: %s with %s, want %s with %s", c.name, f.Format, s, c.format, c.arrays)
		}
		if !bytes.Equal(got, c.want) {
			t.Errorf("%s: % x\nwant % x", c.name, got, c.want)
		}
	}
}

// Every fault is one error that says where.
func TestBadFiles(t *testing.T) {
	data := ramp(64)
	good := npyFile("<f4", "(16,)", data)
	deflated := npzFile(t, zip.Deflate, npyFile("<f4", "(4096,)", make([]byte, 16384)))
	lying := bytes.Clone(deflated) // the directory announces 4 GB less 1
	at := bytes.LastIndex(lying, []byte("PK\x01\x02"))
	binary.LittleEndian.PutUint32(lying[at+24:], 0xfffffffe)
	damaged := bytes.Clone(npzFile(t, zip.Store, good))
	damaged[bytes.Index(damaged, []byte("PK\x07\x08"))-1] ^= 1
	// Every entry of the directory leads to the data of the first.
	shared := npzFile(t, zip.Deflate, slices.Repeat([][]byte{npyFile("<f4", "(4096,)", make([]byte, 16384))}, 2000)...)
	first := bytes.Index(shared, []byte("PK\x01\x02"))
	for at := first; at >= 0 && bytes.HasPrefix(shared[at:], []byte("PK\x01\x02")); {
		binary.LittleEndian.PutUint32(shared[at+42:], 0)
		at += 46 + int(binary.LittleEndian.Uint16(shared[at+28:])) + int(binary.LittleEndian.Uint16(shared[at+30:])) + int(binary.LittleEndian.Uint16(shared[at+32:]))
	}
	// Each of 17 members announces 4 GB.
	large := npzFile(t, zip.Store, slices.Repeat([][]byte{good}, 17)...)
	for at := bytes.Index(large, []byte("PK\x01\x02")); bytes.HasPrefix(large[at:], []byte("PK\x01\x02")); {
		binary.LittleEndian.PutUint32(large[at+24:], 0xfffffffe)
		at += 46 + int(binary.LittleEndian.Uint16(large[at+28:])) + int(binary.LittleEndian.Uint16(large[at+30:])) + int(binary.LittleEndian.Uint16(large[at+32:]))
	}
	twice := bytes.ReplaceAll(npzFile(t, zip.Store, good, good), []byte("arr_1"), []byte("arr_0"))
	for _, c := range []struct {
		name string
		file []byte
		o    Options
		want string
	}{
		{"empty", nil, Options{}, "byte 0: the file is empty"},
		{"unknown format", data, Options{Format: "gif"}, `unknown format "gif": one of raw, npy`},
		{"no whole number", data[:63], Options{Type: F32}, "byte 63: 63 bytes from byte 0 are no whole number of f32"},
		{"offset behind the end", data, Options{Offset: 64}, "byte 64: elements cannot start here: the file has 64 bytes"},
		{"negative offset", data, Options{Offset: -1}, "cannot start here"},
		{"type of a file that has one", good, Options{Format: NPY, Type: F32}, "leave both out"},
		{"npy cut in its magic", good[:5], Options{Format: NPY}, "byte 0: no .npy header"},
		{"npy cut in its header", good[:40], Options{}, "byte 40: the .npy header is cut off"},
		{"npy cut in its data", good[:len(good)-1], Options{}, "announces 64 bytes from byte 128, 63 are there"},
		{"npy too long", append(bytes.Clone(good), 1), Options{}, "byte 192: 1 bytes follow"},
		{"npy version", append([]byte(npyMagic), 9, 0, 0, 0), Options{}, "byte 6: version 9"},
		{"npy header of 4 GB", append([]byte(npyMagic), 2, 0, 0xff, 0xff, 0xff, 0xff), Options{}, "byte 8: a .npy header of 4294967295 bytes"},
		{"npy of objects", npyFile("|O", "(2,)", data), Options{}, "elements of type \"|O\" are not numbers"},
		{"npy of texts", npyFile("<U4", "(2,)", data), Options{}, "are not numbers"},
		{"npy of nothing known", npyFile("<f3", "(2,)", data), Options{}, "are not numbers"},
		{"npy of NaN", npyFile("nan", "(2,)", data), Options{}, `elements of type "nan" are not numbers`},
		{"npy of fields", append([]byte(npyMagic+"\x01\x00\x30\x00{'descr': [('a', '<f4')], 'shape': (1,)}"), data...), Options{}, "elements with fields"},
		{"npy of a huge shape", npyFile("<f8", "(4611686018427387904, 4611686018427387904)", data), Options{}, "larger than any file"},
		{"npy of a larger shape", npyFile("<f8", "(99999999999999999999,)", data), Options{}, "larger than any file"},
		{"npy of a negative shape", npyFile("<f8", "(-1,)", data), Options{}, "want a whole number"},
		{"npy without a shape", append([]byte(npyMagic+"\x01\x00\x11\x00{'descr': '<f4'}\n"), data...), Options{}, "lacks the type, the order or the shape"},
		{"npy of a third order", bytes.Replace(good, []byte("False"), []byte("Maybe"), 1), Options{}, `byte 44: "Maybe" in the .npy header: fortran_order is True or False`},
		{"npy with text behind its header", bytes.Replace(good, []byte(", }  "), []byte(", } x"), 1), Options{}, "'x' follows the last brace of the header"},
		{"npy of something else", append([]byte(npyMagic+"\x01\x00\x08\x00{'a': 1}"), data...), Options{}, `byte 15: "a" in the .npy header`},
		{"npy without elements", npyFile("<f4", "(0,)", nil), Options{}, "holds no elements"},
		{"npz cut", deflated[:len(deflated)-30], Options{}, "the directory of the archive cannot be read"},
		{"npz bomb", lying, Options{}, "cannot hold the 4294967294 that the directory announces"},
		{"npz of 2,000 names for one member", shared, Options{}, "of the archive share bytes"},
		{"npz of one name for two members", twice, Options{}, `two entries of the archive are named "arr_0.npy"`},
		{"npz of 68 GB", large, Options{}, "unpack to more than 68719476736 bytes"},
		{"npz damaged", damaged, Options{}, "array arr_0: zip: checksum error"},
		{"npz of something else", npzFile(t, zip.Store, data), Options{}, "array arr_0: byte 0: no .npy header"},
		{"npz of a lying array", npzFile(t, zip.Deflate, npyFile("<f4", "(1000000000,)", data)), Options{}, "its header announces 4000000000 bytes from here, the entry has 192"},
		{"npz without that array", npzFile(t, zip.Store, good), Options{Array: "w"}, `no array "w" with elements: the file has arr_0`},
		{"safetensors cut", []byte{9, 0, 0}, Options{Format: SafeTensors}, "byte 3: the length of the header is cut off"},
		{"safetensors header too long", tensorFile(`{"a":{}}`, nil)[:10], Options{Format: SafeTensors}, "a header of 8 bytes in a file of 10"},
		{"safetensors header of 2^60 bytes", append([]byte{0, 0, 0, 0, 0, 0, 0, 16}, data...), Options{Format: SafeTensors}, "byte 0: a header of 1152921504606846976 bytes"},
		{"safetensors that end too late", tensorFile(`{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}`, data[:4]), Options{}, "ends at byte 8 of the data, and 4 are there"},
		{"safetensors with another shape", tensorFile(`{"a":{"dtype":"F32","shape":[3],"data_offsets":[0,8]}}`, data[:8]), Options{}, "its shape needs another number"},
		{"safetensors with a gap", tensorFile(`{"a":{"dtype":"U8","shape":[2],"data_offsets":[2,4]}}`, data[:4]), Options{}, "overlap or leave a gap"},
		{"safetensors on top of each other", tensorFile(`{"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]},"b":{"dtype":"U8","shape":[2],"data_offsets":[2,4]}}`, data[:4]), Options{}, "overlap or leave a gap"},
		{"safetensors with a rest", tensorFile(`{"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]}}`, data[:4]), Options{}, "2 bytes after the last tensor"},
		{"safetensors of half bytes that are missing", tensorFile(`{"a":{"dtype":"F4","shape":[5],"data_offsets":[0,2]}}`, data[:2]), Options{}, "its shape needs another number"},
		{"safetensors of F6 that fill no bytes", tensorFile(`{"a":{"dtype":"F6_E2M3","shape":[3],"data_offsets":[0,2]}}`, data[:2]), Options{}, "its shape needs another number"},
		{"safetensors without a shape", tensorFile(`{"a":{"dtype":"U8","data_offsets":[0,1]}}`, data[:1]), Options{}, "lacks its type or its shape"},
		{"safetensors with two types", tensorFile(`{"a":{"dtype":"U8","dtype":"I8","shape":[1],"data_offsets":[0,1]}}`, data[:1]), Options{}, `byte 27: dtype twice in the entry of tensor "a"`},
		{"safetensors with a comma behind the last tensor", tensorFile(`{"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},}`, data[:1]), Options{}, "byte 61: want a text in quotes"},
		{"safetensors with a comma behind the last size", tensorFile(`{"a":{"dtype":"U8","shape":[1,],"data_offsets":[0,1]}}`, data[:1]), Options{}, "byte 38: want a whole number"},
		{"safetensors without a comma", tensorFile(`{"a":{"dtype":"U8","shape":[1]"data_offsets":[0,1]}}`, data[:1]), Options{}, `want '}' in the header, found '"'`},
		{"safetensors with text behind the header", tensorFile(`{"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}} xyz `, data[:1]), Options{}, "byte 62: 'x' follows the last brace"},
		{"safetensors with zeros behind the header", tensorFile("{\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}}\x00\x00", data[:1]), Options{}, `byte 61: '\x00' follows the last brace`},
		{"safetensors with an entry behind the header", tensorFile(`{},"__metadata__":{"a":"b"}}`, nil), Options{}, "byte 10: ',' follows the last brace"},
		{"safetensors with two headers", tensorFile(`{}{"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}`, data[:1]), Options{}, "byte 10: '{' follows the last brace"},
		{"safetensors with a byte order mark", tensorFile("\xef\xbb\xbf{\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}}", data[:1]), Options{Format: SafeTensors}, "byte 8: the header begins with a byte order mark"},
		{"safetensors with a list as header", tensorFile(`[1,2,3]`, data), Options{Format: SafeTensors}, "byte 8: want '{' in the header, found '['"},
		{"safetensors without a header", tensorFile("", data), Options{Format: SafeTensors}, "byte 8: the header ends where '{' belongs"},
		{"safetensors header of 2^64-1 bytes", append(bytes.Repeat([]byte{0xff}, 8), `{"a":1}`...), Options{Format: SafeTensors}, "byte 0: a header of 18446744073709551615 bytes: at most 100000000"},
		{"safetensors that are a sentence", []byte("Entry not found"), Options{Format: SafeTensors}, `the file begins with the text "Entry no"`},
		{"safetensors with a size of 1.5", tensorFile(`{"a":{"dtype":"U8","shape":[1.5],"data_offsets":[0,1]}}`, data[:1]), Options{}, "byte 37: want ']' in the header, found '.'"},
		{"safetensors with a size of 01", tensorFile(`{"a":{"dtype":"U8","shape":[01],"data_offsets":[0,1]}}`, data[:1]), Options{}, "byte 36: a number with a leading zero"},
		{"safetensors with two metadata", tensorFile(`{"__metadata__":{},"__metadata__":{}}`, nil), Options{}, `byte 27: "__metadata__" twice`},
		{"safetensors with one text of metadata twice", tensorFile(`{"__metadata__":{"a":"b","a":"c"}}`, nil), Options{}, `byte 33: "a" twice in __metadata__`},
		{"safetensors with metadata that are numbers", tensorFile(`{"__metadata__":{"a":1}}`, nil), Options{}, "byte 29: want a text in quotes"},
		{"safetensors with metadata that are not UTF-8", tensorFile("{\"__metadata__\":{\"a\":\""+strings.Repeat("x", 1000)+"\xff\"}}", nil), Options{}, "not UTF-8"},
		{"safetensors without an end", tensorFile(`{"a":{"dtype":"U8","shape":[2]`, data[:2]), Options{}, "the header ends where"},
		{"safetensors that run backwards", tensorFile(`{"a":{"dtype":"U8","shape":[2],"data_offsets":[2,0]}}`, data[:2]), Options{}, "lacks its start and its end"},
		{"safetensors with two of a name", tensorFile(`{"\u0061":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"b":{"dtype":"U8","shape":[1],"data_offsets":[1,2]},"a":{"dtype":"U8","shape":[1],"data_offsets":[2,3]}}`, data[:3]), Options{}, `two tensors are named "a"`},
		{"safetensors with half a surrogate pair", tensorFile(`{"\ud83dx":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}`, data[:1]), Options{}, "an escape that JSON does not have"},
		{"safetensors with two high surrogates", tensorFile(`{"\ud83d\ud83d":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}`, data[:1]), Options{}, "half of a surrogate pair"},
		{"safetensors with an escape of Python", tensorFile(`{"\x61":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}`, data[:1]), Options{}, "byte 10: an escape that JSON does not have"},
		{"safetensors with a cut escape", tensorFile(`{"\u00"`, data[:1]), Options{Format: SafeTensors}, "an escape that JSON does not have"},
		{"safetensors with a line break in a name", tensorFile("{\"a\n\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}}", data[:1]), Options{}, "an unescaped control character"},
		{"safetensors with a name that is not UTF-8", tensorFile("{\"\xff\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}}", data[:1]), Options{}, "is not UTF-8"},
		{"pgm cut", []byte("P5 10 10 255\nabc"), Options{}, "byte 16: the picture is cut off: its header announces 100 bytes from byte 13, 3 are there"},
		{"pgm too long", append([]byte("P5 1 1 255\n"), data...), Options{}, "bytes follow the picture"},
		{"pgm of 2^31 by 2^31", []byte("P5 2147483648 2147483648 255\nabc"), Options{}, "at most 2^40 samples"},
		{"pgm of no height", []byte("P5 10 0 255\n"), Options{}, "want sides of at least 1"},
		{"pgm of 17 bits", []byte("P5 1 1 65536\nabc"), Options{}, "byte 7: a largest sample of 65536"},
		{"pgm of letters", []byte("P5 x 1 255\nabc"), Options{Format: PNM}, "byte 3: want a whole number"},
		{"pbm", []byte("P4 1 1\na"), Options{}, "no picture of type P2, P3, P5 or P6"},
		{"pgm as text, a bomb", []byte("P2 1000000 1000000 255\n1 2 3"), Options{}, "the picture is cut off: 1000000000000 samples in 5 bytes"},
		{"pgm as text, cut", []byte("P2 3 1 255\n10 20 "), Options{}, "byte 17: the picture is cut off: 1 samples are missing"},
		{"pgm as text, too bright", []byte("P2 2 1 100\n10 101 "), Options{}, "a sample above the largest"},
		{"pgm as text, letters", []byte("P2 2 1 100\n10 x1 "), Options{}, "byte 14: 'x' is not a sample"},
	} {
		_, _, err := contents(c.file, c.o)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v\nwant %s", c.name, err, c.want)
		}
	}
}

// endless is a file of zeros of any size that takes no memory.
type endless struct{ start []byte }

func (e endless) ReadAt(b []byte, at int64) (int, error) {
	clear(b)
	if at < int64(len(e.start)) {
		copy(b, e.start[at:])
	}
	return len(b), nil
}

// Reading a file of 64 MB, or one that says it is larger than memory, takes little.
func TestMemoryIsBounded(t *testing.T) {
	const size = 64 << 20
	head := npyFile(">f4", fmt.Sprintf("(%d,)", size/4), nil)
	for _, c := range []struct {
		name string
		src  io.ReaderAt
		size int64
	}{
		{"raw", endless{}, size},
		{"npy", endless{head}, size + int64(len(head))},
		{"safetensors with metadata of 90 MB", endless{tensorFile(`{"a":{"dtype":"U8","shape":[67108864],"data_offsets":[0,67108864]},"__metadata__":{"note":"`+strings.Repeat("é", 45e6)+`"}}`, nil)}, 0},
	} {
		if c.size == 0 {
			c.size = size + int64(len(c.src.(endless).start))
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		f, err := Open(c.src, c.size, Options{})
		if err != nil {
			t.Fatal(err)
		}
		lines := make([]mem.Line, 64)
		blocks := int64(0)
		for b := f.Blocks(); ; {
			n, _, err := b.Next(lines)
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			blocks += int64(n)
		}
		runtime.ReadMemStats(&after)
		if blocks != size/mem.LineBytes || after.TotalAlloc-before.TotalAlloc > 1<<20 {
			t.Errorf("%s: %d blocks with %d bytes allocated", c.name, blocks, after.TotalAlloc-before.TotalAlloc)
		}
	}
}

func TestTypes(t *testing.T) {
	for _, name := range TypeNames() {
		kind, err := ParseType(name)
		if err != nil || kind.String() != name || kind.Bytes() < 1 || mem.LineBytes%kind.Bytes() != 0 {
			t.Errorf("%s: %v, %v", name, kind, err)
		}
	}
	if _, err := ParseType("nan"); err == nil || !strings.Contains(err.Error(), `unknown element type "nan": one of u8`) {
		t.Error(err)
	}
}

// fuzzFile reads whatever a file holds in one format: an error, or as many blocks
// as announced, and never more memory than the file justifies.
func fuzzFile(f *testing.F, format string, seeds ...[]byte) {
	for _, s := range seeds {
		f.Add(s)
		f.Add(s[:len(s)/2])
	}
	fuzzEach(f, format, func(*testing.T, []byte) {})
}

func fuzzEach(f *testing.F, format string, accepted func(t *testing.T, data []byte)) {
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := Open(bytes.NewReader(data), int64(len(data)), Options{Format: format})
		if err != nil {
			return
		}
		accepted(t, data)
		lines := make([]mem.Line, 16)
		left := file.BlockCount()
		for b := file.Blocks(); ; {
			n, _, err := b.Next(lines)
			if err == io.EOF && left != 0 {
				t.Fatalf("%d blocks are missing", left)
			}
			if err != nil {
				return
			}
			if left -= int64(n); n == 0 || left < 0 {
				t.Fatalf("%d blocks, %d too many", n, -left)
			}
		}
	})
}

func FuzzNPY(f *testing.F) {
	fortran := bytes.Replace(npyFile("<f4", "(3, 5)", ramp(60)), []byte("False"), []byte("True "), 1)
	wide := append([]byte(npyMagic+"\x02\x00\x3b\x00\x00\x00{'shape': (4,), \"fortran_order\": False, 'descr': '|b1'}      \n"), ramp(4)...)
	fields := append([]byte(npyMagic+"\x01\x00\x30\x00{'descr': [('a', '<f4')], 'shape': (1,)}"), ramp(4)...)
	fuzzFile(f, NPY, npyFile("<f4", "(3, 5)", ramp(60)), npyFile(">c8", "()", ramp(8)), fortran, wide, fields)
}

func FuzzNPZ(f *testing.F) {
	fuzzFile(f, NPZ, npzFile(f, zip.Store, npyFile("<f4", "(3, 5)", ramp(60))), npzFile(f, zip.Deflate, npyFile(">f4", "(3, 5)", ramp(60))), torchArchive(f))
}

// FuzzSafeTensors also holds the header against the standard library: what is read is JSON.
func FuzzSafeTensors(f *testing.F) {
	for _, header := range []string{
		`{"__metadata__":{"a":"b\u00e9\"\\"},"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}  `,
		` {"é\ud83d\ude00":{"data_offsets":[0,4],"dtype":"F4","shape":[2,4]},"b":{"dtype":"X","shape":[],"data_offsets":[4,8]},"c":{"dtype":"F64","shape":[0],"data_offsets":[4,4]}}`,
		`{"a":{"dtype":"U8","shape":[8,],"data_offsets":[0,8]}} x`, `[{}]`, "\xef\xbb\xbf{}", "",
	} {
		f.Add(tensorFile(header, ramp(8)))
	}
	fuzzEach(f, SafeTensors, func(t *testing.T, data []byte) {
		if header := data[8:][:binary.LittleEndian.Uint64(data)]; !json.Valid(header) {
			t.Fatalf("%q is not JSON", header)
		}
	})
}

func FuzzPNM(f *testing.F) {
	fuzzFile(f, PNM, append([]byte("P5 #c\n10 2 255\n"), ramp(20)...), []byte("P3 1 1 300 1 2 3"), append([]byte("P6 1 2 65535\n"), ramp(12)...))
}
