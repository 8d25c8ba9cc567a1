package pool

import (
	"os"
	"path/filepath"
	"strings"
)

// libraryPath returns the folders of an installation's shared libraries, without which
// compiled pools do not start (pool-protocol-next.md 1.3). The installation is where the
// upstream runtime lies, or what MORLOC_HOME names.
func libraryPath(env []string) []string {
	prefix := ""
	if nexus := findInPath("morloc-nexus", env); nexus != "" {
		prefix = filepath.Dir(filepath.Dir(nexus))
	} else {
		prefix = variable(env, "MORLOC_HOME")
	}
	var dirs []string
	if prefix != "" {
		dirs = append(dirs, filepath.Join(prefix, "lib"), filepath.Join(prefix, "share", "morloc", "lib"),
			filepath.Join(prefix, "modules", "lib"))
	}
	if state := variable(env, "MORLOC_STATE"); state != "" {
		dirs = append(dirs, filepath.Join(state, "modules", "lib"))
	}
	return dirs
}

// findInPath returns the path of a program without symbolic links, "" if there is none.
func findInPath(name string, env []string) string {
	for _, dir := range filepath.SplitList(variable(env, "PATH")) {
		path := filepath.Join(dir, name)
		if info, err := os.Stat(path); err == nil && filepath.IsAbs(dir) && info.Mode().IsRegular() {
			if real, err := filepath.EvalSymlinks(path); err == nil {
				return real
			}
		}
	}
	return ""
}

// variable returns the last value of a variable, "" if it has none.
func variable(env []string, name string) (value string) {
	for _, entry := range env {
		if v, ok := strings.CutPrefix(entry, name+"="); ok {
			value = v
		}
	}
	return value
}

// appendLibraries returns an environment whose LD_LIBRARY_PATH ends in folders.
func appendLibraries(env, dirs []string) []string {
	const name = "LD_LIBRARY_PATH"
	list := append(filepath.SplitList(variable(env, name)), dirs...)
	if len(list) == 0 {
		return env
	}
	kept := make([]string, 0, len(env)+1)
	for _, entry := range env {
		if !strings.HasPrefix(entry, name+"=") {
			kept = append(kept, entry)
		}
	}
	return append(kept, name+"="+strings.Join(list, string(filepath.ListSeparator)))
}
