package globalmanagement

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// The headers of a signed request.
const (
	// HeaderTimestamp holds when it was signed, in seconds since 1970.
	HeaderTimestamp = "X-Kairship-Timestamp"
	// HeaderSignature holds v1=HEX, where HEX is the HMAC-SHA256 of timestamp, "." and body. There may be several, in
	// headers of their own or separated by commas: one must be valid.
	HeaderSignature = "X-Kairship-Signature"
)

const (
	scheme = "v1="
	// maxSignatures bounds how many signatures of a request are checked.
	maxSignatures = 4
)

var timestampForm = regexp.MustCompile(`^[0-9]{1,12}$`)

// Sign makes the value of HeaderSignature for a timestamp and the signed content: a body, or a path.
func Sign(secret []byte, timestamp string, content []byte) string {
	return scheme + hex.EncodeToString(sum(secret, timestamp, content))
}

func sum(secret []byte, timestamp string, content []byte) []byte {
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(timestamp))
	mac.Write([]byte("."))
	mac.Write(content)
	return mac.Sum(nil)
}

// signed is what the headers of a request say.
type signed struct {
	timestamp  string
	at         time.Time
	signatures [][]byte
}

// readSignature reads the headers.
func readSignature(header http.Header) (signed, *refusal) {
	var s signed
	stamps := header.Values(HeaderTimestamp)
	written := strings.Split(strings.Join(header.Values(HeaderSignature), ","), ",")
	if len(stamps) == 0 || strings.TrimSpace(strings.Join(written, "")) == "" {
		return s, refuse(reasonUnsigned, "the headers %s and %s are required", HeaderTimestamp, HeaderSignature)
	}
	if len(stamps) > 1 || !timestampForm.MatchString(stamps[0]) {
		return s, refuse(reasonMalformed, "%s must be one number: seconds since 1970", HeaderTimestamp)
	}
	seconds, err := strconv.ParseInt(stamps[0], 10, 64)
	if err != nil {
		return s, refuse(reasonMalformed, "%s must be one number: seconds since 1970", HeaderTimestamp)
	}
	s.timestamp, s.at = stamps[0], time.Unix(seconds, 0)
	if len(written) > maxSignatures {
		return s, refuse(reasonMalformed, "%s holds more than %d signatures", HeaderSignature, maxSignatures)
	}
	for _, one := range written {
		// Unknown schemes, of the future, are not an error.
		digits, ours := strings.CutPrefix(strings.TrimSpace(one), scheme)
		mac, err := hex.DecodeString(digits)
		if ours && (err != nil || len(mac) != sha256.Size) {
			return s, refuse(reasonMalformed, "%s must be v1= and %d hexadecimal digits", HeaderSignature, 2*sha256.Size)
		}
		if ours {
			s.signatures = append(s.signatures, mac)
		}
	}
	if len(s.signatures) == 0 {
		return s, refuse(reasonMalformed, "%s holds no signature of scheme v1", HeaderSignature)
	}
	return s, nil
}

// verify reports whether one of the signatures was made with one of the secrets. It takes the same time whichever
// they are.
func (s signed) verify(secrets [][]byte, content []byte) bool {
	right := false
	for _, secret := range secrets {
		want := sum(secret, s.timestamp, content)
		for _, have := range s.signatures {
			// Not right || …, which would skip the rest.
			if hmac.Equal(want, have) {
				right = true
			}
		}
	}
	return right
}

// digest identifies what was signed, not its signatures: a captured request has the digest of the original.
func (s signed) digest(content []byte) string {
	h := sha256.New()
	h.Write([]byte(s.timestamp))
	h.Write([]byte("."))
	h.Write(content)
	return hex.EncodeToString(h.Sum(nil))
}
