package api

import (
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"
)

// Limits of a request.
const (
	maxPathBytes  = 256
	maxQueryBytes = 2048
	// MaxBodyBytes is the size of the largest shared scenario, with its image or program. A
	// Worker has 128 MB for all requests that it answers at a time; a request takes about six
	// times the size of its body.
	MaxBodyBytes = 4 << 20
	// mostDroppedBytes bounds how much of a body that is too long is read and dropped.
	mostDroppedBytes = 3 * MaxBodyBytes
)

// checkAddress refuses addresses that cannot be links of this site. Paths here consist of
// letters, digits and four signs; other characters, plain or escaped, are a mistake or an
// attack.
func checkAddress(u *url.URL) *reply {
	path := u.EscapedPath()
	if len(path) > maxPathBytes {
		return problem(http.StatusRequestURITooLong, fmt.Sprintf("the path has %d bytes", len(path)), "path", fmt.Sprintf("at most %d are read", maxPathBytes))
	}
	if len(u.RawQuery) > maxQueryBytes {
		return problem(http.StatusRequestURITooLong, fmt.Sprintf("the query has %d bytes", len(u.RawQuery)), "query", fmt.Sprintf("at most %d are read", maxQueryBytes))
	}
	for i := range len(path) {
		c := path[i]
		letter := c|0x20 >= 'a' && c|0x20 <= 'z'
		if !letter && (c < '0' || c > '9') && !strings.ContainsRune("/-_.", rune(c)) {
			return problem(http.StatusBadRequest, fmt.Sprintf("the path holds %q", string(rune(c))), path, "an address here has letters, digits, - and _ between its slashes")
		}
	}
	if strings.Contains(path, "..") || strings.Contains(path, "//") {
		return problem(http.StatusBadRequest, "the path goes up, or has two slashes in a row", path, "write the address as it was given")
	}
	return nil
}

// readBody reads the body of a POST into memory, or returns a refusal.
func readBody(r *http.Request) ([]byte, *reply) {
	if coding := headerValue(r, "Content-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") {
		a := problem(http.StatusUnsupportedMediaType, "the body is compressed as "+clip(coding), "Content-Encoding", "send it uncompressed; a packed scenario is small")
		a.header.Set("Accept-Encoding", "identity")
		return nil, a
	}
	if r.ContentLength > MaxBodyBytes {
		return nil, tooLarge(fmt.Sprintf("the body has %d bytes", r.ContentLength))
	}
	// Reading one byte more than allowed shows whether the body is too long. The announced
	// length is only used to size the buffer.
	body := make([]byte, 0, min(max(r.ContentLength, 0), MaxBodyBytes)+1)
	limited := io.LimitReader(r.Body, MaxBodyBytes+1)
	for {
		if len(body) == cap(body) {
			grown := make([]byte, len(body), min(2*cap(body)+4096, MaxBodyBytes+1))
			copy(grown, body)
			body = grown
		}
		n, err := limited.Read(body[len(body):cap(body)])
		body = body[:len(body)+n]
		if len(body) > MaxBodyBytes {
			// The rest of the body is read and dropped, up to mostDroppedBytes: some hosts can
			// answer only after that.
			_, _ = io.Copy(io.Discard, io.LimitReader(r.Body, mostDroppedBytes))
			return nil, tooLarge(fmt.Sprintf("the body has more than %d bytes", MaxBodyBytes))
		}
		if err == io.EOF {
			return body, nil
		}
		if err != nil {
			return nil, problem(http.StatusBadRequest, "the body broke off", fmt.Sprintf("byte %d", len(body)), "send it again")
		}
	}
}

func tooLarge(detail string) *reply {
	return problem(http.StatusRequestEntityTooLarge, detail, "body", fmt.Sprintf("at most %d are kept; make the image or the buffers smaller, or keep the scenario as a file", MaxBodyBytes))
}

// headerValue joins all header fields of a name, because some hosts pass them one by
// one.
func headerValue(r *http.Request, name string) string {
	return strings.Join(r.Header.Values(name), ",")
}

// mediaType is the type of the body without its parameters.
func mediaType(r *http.Request) string {
	kind, _, err := mime.ParseMediaType(headerValue(r, "Content-Type"))
	if err != nil {
		return ""
	}
	return kind
}

// origin is the origin of the site as the client sees it, such as https://example.org.
func origin(r *http.Request) string {
	if r.URL.Host != "" {
		return r.URL.Scheme + "://" + r.URL.Host
	}
	if r.TLS != nil {
		return "https://" + r.Host
	}
	return "http://" + r.Host
}
