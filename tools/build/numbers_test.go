package main

import "testing"

// The page writes the same texts; site/e2e compares the two on a real run.
func TestNumbersAsThePageWritesThem(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{count(0), "0"}, {count(999), "999"}, {count(1000), "1,000"}, {count(402118), "402,118"}, {count(1234567), "1,234,567"},
		{bytesText(96), "96\u202fB"}, {bytesText(1234), "1.23\u202fkB"}, {bytesText(45.67e6), "45.7\u202fMB"}, {bytesText(3e9), "3.00\u202fGB"},
		{short(999), "999"}, {short(2.13e6), "2.13\u202fM"}, {short(123456), "123\u202fk"},
		{percent(0), "0\u202f%"}, {percent(0.28), "28\u202f%"}, {percent(0.004), "0.4\u202f%"}, {percent(-0.0714), "\u22127.1\u202f%"},
		{percent(0.0004444), "0.044\u202f%"}, {percent(1.2e-7), "<0.0001\u202f%"}, {change(100, 100.049), "="}, {change(100, 99.951), "="}, {change(100, 100.06), "+0.06\u202f%"},
		{share(0.5), "50.0\u202f%"}, {share(1), "100\u202f%"}, {share(0.9994), "99.9\u202f%"},
		{change(100, 72), "\u221228\u202f%"}, {change(100, 100), "="}, {change(100, 107.1), "+7.1\u202f%"}, {change(0, 1), ""}, {change(0, 0), "="},
		{ratio(1.4142), "1.41"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}
