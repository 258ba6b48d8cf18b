// Package kubeconfig reads kubeconfigs that people hand in. They are hostile input: one may name a
// program to run, a file on this machine, a proxy, or a server that is not checked. Parse accepts only
// what needs none of that. The package makes no connection (package link does), and no error of it carries
// a credential.
package kubeconfig

import (
	"bytes"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
	yaml "sigs.k8s.io/yaml/goyaml.v2"

	"github.com/kairship-io/kairship/internal/objects/boundedyaml"
)

// MaxSize is the largest kubeconfig that is read, in bytes. One with inline certificates has a few
// thousand.
const MaxSize = 256 << 10

// limits bound a kubeconfig with its YAML aliases expanded.
var limits = boundedyaml.Limits{Values: 10_000, Bytes: 1 << 20, Depth: 100, Aliases: 1_000}

// FieldError says which field of a kubeconfig is not accepted and why.
type FieldError struct {
	// Field is the path in the file, such as `users["admin"].user.exec`; empty when it is about all of it.
	Field string
	// Problem says what is wrong and what is allowed.
	Problem string
}

func (e *FieldError) Error() string {
	if e.Field == "" {
		return "kubeconfig " + e.Problem
	}
	return "kubeconfig field " + e.Field + " " + e.Problem
}

func refuse(field, format string, args ...any) error {
	return &FieldError{Field: field, Problem: fmt.Sprintf(format, args...)}
}

// Credential is the address of a server and what authenticates there: a client certificate with its key, a token, or
// both. It holds secrets, and is printed without them.
type Credential struct {
	// Host is the address, https and without a trailing slash; CAData the certificate authority of the server.
	Host              string
	CAData            []byte
	CertData, KeyData []byte
	BearerToken       string
}

// String leaves the secrets out.
func (c *Credential) String() string { return "credential for " + c.Host }

// GoString leaves the secrets out.
func (c *Credential) GoString() string { return c.String() }

// Fingerprint is equal for credentials that reach the same server as the same user.
func (c *Credential) Fingerprint() [sha256.Size]byte {
	h := sha256.New()
	for _, part := range [][]byte{[]byte(c.Host), c.CAData, c.CertData, c.KeyData, []byte(c.BearerToken)} {
		fmt.Fprintf(h, "%d:", len(part))
		h.Write(part)
	}
	return [sha256.Size]byte(h.Sum(nil))
}

// Parse reads the current context of a kubeconfig. The server must be https with an inline certificate authority; the
// user must have an inline client certificate with its key, or an inline token. Fields that clientcmd does not know
// are ignored.
func Parse(raw []byte) (*Credential, error) {
	config, err := Load(raw, MaxSize)
	if err != nil {
		return nil, err
	}

	if config.CurrentContext == "" {
		return nil, refuse("current-context", "is required")
	}
	context, ok := config.Contexts[config.CurrentContext]
	if !ok || context == nil {
		return nil, refuse("current-context", "names %s, which is not among the contexts", quote(config.CurrentContext))
	}
	field := "contexts[" + quote(config.CurrentContext) + "].context"
	cluster, ok := config.Clusters[context.Cluster]
	if !ok || cluster == nil {
		return nil, refuse(field+".cluster", "names %s, which is not among the clusters", quote(context.Cluster))
	}
	user, ok := config.AuthInfos[context.AuthInfo]
	if !ok || user == nil {
		return nil, refuse(field+".user", "names %s, which is not among the users", quote(context.AuthInfo))
	}

	out := &Credential{}
	if err := readCluster(out, cluster, "clusters["+quote(context.Cluster)+"].cluster."); err != nil {
		return nil, err
	}
	if err := readUser(out, user, "users["+quote(context.AuthInfo)+"].user."); err != nil {
		return nil, err
	}
	return out, nil
}

// Load reads a kubeconfig of at most so many bytes, as hostile as any, and checks nothing that is in it. It is counted, with its YAML aliases
// expanded, before it is read. Errors are *FieldError.
func Load(raw []byte, most int) (*clientcmdapi.Config, error) {
	if len(raw) == 0 {
		return nil, refuse("", "is empty")
	}
	if len(raw) > most {
		return nil, refuse("", "has %d bytes; at most %d are read", len(raw), most)
	}
	if !utf8.Valid(raw) || bytes.IndexByte(raw, 0) >= 0 {
		return nil, refuse("", "is not text in UTF-8")
	}
	var limit *boundedyaml.LimitError
	var parse *boundedyaml.ParseError
	if _, err := boundedyaml.YAML(raw, limits); errors.As(err, &limit) {
		return nil, refuse("", "holds more than the %d values or %d bytes that are read, or more than %d levels, YAML aliases spelled out%s",
			limits.Values, limits.Bytes, limits.Depth, position(err))
	} else if errors.As(err, &parse) && parse.Beyond {
		return nil, refuse("", "must be one document")
	} else if err != nil {
		return nil, refuse("", "is not valid: expected YAML or JSON of kind Config, version v1%s", position(err))
	}
	return boundedyaml.Read(func() (*clientcmdapi.Config, error) { return load(raw) })
}

func load(raw []byte) (*clientcmdapi.Config, error) {
	if err := checkText(raw); err != nil {
		return nil, err
	}
	config, err := clientcmd.Load(raw)
	if err != nil {
		return nil, refuse("", "is not valid: expected YAML or JSON of kind Config, version v1%s", position(err))
	}
	return config, nil
}

// checkText refuses text that other parsers may read differently.
func checkText(raw []byte) error {
	d := yaml.NewDecoder(bytes.NewReader(raw))
	d.SetStrict(true)
	var all any
	if err := d.Decode(&all); err != nil {
		if strings.Contains(err.Error(), "already set in map") {
			return refuse("", "has a field twice%s", position(err))
		}
		return refuse("", "is not valid: expected YAML or JSON of kind Config, version v1%s", position(err))
	}
	if err := d.Decode(&all); !errors.Is(err, io.EOF) {
		return refuse("", "must be one document")
	}
	return nil
}

func readCluster(out *Credential, cluster *clientcmdapi.Cluster, path string) error {
	switch {
	case cluster.CertificateAuthority != "":
		return refuse(path+"certificate-authority", "names a file, which is not accepted: put the certificate in certificate-authority-data")
	case cluster.InsecureSkipTLSVerify:
		return refuse(path+"insecure-skip-tls-verify", "is not accepted: put the server's certificate authority in certificate-authority-data")
	case cluster.ProxyURL != "":
		return refuse(path+"proxy-url", "is not accepted: the server must be reachable directly")
	case cluster.TLSServerName != "":
		return refuse(path+"tls-server-name", "is not accepted: the server's certificate must be valid for the address in server")
	case cluster.Server == "":
		return refuse(path+"server", "is required")
	case len(cluster.CertificateAuthorityData) == 0:
		return refuse(path+"certificate-authority-data", "is required")
	}
	server, err := serverURL(cluster.Server)
	if err != nil {
		return refuse(path+"server", "%s", err)
	}
	if !x509.NewCertPool().AppendCertsFromPEM(cluster.CertificateAuthorityData) {
		return refuse(path+"certificate-authority-data", "holds no certificate in PEM form")
	}
	out.Host = server
	out.CAData = cluster.CertificateAuthorityData
	return nil
}

// serverURL returns the address without a trailing slash. An error does not repeat the address: it may
// hold a password.
func serverURL(server string) (string, error) {
	u, err := url.Parse(server)
	switch {
	case err != nil || u.Opaque != "" || u.Hostname() == "":
		return "", fmt.Errorf("is not an address: expected https://host:port")
	case u.Scheme != "https":
		return "", fmt.Errorf("must begin with https://")
	case u.User != nil:
		return "", fmt.Errorf("must not hold a user or a password")
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return "", fmt.Errorf("must not hold a query or a fragment")
	case !validPort(u):
		return "", fmt.Errorf("must hold a port of 1 to 65535, or none")
	}
	if err := checkHost(u.Hostname()); err != nil {
		return "", err
	}
	return strings.TrimRight(u.String(), "/"), nil
}

func validPort(u *url.URL) bool {
	if u.Port() == "" {
		return !strings.HasSuffix(u.Host, ":")
	}
	port, err := strconv.ParseUint(u.Port(), 10, 16)
	return err == nil && port > 0
}

func readUser(out *Credential, user *clientcmdapi.AuthInfo, path string) error {
	const inline = "put a client certificate and key in client-certificate-data and client-key-data, or a token in token"
	switch {
	case user.Exec != nil:
		return refuse(path+"exec", "runs a program, which is not accepted: %s", inline)
	case user.AuthProvider != nil:
		return refuse(path+"auth-provider", "runs a plugin, which is not accepted: %s", inline)
	case user.ClientCertificate != "":
		return refuse(path+"client-certificate", "names a file, which is not accepted: put the certificate in client-certificate-data")
	case user.ClientKey != "":
		return refuse(path+"client-key", "names a file, which is not accepted: put the key in client-key-data")
	case user.TokenFile != "":
		return refuse(path+"tokenFile", "names a file, which is not accepted: put the token in token")
	case user.Username != "":
		return refuse(path+"username", "is not accepted: %s", inline)
	case user.Password != "":
		return refuse(path+"password", "is not accepted: %s", inline)
	case user.Impersonate != "":
		return refuse(path+"as", "is not accepted: Kairship itself impersonates the people it acts for")
	case user.ImpersonateUID != "":
		return refuse(path+"as-uid", "is not accepted: Kairship itself impersonates the people it acts for")
	case len(user.ImpersonateGroups) != 0:
		return refuse(path+"as-groups", "is not accepted: Kairship itself impersonates the people it acts for")
	case len(user.ImpersonateUserExtra) != 0:
		return refuse(path+"as-user-extra", "is not accepted: Kairship itself impersonates the people it acts for")
	}

	hasCert, hasKey := len(user.ClientCertificateData) != 0, len(user.ClientKeyData) != 0
	switch {
	case hasCert && !hasKey:
		return refuse(path+"client-key-data", "is required beside client-certificate-data")
	case hasKey && !hasCert:
		return refuse(path+"client-certificate-data", "is required beside client-key-data")
	case !hasCert && user.Token == "":
		return refuse(strings.TrimSuffix(path, "."), "holds no credential: %s", inline)
	}
	if hasCert {
		// The library's error may quote what it found; ours does not.
		if _, err := tls.X509KeyPair(user.ClientCertificateData, user.ClientKeyData); err != nil {
			return refuse(path+"client-certificate-data", "and client-key-data are not a certificate in PEM form and its key")
		}
		out.CertData, out.KeyData = user.ClientCertificateData, user.ClientKeyData
	}
	if strings.ContainsFunc(user.Token, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return refuse(path+"token", "holds a space, a line break or a character that a header cannot carry")
	}
	out.BearerToken = user.Token
	return nil
}

var lineNumber = regexp.MustCompile(`\bline \d+\b`)

// position returns the line of a decoder's error, and nothing of its content.
func position(err error) string {
	if at := lineNumber.FindString(err.Error()); at != "" {
		return " (" + at + ")"
	}
	return ""
}

// quote shows a name from the file, shortened.
func quote(name string) string {
	const most = 64
	if len(name) > most {
		name = name[:most] + "…"
	}
	return fmt.Sprintf("%q", name)
}
