package names

// Nearest returns the name that is at most two edits away from word, "" if none is.
func Nearest(word string, names []string) string {
	best, found := 3, ""
	for _, name := range names {
		if d := distance(word, name); d < best && d < len(name) {
			best, found = d, name
		}
	}
	return found
}

// distance counts the bytes to insert, delete or replace to make b of a.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
