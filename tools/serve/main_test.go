package main

import (
	"net"
	"testing"
)

// TestTakenPort: a second copy of the server finds a port of its own.
func TestTakenPort(t *testing.T) {
	first, err := listen(0)
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	port := first.Addr().(*net.TCPAddr).Port
	second, err := listen(port)
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()
	if got := second.Addr().(*net.TCPAddr).Port; got == port {
		t.Errorf("both on port %d", got)
	}
}

func TestNothingBuilt(t *testing.T) {
	if err := serve(t.TempDir(), "/", 0, false); err == nil {
		t.Error("served an empty folder")
	}
}
