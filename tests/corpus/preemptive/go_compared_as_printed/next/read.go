package shop

import (
	"fmt"
	"strconv"
	"strings"
)

// Read returns the rules of a text, one in each line: from, to, and in any order a status (301 if there is none) and
// methods. A star at the end of from is for everything below it.
func Read(text string) ([]Rule, error) {
	var rules []Rule
	for number, line := range strings.Split(text, "\n") {
		fields := strings.Fields(strings.SplitN(line, "#", 2)[0])
		if len(fields) == 0 {
			continue
		}
		if len(fields) == 1 {
			return nil, fmt.Errorf("line %d: where does %s go?", number+1, fields[0])
		}
		rule := Rule{From: strings.TrimSuffix(fields[0], "*"), To: fields[1], Status: 301}
		rule.Subtree = rule.From != fields[0]
		for _, field := range fields[2:] {
			status, err := strconv.Atoi(field)
			if err != nil {
				rule.Methods = append(rule.Methods, field)
			} else if status < 300 || status > 399 {
				return nil, fmt.Errorf("line %d: %d is no redirect", number+1, status)
			}
		}
		rules = append(rules, rule)
	}
	return rules, nil
}
