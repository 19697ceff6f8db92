package main

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
)

// writeWheel lets the Python package's own backend write a wheel that holds the command, so that a wheel of a release
// and one of a checkout come from one place.
func writeWheel(root, out, binary string, t target) (string, error) {
	python, err := exec.LookPath("python3")
	if err != nil {
		return "", fmt.Errorf("wheels: python3 is missing; install it, for example with apt install python3")
	}
	const call = `import sys, wheel
print(wheel.build_wheel(sys.argv[1], {"program": sys.argv[2], "platform": sys.argv[3]}))`
	c := exec.Command(python, "-I", "-c", "import sys; sys.path.insert(0, sys.argv.pop(1))\n"+call,
		filepath.Join(root, "tools", "python", "build_backend"), out, binary, t.wheel)
	said, err := c.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("wheel for %s: %w\n%s", t, err, said)
	}
	return strings.TrimSpace(string(said)), nil
}
