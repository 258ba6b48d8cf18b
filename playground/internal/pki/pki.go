// Package pki makes the certificates and keys of a fleet. Every cluster has a certificate authority and a service
// account key of its own, as real clusters do: a credential for one is of no use with another.
//
// It must not know which program uses which file.
package pki

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/kairship-io/kairship/playground/internal/state"
)

const (
	lifetime = 10 * 365 * 24 * time.Hour
	// A certificate this close to its end is renewed.
	renewBefore = 30 * 24 * time.Hour
)

// Authority signs the certificates of one cluster. Its files lie in one folder.
type Authority struct {
	dir  string
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
	now  func() time.Time
}

// Pair is a certificate and its key, as files.
type Pair struct{ Cert, Key string }

// Subject is whom a certificate identifies.
type Subject struct {
	User   string
	Groups []string
	// Hosts are names and addresses, for a server.
	Hosts []string
}

// Open returns the authority of a folder, made when there is none yet.
func Open(dir, name string) (*Authority, error) { return open(dir, name, time.Now) }

func open(dir, name string, now func() time.Time) (*Authority, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("making the folder of certificates: %w", err)
	}
	a := &Authority{dir: dir, now: now}
	cert, key, err := load(a.pair("ca"))
	if err == nil && now().Add(renewBefore).Before(cert.NotAfter) {
		a.cert, a.key = cert, key
		return a, nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("reading the certificate authority of %s: %w", name, err)
	}
	template := &x509.Certificate{
		Subject:               pkix.Name{CommonName: "kairship-playground-" + name},
		IsCA:                  true,
		BasicConstraintsValid: true,
		KeyUsage:              x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
	}
	if a.cert, a.key, err = a.create(a.pair("ca"), template, nil, nil); err != nil {
		return nil, fmt.Errorf("making the certificate authority of %s: %w", name, err)
	}
	return a, nil
}

// CA is the file of the authority's certificate, and its key.
func (a *Authority) CA() Pair { return a.pair("ca") }

// ServiceAccounts is the key that signs service account tokens: its public half
// as Cert, its private half as Key. It is made when there is none yet.
func (a *Authority) ServiceAccounts() (Pair, error) {
	p := Pair{Cert: filepath.Join(a.dir, "sa.pub"), Key: filepath.Join(a.dir, "sa.key")}
	if exist(p) {
		return p, nil
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return p, fmt.Errorf("making a service account key: %w", err)
	}
	public, err := x509.MarshalPKIXPublicKey(&key.PublicKey)
	if err != nil {
		return p, fmt.Errorf("making a service account key: %w", err)
	}
	if err := writeKey(p.Key, key); err != nil {
		return p, err
	}
	return p, state.WriteFile(p.Cert, pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: public}), 0o644)
}

// Issue returns a certificate for the subject under a file name. It makes one when there is none yet, when it is for
// another subject, or when it expires soon.
func (a *Authority) Issue(name string, s Subject) (Pair, error) {
	p := a.pair(name)
	if cert, _, err := load(p); err == nil && a.valid(cert, s) {
		return p, nil
	}
	template := &x509.Certificate{
		Subject:     pkix.Name{CommonName: s.User, Organization: s.Groups},
		KeyUsage:    x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	}
	if len(s.Hosts) > 0 {
		template.ExtKeyUsage = append(template.ExtKeyUsage, x509.ExtKeyUsageServerAuth)
		template.DNSNames, template.IPAddresses = split(s.Hosts)
	}
	if _, _, err := a.create(p, template, a.cert, a.key); err != nil {
		return p, fmt.Errorf("making the certificate %s: %w", name, err)
	}
	return p, nil
}

func (a *Authority) valid(c *x509.Certificate, s Subject) bool {
	names, ips := split(s.Hosts)
	same := slices.EqualFunc(c.IPAddresses, ips, func(x, y net.IP) bool { return x.Equal(y) })
	return same && slices.Equal(c.DNSNames, names) && c.Subject.CommonName == s.User &&
		slices.Equal(c.Subject.Organization, s.Groups) &&
		c.CheckSignatureFrom(a.cert) == nil && a.now().Add(renewBefore).Before(c.NotAfter)
}

func (a *Authority) pair(name string) Pair {
	return Pair{Cert: filepath.Join(a.dir, name+".crt"), Key: filepath.Join(a.dir, name+".key")}
}

// create signs the template with the parent, or with itself when there is none,
// and writes both files.
func (a *Authority) create(p Pair, t, parent *x509.Certificate, signer *ecdsa.PrivateKey) (*x509.Certificate, *ecdsa.PrivateKey, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, nil, err
	}
	if t.SerialNumber, err = rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120)); err != nil {
		return nil, nil, err
	}
	t.NotBefore, t.NotAfter = a.now().Add(-time.Hour), a.now().Add(lifetime)
	if parent == nil {
		parent, signer = t, key
	}
	der, err := x509.CreateCertificate(rand.Reader, t, parent, &key.PublicKey, signer)
	if err != nil {
		return nil, nil, err
	}
	if err := writeKey(p.Key, key); err != nil {
		return nil, nil, err
	}
	if err := state.WriteFile(p.Cert, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o644); err != nil {
		return nil, nil, err
	}
	cert, err := x509.ParseCertificate(der)
	return cert, key, err
}

func writeKey(path string, key *ecdsa.PrivateKey) error {
	der, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return fmt.Errorf("writing a key: %w", err)
	}
	return state.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: der}), 0o600)
}

func load(p Pair) (*x509.Certificate, *ecdsa.PrivateKey, error) {
	c, err := block(p.Cert)
	if err != nil {
		return nil, nil, err
	}
	cert, err := x509.ParseCertificate(c)
	if err != nil {
		return nil, nil, fmt.Errorf("reading %s: %w", p.Cert, err)
	}
	k, err := block(p.Key)
	if err != nil {
		return nil, nil, err
	}
	key, err := x509.ParseECPrivateKey(k)
	if err != nil {
		return nil, nil, fmt.Errorf("reading %s: %w", p.Key, err)
	}
	return cert, key, nil
}

func block(path string) ([]byte, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	p, _ := pem.Decode(b)
	if p == nil {
		return nil, fmt.Errorf("reading %s: no PEM in it", path)
	}
	return p.Bytes, nil
}

func exist(p Pair) bool {
	_, cert := os.Stat(p.Cert)
	_, key := os.Stat(p.Key)
	return cert == nil && key == nil
}

func split(hosts []string) (names []string, ips []net.IP) {
	for _, h := range hosts {
		if ip := net.ParseIP(h); ip != nil {
			ips = append(ips, ip)
		} else {
			names = append(names, h)
		}
	}
	return names, ips
}
