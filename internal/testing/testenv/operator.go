package testenv

import "path/filepath"

// OperatorDefinitions are the CRDs of the Karmada operator, as Karmada ships them.
func OperatorDefinitions() ([]string, error) {
	dir, err := moduleFolder("github.com/karmada-io/karmada")
	if err != nil {
		return nil, err
	}
	return glob(filepath.Join(dir, "operator", "config", "crds", "*.yaml"))
}

// Etcd is the address of the API server's etcd. It requires no credential.
func (s *Server) Etcd() string { return s.env.ControlPlane.Etcd.URL.String() }
