package e2e

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math/rand/v2"
	"strings"
	"testing"
)

// largeModule is BDI's module with a section of noise, which no link can hold.
func largeModule(t *testing.T) []byte {
	t.Helper()
	const size = 210_000
	noise := make([]byte, size)
	random := rand.New(rand.NewPCG(1, 2))
	for i := range noise {
		noise[i] = byte(random.Uint32())
	}
	section := append([]byte{5, 'n', 'o', 'i', 's', 'e'}, noise...)
	b := append(bdiModule(t), 0) // a custom section
	b = binary.AppendUvarint(b, uint64(len(section)))
	return append(b, section...)
}

// TestLinkNamesALargeModule: a link that cannot hold a module names its hash. Who opens it learns which file is
// missing; dropped there, it becomes the codec of the side of the link, with the same result.
func TestLinkNamesALargeModule(t *testing.T) {
	t.Parallel()
	findBrowser(t)
	server := serve(t)
	module := largeModule(t)
	sum := sha256.Sum256(module)
	hash := hex.EncodeToString(sum[:])[:16]
	p := open(t, server.URL+"/#v=1&picture=plain&s=dct&workload.size=128&A.memory.codec=bdi&B.memory.approximation=none&B.memory.codec=bdi")
	p.finish()
	p.drop("large.wasm", module)
	p.wait("S.run === 2")
	p.finish()
	p.wait(`location.hash.includes("B.module=` + hash + `")`)
	// As the codec of side A, so that the side is seen to be that of the link.
	link := strings.NewReplacer("B.module=", "A.module=", "A.memory.codec=bdi", "A.memory.codec=plugin", "B.memory.codec=plugin", "B.memory.codec=bdi").
		Replace(eval[string](p, "location.hash"))
	native := p.state().ResultHashes["B"]

	q := open(t, server.URL+"/"+link)
	q.wait(`S.error !== null`) // there is no result without the module
	said := ""
	for _, m := range q.state().Messages {
		said += m.String() + "\n"
	}
	if !strings.Contains(said, "the codec of A is too large for a link; drop the module with SHA-256 "+hash+"… here, or open the scenario file that holds it") {
		t.Errorf("the page says %q", said)
	}
	q.drop("large.wasm", module)
	q.wait(`S.error === null && S.phase === "done"`)
	after := q.finish()
	if got := after.ResultHashes["A"]; got != native {
		t.Errorf("dropped at the link it has %s, want %s", got, native)
	}
}
