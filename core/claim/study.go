package claim

// studySize is a program's size in studies if it is not that of programs.StudyRuns.
type studySize struct {
	size int
	why  string
}

// studySizes is THE table of reductions, by the papers' names of programs.
var studySizes = map[string]studySize{}
