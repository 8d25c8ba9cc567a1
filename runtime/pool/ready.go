package pool

// Ready reports whether all pools answer, or none was to be started yet.
func (s *Set) Ready() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return !s.wanted || s.answering && !s.gen.isDead()
}

// want notes that pools are wanted from now on.
func (s *Set) want() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wanted = true
}

// setAnswering notes that all pools of the generation have answered.
func (s *Set) setAnswering() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answering = true
}
