package main

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// A kit holds what is measured: files, built when they are first asked for, and servers
// that run, started likewise. Not for concurrent use.
type kit struct {
	dir      string        // temporary
	slice    time.Duration // see options
	peers    bool          // there may be libraries of others
	terminal bool          // standard error is one

	files    map[string]string // built, by what they are
	stdio    map[string]*stdioServer
	web      map[string]*webServer
	closers  []func()
	versions map[string]string // of libraries
	absent   []string          // servers that are left out, and why
	isAbsent map[string]bool
}

func newKit(dir string, o options) *kit {
	info, err := os.Stderr.Stat()
	return &kit{
		dir: dir, slice: o.slice, peers: o.peers, terminal: err == nil && info.Mode()&os.ModeCharDevice != 0,
		files: map[string]string{}, stdio: map[string]*stdioServer{}, web: map[string]*webServer{},
		versions: map[string]string{}, isAbsent: map[string]bool{},
	}
}

// close ends all servers.
func (k *kit) close() {
	for _, s := range k.stdio {
		_ = s.end()
	}
	for _, s := range k.web {
		s.stop()
	}
	for _, f := range k.closers {
		f()
	}
}

// stdioServer returns the server that was started with a command line.
func (k *kit) stdioServer(argv []string) (*stdioServer, error) {
	key := strings.Join(argv, " ")
	if k.stdio[key] == nil {
		s, err := launchReady(argv)
		if err != nil {
			return nil, err
		}
		k.stdio[key] = s
	}
	return k.stdio[key], nil
}

// webServer is the same over HTTP.
func (k *kit) webServer(argv []string) (*webServer, error) {
	key := strings.Join(argv, " ")
	if k.web[key] == nil {
		s, err := serve(argv)
		if err != nil {
			return nil, err
		}
		k.web[key] = s
	}
	return k.web[key], nil
}

// file returns the file of that name in the temporary folder, made when first asked for.
func (k *kit) file(name string, build func(file string) error) (string, error) {
	if k.files[name] == "" {
		file := filepath.Join(k.dir, name)
		if err := build(file); err != nil {
			return "", err
		}
		k.files[name] = file
	}
	return k.files[name], nil
}

// program returns the binary of a command of this repository, built with tags.
func (k *kit) program(folder string, tags ...string) (string, error) {
	name := strings.Join(append([]string{filepath.Base(folder)}, tags...), "-")
	return k.file(name, func(file string) error {
		return execute("", "go", "build", "-tags="+strings.Join(tags, ","), "-trimpath", "-ldflags=-s -w", "-o", file, "./"+folder)
	})
}

// server returns the server that mcpgen builds of a program with the benchmark's pool.
func (k *kit) server(name, transports string, commands []command) (string, error) {
	mcpgen, err := k.program("cmd/mcpgen")
	if err != nil {
		return "", err
	}
	manifest, err := k.file(filepath.Join(name+"-build", "manifest.json"), func(string) error {
		_, err := writeManifest(k.dir, name, commands)
		return errors.Join(err, k.putPool(filepath.Join(k.dir, name+"-build")))
	})
	if err != nil {
		return "", err
	}
	return k.file(name+"-"+transports, func(file string) error {
		return execute("", mcpgen, "build", "--transports", transports, "-o", file, manifest)
	})
}

// putPool puts the pool where the programs have it.
func (k *kit) putPool(dir string) error {
	pool, err := k.program("bench/pool")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(dir, "pools", "go"), 0o777); err != nil {
		return err
	}
	return os.Symlink(pool, filepath.Join(dir, "pools", "go", "pool"))
}

// pool starts the pool by itself, as a server would, and returns its socket. There is one
// for all that ask.
func (k *kit) pool() (socket string, err error) {
	return k.file("pipe-go", func(socket string) error {
		pool, err := k.program("bench/pool")
		if err != nil {
			return err
		}
		cmd := exec.Command(pool, socket, k.dir, "bench")
		cmd.Stderr = os.Stderr
		if err := cmd.Start(); err != nil {
			return err
		}
		k.closers = append(k.closers, func() { stop(cmd) })
		for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(time.Millisecond) {
			c, err := net.Dial("unix", socket)
			if err == nil {
				return c.Close()
			}
			if time.Now().After(deadline) {
				return err
			}
		}
	})
}

// execute runs a command in a folder. The error holds what it printed.
func execute(dir string, argv ...string) error {
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s %s: %w\n%s", filepath.Base(argv[0]), argv[1], err, bytes.TrimSpace(out))
	}
	return nil
}
