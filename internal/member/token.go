package member

import (
	"cmp"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/instance/kubeconfig"
	"github.com/kairship-io/kairship/internal/model"
)

const (
	// DefaultTokenLifetime is how long a token may be used that does not say.
	DefaultTokenLifetime = time.Hour
	// MostTokenLifetime is how long a token may be used at most.
	MostTokenLifetime = 24 * time.Hour
	// TokenKey is where an operation's Secret has the token of a registration.
	TokenKey = "token"
	// maxEndpoint is the largest kubeconfig that an instance may show to clusters, in bytes: it holds an address and certificate authorities,
	// of which each has about 2 KiB.
	maxEndpoint = 64 << 10
	// tokenGroup is the one that Karmada lets register clusters.
	tokenGroup = "system:bootstrappers:karmada:default-cluster-token"
)

// TokenLifetime is how long the token of a registration may be used.
func TokenLifetime(asked *metav1.Duration) time.Duration {
	if asked == nil || asked.Duration <= 0 {
		return DefaultTokenLifetime
	}
	return min(asked.Duration, MostTokenLifetime)
}

// Token is one by which a cluster registers itself. Who has it can become Admin of the instance until it ends. It is printed without its
// secret.
type Token struct{ id, secret string }

// NewToken makes a token.
func NewToken() *Token {
	// Of the letters and digits that Kubernetes allows, as many of each length that no two tokens of one instance meet, and that none is
	// guessed: 6 and 16 of 32.
	text := strings.ToLower(rand.Text())
	return &Token{id: text[:6], secret: text[6:22]}
}

var tokenForm = regexp.MustCompile(`^([a-z0-9]{6})\.([a-z0-9]{16})$`)

var errNoToken = errors.New("that is no token")

// ParseToken reads a token. The error does not repeat it.
func ParseToken(text string) (*Token, error) {
	m := tokenForm.FindStringSubmatch(text)
	if m == nil {
		return nil, errNoToken
	}
	return &Token{id: m[1], secret: m[2]}, nil
}

// Reveal is the token as it is used.
func (t *Token) Reveal() string { return t.id + "." + t.secret }

// String leaves the secret out.
func (t *Token) String() string { return "token " + t.id }

// GoString leaves the secret out.
func (t *Token) GoString() string { return t.String() }

// Ref is the Secret of an instance by which the token is known.
func (t *Token) Ref() model.Ref {
	return model.Ref{GVK: schema.GroupVersionKind{Version: "v1", Kind: "Secret"}, Namespace: metav1.NamespaceSystem, Name: "bootstrap-token-" + t.id}
}

// Secret is that Secret, good until a time.
func (t *Token) Secret(until time.Time, description string) map[string]any {
	data := map[string]any{}
	for key, value := range map[string]string{
		"token-id": t.id, "token-secret": t.secret, "description": description, "expiration": until.UTC().Format(time.RFC3339),
		"usage-bootstrap-authentication": "true", "usage-bootstrap-signing": "true", "auth-extra-groups": tokenGroup,
	} {
		data[key] = base64.StdEncoding.EncodeToString([]byte(value))
	}
	return map[string]any{"apiVersion": "v1", "kind": "Secret", "type": "bootstrap.kubernetes.io/token", "data": data,
		"metadata": map[string]any{"namespace": t.Ref().Namespace, "name": t.Ref().Name}}
}

// Registration is what the command says that registers a cluster.
type Registration struct {
	Cluster          string
	Provider, Region string
	Zones            []string
	KarmadaVersion   string
	Server           string
	CAHashes         []string
	Token            *Token
}

// Endpoint reads where an instance is reached, and the hashes of its certificate authorities, from the kubeconfig that it shows to clusters
// which are about to register. Any Admin of the instance may have written it.
func Endpoint(text string) (server string, hashes []string, err error) {
	config, err := kubeconfig.Load([]byte(text), maxEndpoint)
	if err != nil {
		return "", nil, fmt.Errorf("its %w", err)
	}
	if len(config.Clusters) != 1 {
		return "", nil, fmt.Errorf("its kubeconfig does not name one cluster")
	}
	for _, c := range config.Clusters {
		u, err := url.Parse(c.Server)
		if err != nil || u.Scheme != "https" || u.Host == "" || strings.Trim(u.Path, "/") != "" || !plain.MatchString(u.Host) {
			return "", nil, fmt.Errorf("its address is not of the form https://host:port")
		}
		server = u.Host
		for rest := c.CertificateAuthorityData; ; {
			var block *pem.Block
			if block, rest = pem.Decode(rest); block == nil {
				break
			}
			certificate, err := x509.ParseCertificate(block.Bytes)
			if err != nil {
				return "", nil, fmt.Errorf("its certificate authority cannot be read")
			}
			sum := sha256.Sum256(certificate.RawSubjectPublicKeyInfo)
			hashes = append(hashes, "sha256:"+hex.EncodeToString(sum[:]))
		}
	}
	if len(hashes) == 0 {
		return "", nil, fmt.Errorf("it names no certificate authority")
	}
	return server, hashes, nil
}

// plain matches what a shell takes as one word, as it is.
var plain = regexp.MustCompile(`^[-A-Za-z0-9._:/\[\],]+$`)

var version = regexp.MustCompile(`^v[0-9]+\.[0-9]+\.[0-9]+(-[-.A-Za-z0-9]+)?`)

// Command is a line for a shell that registers the cluster: all of it is pinned, the instance by the hashes of its certificate authorities.
// It holds the token.
func (r Registration) Command() (string, error) {
	words := []string{"karmadactl", "register", r.Server, "--token", r.Token.Reveal(),
		"--discovery-token-ca-cert-hash", strings.Join(r.CAHashes, ","), "--cluster-name", r.Cluster}
	for _, option := range []struct{ name, value string }{
		{"--cluster-provider", r.Provider}, {"--cluster-region", r.Region}, {"--cluster-zones", strings.Join(r.Zones, ",")},
	} {
		if option.value != "" {
			words = append(words, option.name, option.value)
		}
	}
	// Without a version that is known, as where somebody else runs the Karmada, the image is the one that goes with karmadactl.
	if r.KarmadaVersion != "" {
		release := version.FindString(r.KarmadaVersion)
		if release == "" {
			return "", fmt.Errorf("the version of its Karmada is not one")
		}
		words = append(words, "--karmada-agent-image", "docker.io/karmada/karmada-agent:"+release)
	}
	if i := slices.IndexFunc(words, func(w string) bool { return !plain.MatchString(w) }); i >= 0 {
		return "", fmt.Errorf("%s is not one word for a shell", cmp.Or(words[max(i-1, 0)], "a value"))
	}
	return strings.Join(words, " "), nil
}
