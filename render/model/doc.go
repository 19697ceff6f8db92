// Package model turns the records of a run into pictures of any cycle: it
// indexes probe records by where they happened, answers what a cycle looked
// like, and lays that out as shapes in logical pixels. It draws nothing and
// knows no graphics library, so a picture can be tested as data.
package model
