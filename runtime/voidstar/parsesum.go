package voidstar

import (
	"errors"
	"strconv"
)

// maxArms is how many constructors a type can have: a tag is one byte.
const maxArms = 256

// sum parses what follows the code of an enum or a variant.
func (p *parser) sum(k Kind) (*Schema, error) {
	n, err := p.count()
	if err != nil {
		return nil, err
	}
	if n == 0 || n > maxArms {
		return nil, errors.New("schema error: " + strconv.Itoa(n) + " constructors at position " + strconv.Itoa(p.pos))
	}
	s := &Schema{Kind: k, Arms: make([]Arm, n), Width: 1, Align: 1}
	if k == KindVariant {
		s.Width, s.Align = 16, 8
	}
	for i := range s.Arms {
		a := &s.Arms[i]
		if a.Name, err = p.word(); err == nil && k == KindVariant {
			a.Payload, err = p.payload()
		}
		if err != nil {
			return nil, err
		}
	}
	return s, nil
}

// payload parses the fields of an arm, which may have none.
func (p *parser) payload() (*Schema, error) {
	s, err := p.fields(KindTuple)
	if err != nil || len(s.Fields) == 0 {
		return nil, err
	}
	return s, nil
}
