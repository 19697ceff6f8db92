package execute

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/csv"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"testing"

	"github.com/burstscope/burstscope/core/ptx"
)

var writeTextures = flag.String("write-textures", "", "write the texture cases, with the simulator's results, to this file for testdata/textures.py")

// textureCase is a texture with the coordinates that a kernel reads it at.
type textureCase struct {
	Name        string
	Texture     ptx.Texture
	Format      string // a channel: u8 to f32
	Result      string // type of the result in PTX
	Whole       bool   // coordinates are integers
	Texels      []byte // in rows
	Coordinates [][2]uint32
	Results     [][4]uint32 // the simulator's
}

// kernel is the program that reads it.
func (c *textureCase) kernel() string {
	coordinate, dimensions := "f32", 1
	if c.Whole {
		coordinate = "s32"
	}
	if c.Texture.Height > 0 {
		dimensions = 2
	}
	return textureKernel(dimensions, c.Result, coordinate, "image")
}

// axis is coordinates along an axis of n texels, in texels: at random, on and close to edges and centres,
// and outside.
func axis(r interface {
	Float64() float64
	Intn(int) int
}, n int) float64 {
	switch r.Intn(8) {
	case 0: // edges and centres
		return float64(r.Intn(6*n)-2*n) / 2
	case 1: // close to them
		return float64(r.Intn(6*n)-2*n)/2 + (r.Float64()-0.5)/1024
	case 2, 3: // around the steps of a weight
		return float64(r.Intn(2*n)) + float64(r.Intn(1024))/1024
	case 4: // outside
		return (r.Float64()*12 - 6) * float64(n)
	}
	return r.Float64() * float64(n)
}

// textureCases are textures of every format, filter, address mode and layout. The rules of package arith were
// found with the first half; the second half was recorded after that.
func textureCases() []textureCase {
	return append(casesFrom(0, 2026), casesFrom(textureCount, 2027)...)
}

const textureCount = 240

func casesFrom(number int, seed int64) []textureCase {
	var cases []textureCase
	r := newRand(seed)
	special := []float32{float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1)), 1e30, -1e30, 3e9, -3e9, 1e-40, float32(math.Copysign(0, -1))}
	for n := range textureCount {
		t := ptx.Texture{
			Name: "image", Width: []int{1, 2, 5, 16, 33, 64, 500, 2048}[r.Intn(8)], Format: ptx.TexelFormat(n % 8), Channels: []int{1, 2, 4}[n/8%3],
			Address: ptx.TextureAddress(r.Intn(4)), Linear: r.Intn(3) > 0, Normalized: r.Intn(2) == 0, Array: r.Intn(4) > 0,
		}
		if r.Intn(3) > 0 {
			t.Height = []int{1, 2, 7, 32, 40}[r.Intn(5)]
			if !t.Array { // rows of linear memory begin at multiples of 32 bytes
				t.Width = 32 * (1 + r.Intn(8))
			}
		} else if !t.Array {
			t.Linear, t.Normalized = false, false
		}
		integers := !t.Format.IsFloat() && (t.Format.Bytes() == 4 || !t.Linear && r.Intn(2) == 0)
		t.Linear = t.Linear && !integers
		c := textureCase{Texture: t, Result: "f32", Format: ptx.TexelFormatNames[t.Format], Whole: !t.Normalized && !t.Linear && r.Intn(3) == 0 || t.Height == 0 && !t.Array}
		if integers {
			c.Result = map[bool]string{true: "s32", false: "u32"}[t.Format.IsSigned()]
		}
		c.Texels, _ = randomTexels(r, &t, integers)
		for i := range 1024 {
			x, y := axis(r, t.Width), axis(r, max(t.Height, 1))
			if c.Whole {
				c.Coordinates = append(c.Coordinates, [2]uint32{uint32(int32(x)), uint32(int32(y))})
				continue
			}
			if t.Normalized {
				x, y = x/float64(t.Width), y/float64(max(t.Height, 1))
			}
			fx, fy := float32(x), float32(y)
			if i < len(special) {
				fx = special[i]
			} else if i < 2*len(special) {
				fy = special[i-len(special)]
			}
			c.Coordinates = append(c.Coordinates, [2]uint32{math.Float32bits(fx), math.Float32bits(fy)})
		}
		c.Name = fmt.Sprintf("%d: %s x%d, %d x %d, address %s, linear %v, normalized %v, array %v, read %s, whole %v",
			number+n, c.Format, t.Channels, t.Width, t.Height, ptx.TextureAddressNames[t.Address], t.Linear, t.Normalized, t.Array, c.Result, c.Whole)
		cases = append(cases, c)
	}
	return cases
}

// digest is eight digits for the results of a case.
func digest(results [][4]uint32) string {
	h := sha256.New()
	for _, r := range results {
		for _, v := range r {
			h.Write(binary.LittleEndian.AppendUint32(nil, v))
		}
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:4])
}

// otherOnDevice tells whether a case differs from the device: integer coordinates read zeros from a
// one-dimensional array there, here its texels.
func (c *textureCase) otherOnDevice() bool {
	return c.Whole && c.Texture.Array && c.Texture.Height == 0
}

// TestTexturesAsOnTheDevice compares textures with what an H200 made of them, bit by bit.
func TestTexturesAsOnTheDevice(t *testing.T) {
	cases := textureCases()
	for i := range cases {
		c := &cases[i]
		c.Results = fetchAll(t, c.kernel(), c.Texture, c.Texels, c.Coordinates)
	}
	if *writeTextures != "" {
		data, err := json.Marshal(cases)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(*writeTextures, data, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	f, err := os.Open("testdata/textures-h200.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	recorded := map[string]string{}
	for _, row := range rows {
		recorded[row[0]] = row[1]
	}
	for i := range cases {
		c := &cases[i]
		want, got := recorded[c.Name], digest(c.Results)
		if (got == want) == c.otherOnDevice() {
			t.Errorf("%s: %s, the device has %q", c.Name, got, want)
		}
	}
}
