//go:build unix

package verify

import (
	"archive/tar"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestPodman runs one server in a real container, made of nothing but its binary, where
// podman is installed and can run containers.
func TestPodman(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("podman"); err != nil {
		t.Skip("podman is not installed")
	}
	const image = "localhost/mcpgen-verify-test"
	dir := t.TempDir()
	binary := filepath.Join(dir, "server")
	build := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-o", binary, "../examples/pure/pure-mcp")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	root := filepath.Join(dir, "root.tar")
	if err := writeTar(root, "server", binary); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("podman", "import", root, image).CombinedOutput(); err != nil {
		t.Skipf("podman cannot import an image here: %v: %s", err, lastLine(out))
	}
	defer func() { _ = exec.Command("podman", "rmi", "-f", image).Run() }()
	if out, err := exec.Command("podman", "run", "--rm", image, "/server", "--version").CombinedOutput(); err != nil {
		t.Skipf("podman cannot run a container here: %v: %s", err, lastLine(out))
	}
	w := newWorld(t)
	w.o.Env, w.o.Runner = os.Environ(), Podman
	w.app("contained", `{"mcp":{"command":"/server","args":[],"manifest":{"tools":[{"name":"greeting"}]}}}`, compose(image))
	fleetCase{score: pass, class: "ok"}.judge(t, w)
	out, err := exec.Command("podman", "ps", "-a", "--filter", "label="+label+"="+w.o.runID, "-q").Output()
	if err != nil || len(out) > 0 {
		t.Errorf("containers are left: %s %v", out, err)
	}
}

// writeTar writes an archive of one executable.
func writeTar(path, name, file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	w := tar.NewWriter(f)
	if err := w.WriteHeader(&tar.Header{Name: name, Mode: 0o755, Size: int64(len(text))}); err != nil {
		return err
	}
	if _, err := w.Write(text); err != nil {
		return err
	}
	return w.Close()
}

func lastLine(out []byte) string {
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	return lines[len(lines)-1]
}
