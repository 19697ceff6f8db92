//go:build !linux

package mem

// HugePages does nothing here: see hugepages_linux.go.
func HugePages() {}
