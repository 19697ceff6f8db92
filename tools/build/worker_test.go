package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A site of files says that it keeps no scenarios, and the Worker's upload leaves
// that word and every compressed form out.
func TestHostFiles(t *testing.T) {
	dist := t.TempDir()
	if err := writeHostFiles(dist); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(dist, "store.json"))
	var store map[string]string
	if err != nil || json.Unmarshal(data, &store) != nil || len(store) != 1 || store["scenarios"] != "" {
		t.Errorf("store.json: %s, %v", data, err)
	}
	ignored, err := os.ReadFile(filepath.Join(dist, ".assetsignore"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"store.json", "*.br", "*.gz", kept} {
		if !strings.Contains(string(ignored), name+"\n") {
			t.Errorf("%s would be uploaded", name)
		}
	}
}

func TestWorkerBudget(t *testing.T) {
	if err := checkWorker(workerBudgetBytes); err != nil {
		t.Error(err)
	}
	if err := checkWorker(workerBudgetBytes + 1); err == nil || !strings.Contains(err.Error(), "the Worker takes 3145.7 kB") {
		t.Errorf("%v", err)
	}
}
