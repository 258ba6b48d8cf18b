// Package protocol is what clients, the server and a console runner say to each other.
package protocol

import (
	"encoding/json"
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/remotecommand"
)

// Subprotocols are Kubernetes' remote command protocols that a client may speak, the best first. In the older one nobody
// can say that the input ends.
var Subprotocols = []string{remotecommand.StreamProtocolV5Name, remotecommand.StreamProtocolV4Name}

// MaxMessage is the longest message of a client or of a runner, in bytes.
const MaxMessage = 64 << 10

// What the server and a runner say to each other, beside the messages of the remote command protocol, which are binary.
// Both sides of it are of the same version.
const (
	// SessionsPath is the path at which a runner opens sessions, and PrincipalParameter whose: both are known before
	// there is a credential, which is then not issued in vain.
	SessionsPath       = "/sessions"
	PrincipalParameter = "principal"
)

// Refusal is the body of a runner's answer that opens no session.
type Refusal struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// Start is the server's first message: text, in JSON.
type Start struct {
	Instance   string    `json:"instance"`
	Kubeconfig string    `json:"kubeconfig"`
	Expires    time.Time `json:"expires"`
}

// Started is the runner's answer to it: text, in JSON.
type Started struct {
	// Failure is why there is no shell; empty when there is one.
	Failure string `json:"failure,omitempty"`
}

// Frame is a message of the remote command protocol: a channel, and what is sent on it.
func Frame(channel byte, data []byte) []byte { return append([]byte{channel}, data...) }

// Exited is the last message of a shell that has ended by itself.
func Exited(code int) []byte {
	if code == 0 {
		return status(metav1.Status{Status: metav1.StatusSuccess})
	}
	return status(metav1.Status{Status: metav1.StatusFailure, Reason: remotecommand.NonZeroExitCodeReason,
		Message: fmt.Sprintf("the shell ended with exit code %d", code),
		Details: &metav1.StatusDetails{Causes: []metav1.StatusCause{{Type: remotecommand.ExitCodeCauseType, Message: fmt.Sprint(code)}}}})
}

// Ended is the last message of a session that was ended.
func Ended(reason metav1.StatusReason, message string) []byte {
	return status(metav1.Status{Status: metav1.StatusFailure, Reason: reason, Message: message})
}

func status(s metav1.Status) []byte {
	raw, err := json.Marshal(s)
	if err != nil {
		return Frame(remotecommand.StreamErr, []byte(`{"status":"Failure"}`)) // nothing in it fails
	}
	return Frame(remotecommand.StreamErr, raw)
}
