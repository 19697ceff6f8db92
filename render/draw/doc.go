// Package draw paints scenes of render/model with Ebiten: one shader draws every
// rectangle, pattern, line and letter, so that a picture is one draw call and
// sharp at any number of device pixels to a logical one.
package draw
