// Package argv turns the arguments of a tool call into the words of a command line
// (cli-schema.md 6). Generated code says which arguments there are and where they go:
//
//	var r argv.Reader
//	r.Read(d, issueGetNames)
//	a.Profile = r.Option("profile").Text()
//	a.Repo = r.Required("repo").Text()
//	a.Number = r.Word("number")
//	return r.Err()
//
// and, when nothing is wrong,
//
//	w.Option("profile", a.Profile)
//	w.Word("issue")
//	w.Option("repo", a.Repo)
//	w.Word("get")
//	w.Positional(a.Number)
//
// It knows nothing of processes: runtime/command runs what [Words] holds.
//
// The invariant to know: every argument is at most one word, or one word for each element
// of its array, and a [Words] puts "--" where the program could take a word for anything
// else.
package argv
