package forms

import (
	"testing"

	"github.com/burstscope/burstscope/core/ptx/compile"
)

func TestAllRun(t *testing.T) {
	total, cases := 0, 0
	for _, g := range Catalog() {
		for i := range g.Forms {
			f := &g.Forms[i]
			m, err := compile.Load("forms.ptx", Module(g.Forms[i:i+1]))
			if err != nil {
				t.Errorf("%s: %v", f.Text, err)
				continue
			}
			if _, err := f.Simulate(m, 0, f.Operands()); err != nil {
				t.Errorf("%s: %v", f.Text, err)
				continue
			}
			total++
			cases += f.Cases()
		}
		t.Logf("%s: %d", g.Name, len(g.Forms))
	}
	t.Logf("%d forms, %d cases", total, cases)
}
