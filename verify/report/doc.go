// Package report holds what was found out about servers, and writes it down: as events
// while a run goes on, and as documents for people and for other programs (spec/qa.md 6
// and 9). It decides nothing about servers.
package report
