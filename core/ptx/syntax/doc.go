// Package syntax reads PTX text into a syntax tree: declarations with their scopes,
// and statements with their operands. It knows the grammar, and which names are
// declared where. It does not know instructions.
package syntax
