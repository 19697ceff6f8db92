package static

import (
	"io"
	"net"
	"strings"
	"testing"
)

// TestTakenPort: a second copy of the server finds a port of its own.
func TestTakenPort(t *testing.T) {
	first, err := listen("127.0.0.1", 0)
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	port := first.Addr().(*net.TCPAddr).Port
	second, err := listen("127.0.0.1", port)
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()
	if got := second.Addr().(*net.TCPAddr).Port; got == port {
		t.Errorf("both on port %d", got)
	}
}

func TestNothingBuilt(t *testing.T) {
	if err := Serve(Options{Dir: t.TempDir(), Out: io.Discard}); err == nil {
		t.Error("served an empty folder")
	}
}

// A server that listens at every address prints one that a browser opens.
func TestAddressToOpen(t *testing.T) {
	for _, c := range []struct{ host, want string }{{"0.0.0.0", "127.0.0.1:"}, {"127.0.0.1", "127.0.0.1:"}} {
		l, err := listen(c.host, 0)
		if err != nil {
			t.Fatal(err)
		}
		if got := visible(l.Addr()); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s is shown as %s", c.host, got)
		}
		l.Close()
	}
}
