package token

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/model"
)

// Kubeconfigs issues kubeconfigs that lead to Kairship's proxy.
type Kubeconfigs struct {
	issuer *Issuer
	server string
	ca     []byte
}

// NewKubeconfigs makes Kubeconfigs for a proxy at an address, which must be https: clients drop the token otherwise.
// ca holds the certificates that issued the proxy's own, PEM; empty when clients trust it anyway.
func NewKubeconfigs(issuer *Issuer, server string, ca []byte) (*Kubeconfigs, error) {
	u, err := url.Parse(server)
	if err != nil || u.Scheme != "https" || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return nil, errors.New("the address for kubeconfigs has to be one like https://kairship.example.org: clients send their tokens to no other")
	}
	return &Kubeconfigs{issuer: issuer, server: strings.TrimSuffix(server, "/"), ca: ca}, nil
}

// Issue makes a kubeconfig for somebody. It has a context for the instance, with its name, and one for each member,
// INSTANCE/MEMBER; the current one is that of cluster, or of the instance when that is empty, and has the
// namespace. Errors are those of Issuer.Issue.
func (k *Kubeconfigs) Issue(ctx context.Context, p auth.Principal, instance string, clusters []string, cluster, namespace string, lifetime time.Duration) (string, time.Time, error) {
	text, t, err := k.issue(ctx, p, instance, clusters, cluster, namespace, lifetime)
	return text, t.Expires, err
}

// IssueShortest is Issue for the control plane, with MinLifetime; the token's id is for its revocation.
func (k *Kubeconfigs) IssueShortest(ctx context.Context, p auth.Principal, instance string, clusters []string) (string, Token, error) {
	return k.issue(ctx, p, instance, clusters, "", "", MinLifetime)
}

func (k *Kubeconfigs) issue(ctx context.Context, p auth.Principal, instance string, clusters []string, cluster, namespace string, lifetime time.Duration) (string, Token, error) {
	signed, t, err := k.issuer.Issue(ctx, p, instance, lifetime)
	if err != nil {
		return "", Token{}, err
	}
	const user = "kairship"
	config := clientcmdapi.NewConfig()
	config.AuthInfos[user] = &clientcmdapi.AuthInfo{Token: signed}
	add := func(name, path string) {
		config.Clusters[name] = &clientcmdapi.Cluster{Server: k.server + path, CertificateAuthorityData: k.ca}
		config.Contexts[name] = &clientcmdapi.Context{Cluster: name, AuthInfo: user}
	}
	add(instance, "/instances/"+url.PathEscape(instance))
	for _, member := range clusters {
		add(instance+"/"+member, "/instances/"+url.PathEscape(instance)+"/clusters/"+url.PathEscape(member))
	}
	config.CurrentContext = instance
	if cluster != "" {
		config.CurrentContext = instance + "/" + cluster
	}
	current := config.Contexts[config.CurrentContext]
	if current == nil {
		return "", Token{}, &model.Error{Code: model.CodeInternal, Err: fmt.Errorf("no context for cluster %q", cluster)}
	}
	current.Namespace = namespace
	raw, err := clientcmd.Write(*config)
	if err != nil {
		return "", Token{}, &model.Error{Code: model.CodeInternal, Message: "the kubeconfig could not be written", Err: err}
	}
	return string(raw), t, nil
}
