package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"path"
	"time"

	digest "github.com/opencontainers/go-digest"
	specs "github.com/opencontainers/image-spec/specs-go"
	oci "github.com/opencontainers/image-spec/specs-go/v1"
)

// machineImage is what an image holds on one machine.
type machineImage struct {
	arch  string
	files []entry
}

// imageOf is an OCI image layout (specification of OCI images, image layout) as entries of a tar file. Its index
// names one image for each machine; each has one layer with the machine's files.
func imageOf(version string, machines []machineImage, at time.Time) ([]entry, error) {
	l := layout{at: at, known: map[digest.Digest]bool{}}
	index := oci.Index{Versioned: specs.Versioned{SchemaVersion: 2}, MediaType: oci.MediaTypeImageIndex}
	for _, m := range machines {
		d, err := l.image(version, m)
		if err != nil {
			return nil, err
		}
		index.Manifests = append(index.Manifests, d)
	}
	// The layout's index names the image's index by its version, which programs that copy images look for.
	all, err := l.object(oci.MediaTypeImageIndex, index)
	if err != nil {
		return nil, err
	}
	all.Annotations = map[string]string{oci.AnnotationRefName: version}
	outer := oci.Index{
		Versioned: specs.Versioned{SchemaVersion: 2}, MediaType: oci.MediaTypeImageIndex, Manifests: []oci.Descriptor{all},
	}
	for name, v := range map[string]any{
		oci.ImageIndexFile:  outer,
		oci.ImageLayoutFile: oci.ImageLayout{Version: oci.ImageLayoutVersion},
	} {
		text, err := json.Marshal(v)
		if err != nil {
			return nil, err
		}
		l.files = append(l.files, entry{name, plain, text})
	}
	return l.files, nil
}

// layout collects the blobs of a layout.
type layout struct {
	at    time.Time
	files []entry
	known map[digest.Digest]bool
}

// image adds the layer, configuration and manifest of one machine.
func (l *layout) image(version string, m machineImage) (oci.Descriptor, error) {
	var raw bytes.Buffer
	if err := writeTar(&raw, m.files, l.at); err != nil {
		return oci.Descriptor{}, err
	}
	packed, err := packTarGz(m.files, l.at)
	if err != nil {
		return oci.Descriptor{}, err
	}
	layer := l.blob(oci.MediaTypeImageLayerGzip, packed)
	at := l.at.UTC()
	platform := oci.Platform{OS: "linux", Architecture: m.arch}
	config, err := l.object(oci.MediaTypeImageConfig, oci.Image{
		Created:  &at,
		Platform: platform,
		Config: oci.ImageConfig{
			Entrypoint: []string{"/" + imageProgram},
			Cmd:        []string{"help"},
			// serve finds the page, and listens where a published port of the container arrives.
			Env:          []string{"BURSTSCOPE_SITE=/" + imageSite, "BURSTSCOPE_HOST=0.0.0.0"},
			ExposedPorts: map[string]struct{}{"8080/tcp": {}},
			WorkingDir:   "/work",
			// Nobody, of every Linux: neither the command nor the server needs rights.
			User: "65534:65534",
			Labels: map[string]string{
				oci.AnnotationTitle: "burstscope", oci.AnnotationVersion: version, oci.AnnotationLicenses: "Apache-2.0",
			},
		},
		RootFS:  oci.RootFS{Type: "layers", DiffIDs: []digest.Digest{digest.FromBytes(raw.Bytes())}},
		History: []oci.History{{Created: &at, CreatedBy: "burstscope " + version}},
	})
	if err != nil {
		return oci.Descriptor{}, err
	}
	d, err := l.object(oci.MediaTypeImageManifest, oci.Manifest{
		Versioned: specs.Versioned{SchemaVersion: 2}, MediaType: oci.MediaTypeImageManifest,
		Config: config, Layers: []oci.Descriptor{layer},
	})
	d.Platform = &platform
	return d, err
}

const (
	imageProgram = "usr/bin/burstscope"
	imageSite    = "usr/share/burstscope/site"
)

func (l *layout) object(kind string, v any) (oci.Descriptor, error) {
	text, err := json.Marshal(v)
	return l.blob(kind, text), err
}

func (l *layout) blob(kind string, data []byte) oci.Descriptor {
	sum := sha256.Sum256(data)
	d := digest.NewDigestFromEncoded(digest.SHA256, hex.EncodeToString(sum[:]))
	if !l.known[d] {
		l.known[d] = true
		l.files = append(l.files, entry{path.Join(oci.ImageBlobsDir, "sha256", d.Encoded()), plain, data})
	}
	return oci.Descriptor{MediaType: kind, Digest: d, Size: int64(len(data))}
}
