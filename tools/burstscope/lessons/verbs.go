// Package lessons has the commands for teachers.
package lessons

import "github.com/burstscope/burstscope/tools/burstscope/cli"

// The commands, as the list of package command has them.
var (
	Lesson = cli.Verb{Name: "lesson", Help: lessonHelp, Do: lessonVerb,
		Summary: "check lessons, and print their answers"}
	Grade = cli.Verb{Name: "grade", Help: gradeHelp, Do: gradeVerb,
		Summary: "grade the submissions of students"}
)
