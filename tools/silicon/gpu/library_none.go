//go:build nogpu || !(linux || windows) || !(amd64 || arm64)

package gpu

import "errors"

const defaultLibrary = ""

func openLibrary(string) (binder, error) { return nil, errors.ErrUnsupported }
