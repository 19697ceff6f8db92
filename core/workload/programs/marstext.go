package programs

import (
	"slices"

	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/workload"
)

// wordCount is WC: WordCount of the Mars suite.
var wordCount = definition{
	info: Info{
		Name: "wordcount", Title: "Words counted",
		Doc: "Each thread takes a piece of 2048 characters, counts its words of at least six letters, and lists them as pairs of a hash and a " +
			"place; the pairs are sorted, and equal ones are counted (WC of LATTE-CC). Mars compares words. Data `words` (also named `suite`, which reads a file): words from a " +
			"vocabulary of 2000 by Zipf's law. Nothing is approximated.",
		Sizes: []int{8, 24, 86}, DefaultSize: 86, FullSize: 86, SizeLabel: "kB of text",
		DataModes: []string{"words", Suite},
	},
	aliases: []string{"wc"},
	number:  39, file: "pageview", metric: workload.MetricMissRate, suite: "words",
	size:  sizeRule{min: 1, max: 1024, step: 1},
	build: buildWordCount,
}

// stringMatch is STM: StringMatch of the Mars suite.
var stringMatch = definition{
	info: Info{
		Name: "stringmatch", Title: "Lines that match",
		Doc: "Each thread takes a piece of 1024 characters and compares its lines with a keyword, byte by byte: a first kernel counts the " +
			"lines that equal it, a second one marks them (STM of RFVP). Data `words` (also named `suite`, which reads a file): lines of words from a vocabulary of 2000 by Zipf's law; 3 of " +
			"100 are the keyword.",
		Sizes: []int{64, 256, 512, 16384}, DefaultSize: 512, FullSize: 16384, SizeLabel: "kB of text",
		DataModes: []string{"words", Suite},
	},
	aliases: []string{"stm"},
	number:  41, file: "stringmatch", metric: workload.MetricMissRate, suite: "words",
	loss:  lossOf(workload.LossMismatch),
	size:  sizeRule{min: 1, max: 1 << 15, step: 1},
	build: buildStringMatch,
}

func buildWordCount(r *request) ([]workload.Buffer, []workload.Launch) {
	rnd := r.rand(0)
	words := newVocabulary(&rnd)
	var text []byte
	for len(text) < r.size<<10 {
		text = append(words.line(&rnd, text, 12), '\n')
	}
	for i, c := range text {
		if c >= 'a' { // bytes.ToUpper would bring the tables of Unicode into the page's engine
			text[i] = c - 'a' + 'A'
		}
	}
	found, length := 0, 0
	for _, c := range text {
		length++
		if c < 'A' || c > 'Z' {
			length = 0
		}
		if length == 6 { // WORD_LEAST of pageview.cu
			found++
		}
	}
	pairs := 2
	for pairs < found {
		pairs *= 2
	}
	// A piece ends after the letters that follow its 2048 characters.
	piece := cut(text, 2048, func(c byte) bool { return c < 'A' || c > 'Z' })
	count := len(piece) - 1
	buffers := []workload.Buffer{
		u8("d_text", len(text), text),
		s32("d_pieces", count+1, piece),
		s32("d_pairs", 2*pairs, slices.Repeat([]int32{-1}, 2*pairs)).AsOutput(), // pairs that stay so are sorted to the end
		s32("d_counts", count, nil),
		s32("d_places", count, nil),
		s32("d_words", found, nil).AsOutput(),
	}
	launches := []workload.Launch{
		over("pageview_count_words", count, pageViewThreads, args{0, 1, 3}, count),
		over("pageview_place_words", 1, 32, args{3, 4}, count),
		over("pageview_map_words", count, pageViewThreads, args{0, 1, 4, 2}, count),
	}
	launches = append(launches, sortLaunches(pairs)...)
	return buffers, append(launches, over("pageview_reduce", found, pageViewThreads, args{2, 5}, found))
}

func buildStringMatch(r *request) ([]workload.Buffer, []workload.Launch) {
	rnd := r.rand(0)
	words := newVocabulary(&rnd)
	keyword := words.word[300]
	var text []byte
	for len(text) < r.size<<10 {
		if rnd.Intn(100) < 3 {
			text = append(text, keyword...)
		} else {
			text = words.line(&rnd, text, 1+rnd.Intn(8))
		}
		text = append(text, '\n')
	}
	piece := cut(text, 1024, func(c byte) bool { return c == '\n' })
	count := len(piece) - 1
	buffers := []workload.Buffer{
		u8("d_filebuf", len(text), text).AsSafe(),
		u8("d_keyword", len(keyword), keyword),
		s32("d_pieces", count+1, piece),
		s32("d_counts", count, nil).AsOutput(),
		u8("d_hits", len(text), nil).AsOutput(),
	}
	return buffers, []workload.Launch{
		over("match_count", count, marsThreads, args{0, 1, 2, 3}, count, len(keyword)),
		over("match_mark", count, marsThreads, args{0, 1, 2, 4}, count, len(keyword)),
	}
}

// cut returns where pieces of a text begin and the last one ends: a piece has the given
// size and goes on up to a character that ends it.
func cut(text []byte, size int, ends func(byte) bool) []int32 {
	pieces := []int32{0}
	for at := 0; at < len(text); {
		at = min(at+size, len(text)-1)
		for !ends(text[at]) {
			at++
		}
		at++
		pieces = append(pieces, int32(at))
	}
	return pieces
}

// vocabulary has words by falling frequency: the k-th has 1/k of the first one's share.
type vocabulary struct {
	word       [][]byte
	cumulative []float64
}

// newVocabulary makes 2000 words of one to three syllables, the frequent ones short, and
// gives half of the long ones an ending.
func newVocabulary(rnd *sim.Rand) *vocabulary {
	endings := [...]string{"", "", "", "s", "ed", "ing", "tion"}
	v := &vocabulary{}
	sum := 0.0
	for k := range 2000 {
		var word []byte
		for rest := k; rest > 0 || len(word) == 0; rest /= len(syllables) {
			word = append(word, syllables[rest%len(syllables)]...)
		}
		if k >= 100 {
			word = append(word, endings[rnd.Intn(len(endings))]...)
		}
		sum += 1 / float64(k+1)
		v.word, v.cumulative = append(v.word, word), append(v.cumulative, sum)
	}
	return v
}

// line appends words with spaces between them.
func (v *vocabulary) line(rnd *sim.Rand, text []byte, words int) []byte {
	last := len(v.cumulative) - 1
	for i := range words {
		if i > 0 {
			text = append(text, ' ')
		}
		k, _ := slices.BinarySearch(v.cumulative, float64(rnd.Float64()*v.cumulative[last]))
		text = append(text, v.word[min(k, last)]...)
	}
	return text
}
