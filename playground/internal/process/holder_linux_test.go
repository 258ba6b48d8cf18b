package process

import "testing"

func TestAHolderIsOneOfThisAddressOrOfAll(t *testing.T) {
	for address, want := range map[string]bool{
		"0100007F": true, "00000000": true, "00000000000000000000000000000000": true, "0000000000000000FFFF00000100007F": true,
		"16C0A67F": false, "00000000000000000000000001000000": false,
	} {
		if got := covers(address); got != want {
			t.Errorf("%s: %v", address, got)
		}
	}
}
