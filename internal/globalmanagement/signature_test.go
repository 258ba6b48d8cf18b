package globalmanagement

import (
	"net/http"
	"testing"
)

// A signature that none of this code has made:
//
//	printf '%s.%s' 1800000000 '{"kind":"binding","name":"ada"}' | openssl dgst -sha256 -hmac golden-secret-0123456789abcdef0123
const (
	goldenSecret    = "golden-secret-0123456789abcdef0123"
	goldenTimestamp = "1800000000"
	goldenBody      = `{"kind":"binding","name":"ada"}`
	goldenSignature = "v1=3e71ab8a80722240add91affdfa514b0423b8a7770fe4f83b1cc06dbe0c53b78"
)

func TestASignatureIsTheOneThatSendersMake(t *testing.T) {
	if got := Sign([]byte(goldenSecret), goldenTimestamp, []byte(goldenBody)); got != goldenSignature {
		t.Errorf("signed %s, want %s", got, goldenSignature)
	}
	s, refused := readSignature(http.Header{HeaderTimestamp: {goldenTimestamp}, HeaderSignature: {goldenSignature}})
	if refused != nil {
		t.Fatal(refused)
	}
	if !s.verify([][]byte{[]byte("another"), []byte(goldenSecret)}, []byte(goldenBody)) {
		t.Error("the signature is not taken")
	}
	if s.verify([][]byte{[]byte(goldenSecret)}, []byte(goldenBody+" ")) {
		t.Error("the signature is taken for another body")
	}
}

func TestTheHeadersOfASignatureAreTheOnesThatSendersSet(t *testing.T) {
	if HeaderTimestamp != "X-Kairship-Timestamp" || HeaderSignature != "X-Kairship-Signature" {
		t.Errorf("the headers are %s and %s", HeaderTimestamp, HeaderSignature)
	}
}
