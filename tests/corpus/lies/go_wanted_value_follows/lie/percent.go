package shop

// Percent returns part of whole in percent.
func Percent(part, whole int) int {
	if whole == 0 {
		return 0
	}
	return part * 100 / whole
}
