package account

import (
	"testing"

	"github.com/burstscope/burstscope/core/dram"
	"github.com/burstscope/burstscope/core/energy"
	"github.com/burstscope/burstscope/core/machine/preset"
	"github.com/burstscope/burstscope/core/stat"
)

// TestRefreshEnergy: banks refreshed in turn take the energy of one refresh of
// all of them.
func TestRefreshEnergy(t *testing.T) {
	s, err := preset.GPU("a100")
	if err != nil {
		t.Fatal(err)
	}
	part := func(refreshes uint64, mode dram.RefreshMode) uint64 {
		var c stat.Set
		c[stat.Refreshes] = refreshes
		s.DRAM.Refresh = mode
		for _, p := range Of(s, &c, nil, 0, 1000, energy.Codec{}, nil).Parts {
			if p.Name == "dramRefresh" {
				return p.Femtojoules
			}
		}
		return 0
	}
	all, turn := part(1, dram.RefreshAllBanks), part(uint64(s.DRAM.Banks), dram.RefreshPerBank)
	if all == 0 || turn > all || all-turn > uint64(s.DRAM.Banks) {
		t.Errorf("all banks at once take %d fJ, in turn %d", all, turn)
	}
}
