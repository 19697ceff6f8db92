package main

import (
	"strings"
	"testing"
)

// The newest release is that of the highest number, for this machine, and no beta.
func TestNewestOf(t *testing.T) {
	t.Parallel()
	list := strings.Fields(`v0.0.1-go1.9.2rc2.linux-amd64 v0.0.1-go1.26.8.linux-amd64 v0.0.1-go1.26.11.linux-amd64 v0.0.1-go1.27.2.linux-amd64
		v0.0.1-go1.27.3.linux-arm64 v0.0.1-go1.28rc1.linux-amd64 v0.0.1-go1.28beta1.linux-amd64 v0.0.1-nonsense.linux-amd64 v0.0.1-go1.99.plan9-amd64`)
	for machine, want := range map[[2]string]string{
		{"linux", "amd64"}: "go1.27.2", {"linux", "arm64"}: "go1.27.3", {"plan9", "amd64"}: "go1.99", {"linux", "mips"}: "",
	} {
		if got := newestOf(list, machine[0], machine[1]); got != want {
			t.Errorf("%v: %q, not %q", machine, got, want)
		}
	}
	if got := newestOf(strings.Fields("v0.0.1-go1.27.9.linux-amd64 v0.0.1-go1.27.10.linux-amd64 v0.0.1-go1.27.linux-amd64"), "linux", "amd64"); got != "go1.27.10" {
		t.Error(got)
	}
}

// Without a network the check of the newest Go says so in one line and is no fault.
func TestNewestGoWithoutNetwork(t *testing.T) {
	t.Setenv("GOPROXY", "off")
	t.Setenv("GOFLAGS", "-mod=mod")
	var said strings.Builder
	if err := tryNewest("../..", &said); err != nil {
		t.Fatal(err)
	}
	if text := said.String(); !strings.HasPrefix(text, "--- SKIP: the newest Go was not tried, because the module proxy does not say") || strings.Count(text, "\n") != 1 {
		t.Error(text)
	}
}
