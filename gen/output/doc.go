// Package output brings the files of a generated package to disk, and tells how a folder
// differs from them. It knows nothing of what is in the files.
//
// # Whose files
//
// The folder may hold other files: a Dockerfile, a test, a repository. Those stay. Ours
// are the files listed in the record, mcpgen.lock, which is itself written with every
// run. In a folder without a record a file is ours if its first line carries [Marker]. A
// file of ours is written anew or, when no longer wanted, removed; a file that is not
// ours and bears a name we need is an error, before anything has been touched.
//
// # Old or new, never both
//
// A run must not leave half of the old package and half of the new one, whatever stops
// it. Swapping whole folders would be atomic, but would have to copy files that are not
// ours and would pull the folder from under a shell that stands in it. So the files are
// replaced one by one, behind a journal:
//
//	plan      compare folder and files; nothing changed: done
//	stage     write what changed to DIR/.mcpgen-stage/0, 1, 2..., synced to disk
//	commit    write the journal, DIR/.mcpgen-stage/commit, and rename it into place
//	apply     rename each staged file to its name, remove what is no longer wanted
//	clean     remove .mcpgen-stage
//
// The stage lies inside the folder because only there a rename is sure to stay on one
// file system, and because the folder above need not be writable. The go command ignores
// names that start with a dot.
//
// Up to commit the old package is whole and the next run drops the stage. From commit on
// the new one is decided: each step of apply can be repeated, so the next run finishes
// it (roll forward), whether this one was killed or the machine lost power. If apply
// itself meets an error (a folder has become read-only) the steps done are undone with
// the old contents, which are still in memory, and then the journal is dropped.
//
// One run at a time writes to a folder; a second is told so. All access goes through an
// [os.Root], so neither a record nor a link can lead out of the folder.
package output
