package main

import (
	"archive/tar"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// fetch fetches every package that is not there yet.
func fetch(folder string) error {
	sources, _, err := lists(os.DirFS(dataFolder))
	if err != nil {
		return err
	}
	for i := range sources {
		s := &sources[i]
		if exists(packageFolder(folder, s)) {
			continue
		}
		if err := s.fetch(folder); err != nil {
			return fmt.Errorf("%s %s: %w", s.Package, s.Version, err)
		}
		fmt.Println(s.Package, s.Version)
	}
	return nil
}

// fetch fetches a package with the client of its registry, checks it and unpacks it.
func (s *source) fetch(folder string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	at, err := os.MkdirTemp(folder, "fetched")
	if err != nil {
		return err
	}
	defer os.RemoveAll(at)
	var client *exec.Cmd
	switch s.Registry {
	case "npm":
		client = exec.Command("npm", "pack", "--silent", s.Package+"@"+s.Version)
	case "debian":
		client = exec.Command("apt-get", "download", "-qq", s.Package+"="+s.Version)
	default:
		return fmt.Errorf("registry %q: want npm or debian", s.Registry)
	}
	client.Dir = at
	if out, err := client.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", client, err, out)
	}
	found, err := filepath.Glob(filepath.Join(at, "*"))
	if err != nil || len(found) != 1 {
		return fmt.Errorf("%s left %d files: want one", client, len(found))
	}
	if err := checked(found[0], s.SHA256); err != nil {
		return err
	}
	to := filepath.Join(at, "unpacked")
	if s.Registry == "debian" {
		if out, err := exec.Command("dpkg-deb", "-x", found[0], to).CombinedOutput(); err != nil {
			return fmt.Errorf("dpkg-deb: %w: %s", err, out)
		}
	} else if err := unpack(found[0], to); err != nil {
		return err
	}
	return os.Rename(to, packageFolder(folder, s))
}

// checked compares the SHA-256 of a file.
func checked(path, want string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return err
	}
	if got := hex.EncodeToString(h.Sum(nil)); got != want {
		return fmt.Errorf("its SHA-256 is %s, and %s says %s: the registry serves another file", got, packagesCSV, want)
	}
	return nil
}

// unpack unpacks a package of npm, whose files lie in a folder "package".
func unpack(path, to string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return err
	}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		_, name, inside := strings.Cut(h.Name, "/")
		if h.Typeflag != tar.TypeReg || !inside {
			continue
		}
		if !filepath.IsLocal(name) {
			return fmt.Errorf("%q lies outside the package", h.Name)
		}
		if err := writeFile(filepath.Join(to, filepath.FromSlash(name)), r); err != nil {
			return err
		}
	}
}

func writeFile(path string, from io.Reader) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, from)
	return errors.Join(err, f.Close())
}
