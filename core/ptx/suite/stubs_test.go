package suite

var bytePrograms, linear, numeric, language []program
