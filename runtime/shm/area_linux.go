package shm

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// home is where shared memory lies.
const home = "/dev/shm"

// An Area is the shared memory of one set of pools. It is not safe for concurrent use.
type Area struct {
	scheme   *Scheme
	basename string
	dirs     []string       // where files may be, the likeliest first
	first    *os.File       // first volume; its lock tells others that the set lives. Nil if pools make it
	mapped   map[int][]byte // whole files by volume index
}

// Create makes the first volume of a set before its pools start, if the scheme says so. If
// the system has no /dev/shm, volumes are files in the folder fallback, where pools put them
// too if they must.
func (s *Scheme) Create(basename, fallback string) (*Area, error) {
	return s.create(home, basename, fallback)
}

func (s *Scheme) create(dir, basename, fallback string) (*Area, error) {
	a := &Area{scheme: s, basename: fileName(basename), dirs: []string{dir, fallback}, mapped: map[int][]byte{}}
	file := a.basename
	if s.volume != nil {
		file = a.volumeName(s.first)
	}
	if s.mark != nil {
		if err := s.mark(fallback, file); err != nil {
			return nil, createError(fallback, err)
		}
	}
	if s.volume == nil {
		return a, nil
	}
	path := filepath.Join(dir, file)
	name := s.slash + file
	if _, err := os.Stat(dir); errors.Is(err, os.ErrNotExist) {
		a.dirs = a.dirs[1:]
		path = filepath.Join(fallback, file)
		name = path
	}
	if len(name) >= nameSize {
		return nil, errors.New("shared memory: name of more than 127 bytes: " + name)
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, createError(path, err)
	}
	// The lock says that the set is in use, also to those who cannot see our process.
	_ = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	content := s.volume(name)
	if _, err := f.Write(content); err != nil {
		_ = f.Close()
		_ = os.Remove(path)
		return nil, createFault(path, err, len(content))
	}
	a.first = f
	return a, nil
}

func createError(path string, err error) error { return createFault(path, err, 0) }

func createFault(path string, err error, size int) error {
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		text := "shared memory: " + filepath.Dir(path) + " is full"
		if size > 0 {
			text += ": " + strconv.Itoa(size) + " bytes do not fit"
		}
		return errors.New(text)
	}
	return errors.New("shared memory: " + err.Error())
}

// volumeName returns the base name of a volume's file.
func (a *Area) volumeName(index int) string { return a.basename + a.scheme.suffix(index) }

// Volume returns the data region of a volume, to be read only, or nil if there is no such
// volume. It is valid until Sweep.
func (a *Area) Volume(index int) []byte {
	if file, ok := a.mapped[index]; ok {
		return a.scheme.data(file)
	}
	if index < a.scheme.first {
		return nil
	}
	for _, suffix := range a.scheme.suffixes(index) {
		for _, dir := range a.dirs {
			if file := a.mapFile(filepath.Join(dir, a.basename+suffix)); file != nil {
				a.mapped[index] = file
				return a.scheme.data(file)
			}
		}
	}
	return nil
}

// mapFile maps a volume, nil if the file is none.
func (a *Area) mapFile(path string) []byte {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() < headerSize {
		return nil
	}
	file, err := syscall.Mmap(int(f.Fd()), 0, int(info.Size()), syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		return nil
	}
	if a.scheme.data(file) == nil {
		_ = syscall.Munmap(file)
		return nil
	}
	return file
}

// Size returns the sum of the sizes of the set's files in bytes.
func (a *Area) Size() int64 {
	var sum int64
	a.each(func(path string) {
		if info, err := os.Lstat(path); err == nil {
			sum += info.Size()
		}
	})
	return sum
}

// Sweep unmaps all volumes and removes the set's files. No pool may be running. It may be
// called again.
func (a *Area) Sweep() {
	for index, file := range a.mapped {
		_ = syscall.Munmap(file)
		delete(a.mapped, index)
	}
	a.each(func(path string) { _ = os.Remove(path) })
	if a.first != nil {
		_ = a.first.Close()
	}
}

// each calls f for each file of the set.
func (a *Area) each(f func(path string)) {
	for _, dir := range a.dirs {
		for _, name := range names(dir) {
			if rest, ok := strings.CutPrefix(name, a.basename); ok && a.scheme.isSuffix(rest) {
				f(filepath.Join(dir, name))
			}
		}
	}
}

// names returns the names in a folder, none if it cannot be read.
func names(dir string) []string {
	d, err := os.Open(dir)
	if err != nil {
		return nil
	}
	defer d.Close()
	list, _ := d.Readdirnames(-1)
	return list
}
