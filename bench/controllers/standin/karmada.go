// Package standin stands in for the APIs of Karmadas, a thousand times cheaper than real ones: a process
// serves hundreds. What a controller can ask of a Karmada is answered as a Karmada answers it: lists and
// watches with bookmarks, server-side apply, discovery, dry runs, and the cluster proxy with members
// behind it. Nothing acts on what is kept, and there is no admission or validation.
//
// It must not know what is measured with it.
package standin

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"sync"
	"time"

	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// Content is what a Karmada holds.
type Content struct {
	// Clusters is how many members are joined.
	Clusters int
	// Workloads is how many Deployments there are, each with a policy.
	Workloads int
	// Bound says that each has a binding, too, in ten clusters or in as many as there are.
	Bound bool
}

// Karmada is one stand-in.
type Karmada struct {
	// Requests counts those received.
	Requests Requests

	number  int
	host    string
	cert    []byte
	token   string
	server  *http.Server
	serving sync.WaitGroup
	control *store
	// ended is closed when the watches have to end.
	ended chan struct{}

	mu      sync.Mutex
	members map[string]*store
}

// Start serves a Karmada on a loopback address of its own, by its number from 0 on. Each has its own
// certificate authority, as each Karmada has.
func Start(ctx context.Context, number int, content Content) (*Karmada, error) {
	const perNet, port = 250, "0"
	ip := net.IPv4(127, 1, byte(number/perNet), byte(number%perNet+1))
	cert, pair, err := certificate(ip)
	if err != nil {
		return nil, err
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", net.JoinHostPort(ip.String(), port))
	if err != nil {
		return nil, fmt.Errorf("serving Karmada %d: %w", number, err)
	}
	k := &Karmada{
		number: number, host: "https://" + listener.Addr().String(), cert: cert, token: rand.Text(),
		control: newStore(), ended: make(chan struct{}), members: map[string]*store{},
	}
	if err := k.fill(content); err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	k.server = &http.Server{
		Handler:           http.HandlerFunc(k.serve),
		TLSConfig:         &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS13, NextProtos: []string{"h2", "http/1.1"}},
		ReadHeaderTimeout: time.Minute,
		ErrorLog:          slog.NewLogLogger(slog.DiscardHandler, slog.LevelInfo),
	}
	k.server.ConnState = k.Requests.connected
	k.serving.Go(func() {
		if err := k.server.ServeTLS(listener, "", ""); !errors.Is(err, http.ErrServerClosed) {
			slog.Error("a stand-in ended", "karmada", k.host, "error", err)
		}
	})
	return k, nil
}

// Stop ends the Karmada and every connection to it.
func (k *Karmada) Stop() error {
	close(k.ended)
	err := k.server.Close()
	k.serving.Wait()
	if err != nil {
		return fmt.Errorf("stopping %s: %w", k.host, err)
	}
	return nil
}

// Kubeconfig returns an administrator's kubeconfig.
func (k *Karmada) Kubeconfig() ([]byte, error) {
	config := clientcmdapi.NewConfig()
	config.Clusters["karmada"] = &clientcmdapi.Cluster{Server: k.host, CertificateAuthorityData: k.cert}
	config.AuthInfos["admin"] = &clientcmdapi.AuthInfo{Token: k.token}
	config.Contexts["karmada"] = &clientcmdapi.Context{Cluster: "karmada", AuthInfo: "admin"}
	config.CurrentContext = "karmada"
	raw, err := clientcmd.Write(*config)
	if err != nil {
		return nil, fmt.Errorf("writing a kubeconfig: %w", err)
	}
	return raw, nil
}

// member returns the objects of a member.
func (k *Karmada) member(name string) *store {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.members[name] == nil {
		k.members[name] = newStore()
	}
	return k.members[name]
}

// certificate makes a self-signed certificate.
func certificate(ip net.IP) (authority []byte, pair tls.Certificate, err error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, pair, fmt.Errorf("making a key: %w", err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: "karmada-apiserver " + ip.String()},
		NotBefore: time.Now().Add(-time.Minute), NotAfter: time.Now().Add(24 * time.Hour), IPAddresses: []net.IP{ip},
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		return nil, pair, fmt.Errorf("making a certificate: %w", err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, nil
}
