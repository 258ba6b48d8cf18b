package testenv

import (
	"context"
	"crypto/rand"
	"fmt"
	"strings"
	"time"

	authorizationv1 "k8s.io/api/authorization/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// UntilGranted waits until every role and binding that was made so far is in force. The API server authorises by watches of
// its own, one for each of the four kinds, which lag behind what was written; each tells in order, so that the newest
// role and binding being in force says it of all before.
func (s *Server) UntilGranted(ctx context.Context) error {
	const group, namespace = "test.kairship.io", "default"
	user := "test:granted-" + strings.ToLower(rand.Text()[:8])
	may := func(resource string) []rbacv1.PolicyRule {
		return []rbacv1.PolicyRule{{APIGroups: []string{group}, Resources: []string{resource}, Verbs: []string{"get"}}}
	}
	name, local := metav1.ObjectMeta{Name: user}, metav1.ObjectMeta{Namespace: namespace, Name: user}
	whom := []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: rbacv1.UserKind, Name: user}}
	objects := []client.Object{
		&rbacv1.ClusterRole{ObjectMeta: name, Rules: may("everywhere")},
		&rbacv1.ClusterRoleBinding{ObjectMeta: name, RoleRef: rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: user}, Subjects: whom},
		&rbacv1.Role{ObjectMeta: local, Rules: may("here")},
		&rbacv1.RoleBinding{ObjectMeta: local, RoleRef: rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "Role", Name: user}, Subjects: whom},
	}
	for _, o := range objects {
		if err := s.Client.Create(ctx, o); err != nil {
			return fmt.Errorf("making %T: %w", o, err)
		}
	}
	for _, resource := range []string{"everywhere", "here"} {
		err := wait.PollUntilContextTimeout(ctx, 10*time.Millisecond, Timeout, true, func(ctx context.Context) (bool, error) {
			review := &authorizationv1.SubjectAccessReview{Spec: authorizationv1.SubjectAccessReviewSpec{User: user,
				ResourceAttributes: &authorizationv1.ResourceAttributes{Group: group, Resource: resource, Namespace: namespace, Verb: "get"}}}
			err := s.Client.Create(ctx, review)
			return review.Status.Allowed, err
		})
		if err != nil {
			return fmt.Errorf("waiting until rights are in force: %w", err)
		}
	}
	for _, o := range objects {
		if err := s.Client.Delete(ctx, o); err != nil {
			return fmt.Errorf("removing %T: %w", o, err)
		}
	}
	return nil
}
