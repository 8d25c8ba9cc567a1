// Package molecules is an example: the Morloc program smiles, which computes weights and formulas
// of small molecules, in a form that runs without Morloc. See README.md.
//
// The package has no Go code of its own. Its test drives the Python pool of the example over its
// socket and holds it against calls recorded from a pool that the Morloc compiler generated.
package molecules
