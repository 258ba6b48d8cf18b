package actions

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"

	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/karmada"
	"github.com/kairship-io/kairship/internal/model"
)

// jobServer is an API server with one Job, which loses answers on the way: what was asked is done.
type jobServer struct {
	t *testing.T

	mu sync.Mutex
	// uid is the Job's; empty when there is none.
	uid  string
	made int
	// lost is how many answers of a method are still lost.
	lost map[string]int
}

func (s *jobServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	code, body := s.answer(r)
	if s.lost[r.Method] > 0 && strings.Contains(r.URL.Path, "/jobs") {
		s.lost[r.Method]--
		panic(http.ErrAbortHandler) //nolint:forbidigo // how a handler cuts its connection
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	if err := json.NewEncoder(w).Encode(body); err != nil {
		s.t.Error(err)
	}
}

func (s *jobServer) answer(r *http.Request) (int, map[string]any) {
	status := func(code int, reason string) (int, map[string]any) {
		return code, map[string]any{"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": reason, "code": code, "message": reason, "details": map[string]any{"name": "import"}}
	}
	job := func() map[string]any {
		return map[string]any{"kind": "Job", "apiVersion": "batch/v1", "metadata": map[string]any{"name": "import", "namespace": "shop", "uid": s.uid, "resourceVersion": fmt.Sprint(10 + s.made)}}
	}
	switch {
	case !strings.Contains(r.URL.Path, "/jobs"):
		return http.StatusOK, map[string]any{"gitVersion": "v1.35.0"}
	case r.Method == http.MethodPost && s.uid != "":
		return status(http.StatusConflict, "AlreadyExists")
	case r.Method == http.MethodPost:
		s.made++
		s.uid = fmt.Sprint("new-", s.made)
		return http.StatusCreated, job()
	case s.uid == "":
		return status(http.StatusNotFound, "NotFound")
	case r.Method == http.MethodDelete:
		var options struct{ Preconditions struct{ UID string } }
		if err := json.NewDecoder(r.Body).Decode(&options); err != nil {
			s.t.Error(err)
		}
		if options.Preconditions.UID != s.uid {
			return status(http.StatusConflict, "Conflict")
		}
		s.uid = ""
		return http.StatusOK, map[string]any{"kind": "Status", "apiVersion": "v1", "status": "Success"}
	}
	return http.StatusOK, job()
}

type toJobs struct{ host string }

func (toJobs) Instance() string                          { return "asia" }
func (c toJobs) As(auth.Principal) (*rest.Config, error) { return &rest.Config{Host: c.host}, nil }
func (toJobs) Mapper() meta.ResettableRESTMapper         { return nil }

func TestAnAnswerThatIsLostLosesNoJob(t *testing.T) {
	for name, lost := range map[string]map[string]int{
		"none":                       {},
		"of the deletion":            {http.MethodDelete: 1},
		"of the creation":            {http.MethodPost: 1},
		"of both":                    {http.MethodDelete: 1, http.MethodPost: 1},
		"of both, and of one look":   {http.MethodDelete: 1, http.MethodPost: 1, http.MethodGet: 1},
		"of every one several times": {http.MethodDelete: 2, http.MethodPost: 2, http.MethodGet: 2},
	} {
		t.Run(name, func(t *testing.T) {
			server := &jobServer{t: t, uid: "old", lost: lost}
			served := httptest.NewServer(server)
			t.Cleanup(served.Close)
			ref := model.Ref{Instance: "asia", GVK: schema.GroupVersionKind{Group: "batch", Version: "v1", Kind: "Job"}, Namespace: "shop", Name: "import"}
			job, err := karmada.Open(t.Context(), toJobs{served.URL}, auth.Principal{Name: "kairship:oidc:ann"}, ref, false)
			if err != nil {
				t.Fatal(err)
			}
			raw, err := remake(t.Context(), job, karmada.Expected{UID: "old"}, map[string]any{"metadata": map[string]any{"name": "import"}})
			if err != nil {
				t.Fatal(err)
			}
			var got struct{ Metadata struct{ UID string } }
			if err := json.Unmarshal(raw, &got); err != nil || got.Metadata.UID != "new-1" || server.uid != "new-1" || server.made != 1 {
				t.Errorf("it answers %q of %q, made %d times: %v", got.Metadata.UID, server.uid, server.made, err)
			}
		})
	}
}
