package main

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strings"
)

// A machine is where a report was made.
type machine struct {
	CPU    string `json:"cpu"`
	Cores  int    `json:"cores"`
	Kernel string `json:"kernel"`
	Go     string `json:"go"`
	Node   string `json:"node,omitempty"`
	Load   string `json:"load"` // averages when the run began: what else the machine was doing
}

// thisMachine describes the machine that this runs on. What cannot be found out is "?".
func thisMachine() machine {
	m := machine{
		CPU: "?", Kernel: runtime.GOOS, Load: "?",
		Cores: runtime.NumCPU(), Go: strings.TrimPrefix(runtime.Version(), "go"),
	}
	if text, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		if found := regexp.MustCompile(`(?m)^model name\s*: (.+)$`).FindSubmatch(text); found != nil {
			m.CPU = string(found[1])
		}
	}
	if text, err := os.ReadFile("/proc/sys/kernel/osrelease"); err == nil {
		m.Kernel += " " + strings.TrimSpace(string(text))
	}
	if text, err := os.ReadFile("/proc/loadavg"); err == nil {
		m.Load = strings.Join(strings.Fields(string(text))[:3], " ")
	}
	if out, err := exec.Command("node", "--version").Output(); err == nil {
		m.Node = strings.TrimPrefix(strings.TrimSpace(string(out)), "v")
	}
	return m
}

// String returns the machine as a sentence has it.
func (m machine) String() string {
	s := fmt.Sprintf("%d cores of %s, %s, Go %s", m.Cores, m.CPU, m.Kernel, m.Go)
	if m.Node != "" {
		s += ", Node.js " + m.Node
	}
	return s
}
