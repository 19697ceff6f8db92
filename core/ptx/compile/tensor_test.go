package compile

import (
	"strings"
	"testing"
)

// TestIllegalTensorForms is TestIllegalForms for copies with tensor maps.
func TestIllegalTensorForms(t *testing.T) {
	for _, form := range [][2]string{
		{"cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%rd0, {%r0}], [%r1];",
			"want the map and 2 coordinates"},
		{"cp.async.bulk.tensor.global.shared::cta.bulk_group [%rd0, {%r0}], [%r1];",
			"want the dimensions: .1d to .5d"},
		{"cp.async.bulk.tensor.2d.im2col_no_offs.global.shared::cta.bulk_group [%rd0, {%r0, %r1}], [%r1];",
			"an im2col map has 3 to 5 dimensions"},
		{"cp.async.bulk.tensor.1d.global.shared::cta.bulk_group [%rd0, {%f0}], [%r1];",
			"%f0 is a .f32 register"},
		{"cp.reduce.async.bulk.tensor.1d.global.shared::cta.exch.bulk_group [%rd0, {%r0}], [%r1];",
			"unsupported instruction"},
		{"tensormap.replace.tile.box_dim.global.b1024.b32 [%rd1], 5, %r0;",
			"a constant from 0 to 4"},
		{"tensormap.replace.tile.elemtype.global.b1024.b32 [%rd1], 13;",
			"a constant from 0 to 12"},
		{"tensormap.replace.tile.width.global.b1024.b32 [%rd1], 5;",
			"want a field: .global_address"},
		{"tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%rd1], [%r1], 64;",
			"want the size of a tensor map, 128 bytes"},
	} {
		_, err := Load("form.ptx", []byte(formOf(form[0])))
		if err == nil || !strings.HasPrefix(err.Error(), "form.ptx:7:") || !strings.Contains(err.Error(), form[1]) {
			t.Errorf("%s: %v, want %q", form[0], err, form[1])
		}
	}
}
