package lifecycle

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.uber.org/zap"
)

// The keys of an etcd credential.
const (
	keyCA   = "ca.crt"
	keyCert = "tls.crt"
	keyKey  = "tls.key"
)

const (
	// wipeTimeout bounds one attempt to empty an instance's part of an etcd.
	wipeTimeout = 30 * time.Second
	// wipeBatch is how many keys are deleted by one request. An etcd that others use as well must not be
	// held up by one large deletion.
	wipeBatch = 1000
)

// checkCredential returns what is missing in a credential of an etcd as an error.
func checkCredential(secret *corev1.Secret) error {
	for _, key := range []string{keyCA, keyCert, keyKey} {
		if len(secret.Data[key]) == 0 {
			return fmt.Errorf("Secret %q in namespace %q has no key %q; it needs %s, %s and %s", secret.Name, secret.Namespace, key, keyCA, keyCert, keyKey) //nolint:staticcheck // Secret is a kind
		}
	}
	return nil
}

// wipe deletes everything under some prefixes of an etcd, and returns how many keys those were.
func wipe(ctx context.Context, endpoints []string, credential *corev1.Secret, under ...string) (int64, error) {
	ctx, cancel := context.WithTimeout(ctx, wipeTimeout)
	defer cancel()
	config := clientv3.Config{Endpoints: endpoints, DialTimeout: wipeTimeout, Context: ctx, Logger: zap.NewNop()}
	if secure(endpoints) {
		trust, err := trustOf(credential)
		if err != nil {
			return 0, err
		}
		config.TLS = trust
	}
	client, err := clientv3.New(config)
	if err != nil {
		return 0, fmt.Errorf("connecting to etcd: %w", err)
	}
	defer func() { _ = client.Close() }()
	var deleted int64
	for _, prefix := range under {
		n, err := wipePrefix(ctx, client, prefix)
		deleted += n
		if err != nil {
			if errors.Is(err, context.DeadlineExceeded) {
				return deleted, fmt.Errorf("etcd at %s did not answer within %s", strings.Join(endpoints, ", "), wipeTimeout)
			}
			return deleted, fmt.Errorf("emptying %s in etcd: %w", prefix, err)
		}
	}
	return deleted, nil
}

func wipePrefix(ctx context.Context, client *clientv3.Client, prefix string) (deleted int64, err error) {
	// The slash keeps /kairship/a-1 from matching /kairship/a-12.
	from, end := prefix+"/", clientv3.GetPrefixRangeEnd(prefix+"/")
	for {
		page, err := client.Get(ctx, from, clientv3.WithRange(end), clientv3.WithLimit(wipeBatch), clientv3.WithKeysOnly())
		if err != nil {
			return deleted, err
		}
		if len(page.Kvs) == 0 {
			return deleted, nil
		}
		after := string(page.Kvs[len(page.Kvs)-1].Key) + "\x00"
		gone, err := client.Delete(ctx, from, clientv3.WithRange(after))
		if err != nil {
			return deleted, err
		}
		deleted += gone.Deleted
	}
}

func secure(endpoints []string) bool {
	for _, endpoint := range endpoints {
		if strings.HasPrefix(endpoint, "https://") {
			return true
		}
	}
	return false
}

func trustOf(credential *corev1.Secret) (*tls.Config, error) {
	if credential == nil {
		return nil, errors.New("the credential of the etcd is gone; without it the instance's keys cannot be removed: make the Secret again")
	}
	if err := checkCredential(credential); err != nil {
		return nil, err
	}
	pair, err := tls.X509KeyPair(credential.Data[keyCert], credential.Data[keyKey])
	if err != nil {
		return nil, fmt.Errorf("Secret %q: %s and %s are not a certificate and its key", credential.Name, keyCert, keyKey) //nolint:staticcheck // Secret is a kind
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(credential.Data[keyCA]) {
		return nil, fmt.Errorf("Secret %q: %s holds no certificate", credential.Name, keyCA) //nolint:staticcheck // Secret is a kind
	}
	return &tls.Config{Certificates: []tls.Certificate{pair}, RootCAs: roots, MinVersion: tls.VersionTLS12}, nil
}
