package rfvp

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/burstscope/burstscope/core/fault"
)

// mostRates bounds the list [ours]: more launches than any shipped program has get the last rate.
const mostRates = 4096

const mendRates = "write thousandths of the launches in order, such as 0,500,900"

func checkRates(text string) error {
	_, err := parseRates(text)
	return err
}

// parseRates reads drop rates of launches, in thousandths and separated by commas; "" has none.
func parseRates(text string) ([]Rate, error) {
	if text == "" {
		return nil, nil
	}
	if strings.Count(text, ",") >= mostRates {
		return nil, fmt.Errorf("more than %d rates", mostRates)
	}
	var rates []Rate
	for word := range strings.SplitSeq(text, ",") {
		n, err := strconv.Atoi(word)
		if err != nil || n < 0 || n > 1000 || strconv.Itoa(n) != word {
			return nil, fmt.Errorf("%s is no drop rate of 0 to 1000 thousandths", fault.Quote(word))
		}
		rates = append(rates, Rate(n))
	}
	return rates, nil
}
