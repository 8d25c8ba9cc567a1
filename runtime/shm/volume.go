package shm

import "encoding/binary"

var le = binary.LittleEndian

// Layout of a volume: a header, then the data region, which is a row of blocks.
const (
	volumeMagic = 0xfeca0df0
	blockMagic  = 0x0cb10df0
	headerSize  = 168
	blockHeader = 16

	atName     = 4 // NUL padded
	nameSize   = 128
	atDataSize = 136

	firstSize = 65_703 // of volume 0 when it is made
)

// firstVolume returns the file that volume 0 is before any pool runs: all of it free. name
// is the file's name in /dev/shm or its path elsewhere.
func firstVolume(name string) []byte {
	v := make([]byte, firstSize)
	const data = firstSize - headerSize
	le.PutUint32(v, volumeMagic)
	copy(v[atName:atName+nameSize-1], name)
	le.PutUint64(v[atDataSize:], data)
	le.PutUint32(v[headerSize:], blockMagic)
	le.PutUint64(v[headerSize+8:], data-blockHeader)
	return v
}

// dataRegion returns what addresses in a volume count from, nil if file is no volume.
func dataRegion(file []byte) []byte {
	if len(file) < headerSize || le.Uint32(file) != volumeMagic {
		return nil
	}
	return file[headerSize:]
}

// BlockSize returns the size of the block of memory that starts at an offset in a data
// region: for a result, about what the pool has set aside for it. It is 0 if there is none.
func BlockSize(region []byte, offset int) int64 {
	head := offset - blockHeader
	if head < 0 || offset > len(region) || le.Uint32(region[head:]) != blockMagic {
		return 0
	}
	return int64(min(le.Uint64(region[head+8:]), uint64(len(region))))
}
