package output

import (
	"io/fs"
	"os"
)

// A disk is the folder that is written to; names are relative to it. Tests put one in its
// place that fails, or is dead, from some step on.
type disk interface {
	Lstat(name string) (fs.FileInfo, error)
	ReadDir(name string) ([]fs.DirEntry, error)
	ReadFile(name string) ([]byte, error)
	MkdirAll(name string, mode fs.FileMode) error
	Rename(from, to string) error
	Remove(name string) error
	RemoveAll(name string) error
	// Write writes a new file that is on the disk when it returns.
	Write(name string, data []byte) error
	// Sync brings the names in a folder to the disk, as far as the system can.
	Sync(name string)
}

// rootDisk is a disk.
type rootDisk struct{ *os.Root }

func (d rootDisk) ReadDir(name string) ([]fs.DirEntry, error) {
	return fs.ReadDir(d.FS(), name)
}

func (d rootDisk) Write(name string, data []byte) error {
	f, err := d.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if e := f.Close(); err == nil {
		err = e
	}
	return err
}

func (d rootDisk) Sync(name string) {
	if f, err := d.Open(name); err == nil {
		f.Sync() // some systems cannot sync a folder
		f.Close()
	}
}
