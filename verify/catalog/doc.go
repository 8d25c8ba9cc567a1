// Package catalog reads the entries of a store of MCP servers: one folder per app with a
// config.json and, for apps in containers, a docker-compose.json (spec/qa.md 2). It also
// works out the environment of an app and fills it into its arguments. It starts nothing.
package catalog
