// Package app is the Ebiten program around render/model and render/draw: it
// takes what the page says, paints when something has changed, and tells the
// page what was pointed at. The page owns all state; what is kept here is only
// what a pointer is doing at the moment.
package app
