//go:build fetched

package kernels

import "errors"

func embedded(string) (ptx, cuda string, err error) {
	return "", "", errors.New("kernels: Fetch is not set, and this program is built without texts")
}
