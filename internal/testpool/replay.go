//go:build linux

package testpool

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// An Entry is a recorded call of a live pool.
type Entry struct {
	Name    string   `json:"name"`
	Program string   `json:"program"`
	Lang    string   `json:"lang"`
	Command string   `json:"command"`
	MID     uint32   `json:"mid"`
	Schemas []string `json:"arg_schemas"`
	Return  string   `json:"return_schema"`
	Args    string   `json:"args"`       // JSON text
	Form    string   `json:"reply_form"` // "MESG+VOIDSTAR", "FAIL", ...
	Result  string   `json:"result"`     // JSON text
	Fail    string   `json:"fail"`       // instead of a result
	Call    Hex      `json:"call_hex"`
	Reply   Hex      `json:"reply_hex"`
	File    Hex      `json:"file_hex"` // what is in the file that the reply names
	Shared  struct {
		Volume int   `json:"volume"`
		Offset int64 `json:"header_offset"`
		Block  Hex   `json:"hex"`
	} `json:"shm"`
}

// Hex is bytes that are hexadecimal digits in JSON.
type Hex []byte

// UnmarshalText implements encoding.TextUnmarshaler.
func (h *Hex) UnmarshalText(text []byte) (err error) {
	*h, err = hex.DecodeString(string(text))
	return err
}

// Load reads a file of recorded calls.
func Load(path string) ([]Entry, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var file struct {
		Entries []Entry `json:"entries"`
	}
	if err := json.Unmarshal(text, &file); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return file.Entries, nil
}

// replay returns the recorded reply to a call of the program.
func (p *pool) replay(mid uint32, call []byte) []byte {
	var matches []Entry
	for _, e := range p.recorded {
		if e.Program == p.Program && e.MID == mid && bytes.Equal(e.Call, call) {
			matches = append(matches, e)
		}
	}
	if matches == nil {
		return Fail(fmt.Sprintf("replay: no recorded call for mid %d", mid))
	}
	return p.play(matches[p.turn(call)%len(matches)])
}

// turn counts how often a call was made: some were recorded with replies in two forms.
func (p *pool) turn(call []byte) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.turns == nil {
		p.turns = map[string]int{}
	}
	n := p.turns[string(call)]
	p.turns[string(call)]++
	return n
}

// play makes what a reply refers to and returns the reply.
func (p *pool) play(e Entry) []byte {
	switch e.Form {
	case "RPTR+VOIDSTAR":
		if err := p.put(e.Shared.Volume, volumeSize, e.Shared.Offset, e.Shared.Block); err != nil {
			return Fail(err.Error())
		}
	case "FILE+DATA":
		return p.file(filepath.Join(p.dir, "cached.dat"), formatData, e.File)
	}
	return e.Reply
}
