package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/burstscope/burstscope/core/metric"
)

// Numbers as the page writes them (site/src/lib/format.ts): grouped digits, units
// always, narrow spaces, a true minus.
const (
	thin  = "\u202f"
	minus = "\u2212"
)

// count writes a whole number with its digits in groups.
func count(n float64) string {
	digits := strconv.FormatInt(int64(math.Round(n)), 10)
	var b strings.Builder
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(d)
	}
	return b.String()
}

// scaled writes n in the largest of three units it fills.
func scaled(n float64, units [3]string, rest string) string {
	for i, unit := range [3]float64{1e9, 1e6, 1e3} {
		if n >= unit {
			return threeDigits(n/unit) + thin + units[i]
		}
	}
	return count(n) + rest
}

func bytesText(n float64) string { return scaled(n, [3]string{"GB", "MB", "kB"}, thin+"B") }

// joules writes an energy in the largest unit it fills.
func joules(n float64) string {
	for _, u := range []struct {
		size float64
		name string
	}{{1, "J"}, {1e-3, "mJ"}, {1e-6, "µJ"}, {1e-9, "nJ"}, {1e-12, "pJ"}} {
		if n >= u.size {
			return threeDigits(n/u.size) + thin + u.name
		}
	}
	if n == 0 {
		return "0"
	}
	return count(n*1e15) + thin + "fJ"
}

// seconds writes a time in the largest unit it fills.
func seconds(n float64) string {
	for _, u := range []struct {
		size float64
		name string
	}{{1, "s"}, {1e-3, "ms"}} {
		if n >= u.size {
			return threeDigits(n/u.size) + thin + u.name
		}
	}
	return threeDigits(n*1e6) + thin + "µs"
}

func short(n float64) string { return scaled(n, [3]string{"G", "M", "k"}, "") }

func threeDigits(n float64) string {
	switch {
	case n >= 99.95:
		return fmt.Sprintf("%.0f", n)
	case n >= 9.995:
		return fmt.Sprintf("%.1f", n)
	}
	return fmt.Sprintf("%.2f", n)
}

func ratio(n float64) string { return fmt.Sprintf("%.2f", n) }

// percent writes a share; small shares keep two digits that say something, unless the row would have no room for them.
func percent(share float64) string {
	p := math.Abs(share * 100)
	var text string
	switch {
	case p == 0:
		text = "0"
	case p >= 9.95:
		text = fmt.Sprintf("%.0f", p)
	case p >= 0.095:
		text = fmt.Sprintf("%.1f", p)
	case p >= 1e-4:
		text = strconv.FormatFloat(toPrecision(p, 2), 'f', -1, 64)
	default:
		text = "<0.0001"
	}
	if share < 0 && p != 0 {
		text = minus + text
	}
	return text + thin + "%"
}

// toPrecision rounds to significant digits.
func toPrecision(n float64, digits int) float64 {
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(n, 'g', digits, 64), 64)
	if err != nil {
		panic(err)
	}
	return rounded
}

// share writes a percentage with one decimal, for columns that line up.
func share(x float64) string {
	if x >= 0.9995 {
		return fmt.Sprintf("%.0f", x*100) + thin + "%"
	}
	return fmt.Sprintf("%.1f", x*100) + thin + "%"
}

// change writes b against a as a signed percentage.
func change(a, b float64) string {
	if a == 0 {
		return either(b == 0, "=", "")
	}
	d := b/a - 1
	switch {
	case math.Abs(d) < metric.Same:
		return "="
	case d > 0:
		return "+" + percent(d)
	}
	return percent(d)
}
