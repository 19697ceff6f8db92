package workload

import "fmt"

// Check reports every fault of a choice, as Build would, without building it.
func Check(name string, p Params) error {
	d, err := find(name)
	if err != nil {
		return err
	}
	if _, err := d.check(p); err != nil {
		return fmt.Errorf("workload: %w", err)
	}
	return nil
}
