package pure

import (
	"bytes"
	"errors"
	"strconv"

	"github.com/mcpgen/mcpgen/runtime/jsonx"
)

// A checker moves through JSON text without recursion, so it knows where it is when
// something is wrong.
type checker struct {
	lex  jsonx.Lexer
	ends []byte // of the arrays and objects around Pos
}

// check returns what is wrong with JSON text: nil if it is one value of a depth that can
// be read.
func check(src []byte) error {
	c := checker{lex: jsonx.Lexer{Src: src}}
	c.lex.Space()
	for more := true; more; {
		if err := c.open(); err != nil {
			return err
		}
		var err error
		if more, err = c.close(); err != nil {
			return err
		}
	}
	if c.lex.Pos < len(src) {
		return c.fault(c.lex.Pos, "trailing characters")
	}
	return nil
}

// open moves past what begins a value, up to one that holds no others, and past that.
func (c *checker) open() error {
	for {
		at, begin := c.lex.Pos, c.lex.Peek()
		if begin != '[' && begin != '{' {
			return c.scalar()
		}
		if len(c.ends) == jsonx.MaxDepth {
			return c.fault(at, "nested deeper than "+strconv.Itoa(jsonx.MaxDepth))
		}
		end := begin + 2 // ] and }
		more, _ := c.lex.Open(end, 0)
		if !more {
			return nil
		}
		c.ends = append(c.ends, end)
		if err := c.key(); err != nil {
			return err
		}
	}
}

func (c *checker) scalar() error {
	at := c.lex.Pos
	err := c.lex.Value(0)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, jsonx.ErrUTF8):
		return c.fault(at, jsonx.ErrUTF8.Error())
	}
	c.lex.Pos = at
	switch first := c.lex.Peek(); {
	case at == len(c.lex.Src):
		return c.fault(at, "EOF while parsing a value")
	case first == '"':
		return c.fault(at, "invalid string")
	case first == '-' || first-'0' < 10:
		return c.fault(at, "invalid number")
	}
	return c.fault(at, "expected value")
}

// key moves past the key of a member, if what is open is an object.
func (c *checker) key() error {
	if c.ends[len(c.ends)-1] != '}' {
		return nil
	}
	at := c.lex.Pos
	if _, err := c.lex.Key(); err != nil {
		if at == len(c.lex.Src) {
			return c.fault(at, "EOF while parsing an object")
		}
		return c.fault(at, "expected a string and a colon")
	}
	return nil
}

// close moves past what ends a value; more says that another one follows.
func (c *checker) close() (more bool, err error) {
	for c.lex.Space(); len(c.ends) > 0; c.lex.Space() {
		end := c.ends[len(c.ends)-1]
		at := c.lex.Pos
		more, err := c.lex.Next(end)
		switch {
		case err != nil && at == len(c.lex.Src):
			return false, c.fault(at, "EOF where a comma or "+string(end)+" is expected")
		case err != nil:
			return false, c.fault(at, "expected a comma or "+string(end))
		case more:
			return true, c.key()
		}
		c.ends = c.ends[:len(c.ends)-1]
	}
	return false, nil
}

// fault is the error about the byte at an offset, or about the end of the text.
func (c *checker) fault(at int, what string) error {
	before := c.lex.Src[:min(at+1, len(c.lex.Src))]
	line := 1 + bytes.Count(before, []byte{'\n'})
	column := len(before) - 1 - bytes.LastIndexByte(before, '\n')
	return errors.New(prefix + "JSON parse error: " + what +
		" at line " + strconv.Itoa(line) + " column " + strconv.Itoa(column))
}
