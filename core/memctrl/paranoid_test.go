package memctrl

import (
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/codec/bdi"
	"github.com/burstscope/burstscope/core/codec/bpc"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/stat"
)

func lossless(t *testing.T, c interface {
	codec.Codec
	codec.Sizer
}) codec.Lossless {
	l, err := codec.NewLossless(c, 32)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// smooth is a block that compresses: small steps from a base.
func smooth(i int) *mem.Line {
	var l mem.Line
	for k := range l {
		if k%4 == 0 {
			l[k] = byte(i*3 + k/4)
		}
	}
	return &l
}

// smoothTraffic writes and reads blocks that compress, with gaps.
func smoothTraffic(r *rig) {
	for i := range 200 {
		a := base + uint64(i%40)*128
		if i%3 == 0 {
			r.slice[0].script = append(r.slice[0].script, writeOf(a, smooth(i)))
		} else {
			r.slice[0].script = append(r.slice[0].script, readOf(a, i))
		}
	}
}

// Every read decodes the encoded bits of real codecs.
func TestParanoidDecodesWhatWasEncoded(t *testing.T) {
	for _, scheme := range []codec.Scheme{lossless(t, bdi.New(bdi.Params{})), lossless(t, bpc.Codec{})} {
		cfg := testConfig(t, 1, sameClock, scheme)
		cfg.Paranoid = true
		r := newRig(t, cfg, rigBytes)
		smoothTraffic(r)
		r.run(20000)
		r.laws(cfg)
		if r.stats[stat.BlocksReadLossless] == 0 || len(r.control.storage.(*DeviceMemory).proof.encoded[0].page) == 0 {
			t.Errorf("%s: nothing was encoded", scheme.Name())
		}
	}
}

// liar is a codec that loses a bit; its sizes are right.
type liar struct{ codec.Lossless }

func (l liar) Decode(dst *mem.Line, src *codec.Block, bits int) error {
	err := l.Lossless.Decode(dst, src, bits)
	dst[7] ^= 1
	return err
}

// grower encodes a block in more bits than it reports.
type grower struct{ codec.Lossless }

func (g grower) Encode(dst *codec.Block, src *mem.Line) int { return g.Lossless.Encode(dst, src) + 1 }

func TestParanoidFindsLiars(t *testing.T) {
	good := lossless(t, bdi.New(bdi.Params{}))
	for want, scheme := range map[string]codec.Scheme{"do not decode": liar{good}, "encoded in": grower{good}} {
		cfg := testConfig(t, 1, sameClock, scheme)
		cfg.Paranoid = true
		r := newRig(t, cfg, rigBytes)
		smoothTraffic(r)
		func() {
			defer func() {
				if e := recover(); e == nil || !strings.Contains(e.(string), want) {
					t.Errorf("want a panic that says %q, got %v", want, e)
				}
			}()
			r.run(20000)
		}()
	}
}
