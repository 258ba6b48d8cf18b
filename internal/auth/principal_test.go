package auth

import "testing"

func TestCheckGroups(t *testing.T) {
	for group, ok := range map[string]bool{
		"kairship:host:system:serviceaccounts:kairship-admins": true,
		"kairship:oidc:platform":                               true,
		"system:masters":                                       false,
		"platform":                                             false,
		"kairship:":                                            false,
		"kairship:host":                                        false,
		"kairship:host:":                                       false,
		"kairship::masters":                                    false,
		"":                                                     false,
	} {
		t.Run(group, func(t *testing.T) {
			if err := CheckGroups([]string{group}); (err == nil) != ok {
				t.Errorf("want ok %v, got %v", ok, err)
			}
		})
	}
}
