package actions

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/instance/kubeconfig"
	"github.com/kairship-io/kairship/internal/instance/link"
	"github.com/kairship-io/kairship/internal/karmada"
	"github.com/kairship-io/kairship/internal/member"
	"github.com/kairship-io/kairship/internal/model"
)

const (
	// maxClusterName is the longest name of a cluster: Karmada makes those of namespaces of it.
	maxClusterName = 48
	maxZones       = 32
	maxLabels      = 64
	maxTaints      = 32
	// A token has to live until somebody has run the command, and not much longer.
	minTokenMinutes = 5
	// memberTimeout is how long a member may take to answer while somebody waits.
	memberTimeout = 1500 * time.Millisecond
)

// JoinCluster joins a member cluster to an instance.
type JoinCluster struct {
	Instance string
	Name     string
	Mode     model.ClusterSyncMode
	// Kubeconfig is how the member is reached, for mode PUSH.
	Kubeconfig       string
	Provider, Region string
	Zones            []string
	Labels           []model.KeyValue
	Taints           []model.Taint
	TokenMinutes     int
	DryRun           bool

	// Dial connects to the member in a dry run; nil for direct connections.
	Dial link.Dialler `json:"-"`
}

// Joining is a joining that goes on.
type Joining struct {
	Operation *model.Operation
	// Command registers the member, for mode PULL. It holds a secret, and is not kept.
	Command string
}

// Verb names the action.
func (a *JoinCluster) Verb() string { return "joinCluster" }

// Target returns the cluster that is to be.
func (a *JoinCluster) Target(auth.Principal) (Target, error) {
	return Target{Ref: model.Ref{Instance: a.Instance, GVK: clusterKind, Name: a.Name}, Field: "instance", DryRun: a.DryRun}, nil
}

// Allowed is for Admins of the whole instance: Karmada gets all rights in the member, and the member's credentials are kept in Karmada.
func (a *JoinCluster) Allowed(call *Call) error { return forClusterAdmins(call, a.Instance) }

func forClusterAdmins(call *Call, instance string) error {
	if call.Scope.Grants(instance, nil) {
		return nil
	}
	return &model.Error{Code: model.CodeForbidden, Instance: instance,
		Message: fmt.Sprintf("only those with the role Admin on all of instance %q may join and remove clusters", instance)}
}

// Do starts the joining, once everything that can be checked in a moment is.
func (a *JoinCluster) Do(ctx context.Context, call *Call) (Joining, []model.UserError, error) {
	spec, err := a.spec()
	if err != nil {
		return Joining{}, nil, err
	}
	var credential *kubeconfig.Credential
	if a.Mode == model.SyncPush {
		if credential, err = kubeconfig.Parse([]byte(a.Kubeconfig)); err != nil {
			return Joining{}, nil, model.BadInput("kubeconfig", "%s", strings.TrimPrefix(err.Error(), "kubeconfig "))
		}
		call.Entry.Hide(a.Kubeconfig, credential.BearerToken, string(credential.KeyData))
	}
	if err := a.try(ctx, call, spec); err != nil {
		return Joining{}, nil, err
	}
	if a.DryRun && credential != nil {
		return Joining{}, nil, a.rehearse(ctx, call, credential)
	}
	out, secret := Joining{}, map[string][]byte{v1alpha1.KubeconfigKey: []byte(a.Kubeconfig)}
	if a.Mode == model.SyncPull {
		token := member.NewToken()
		call.Entry.Hide(token.Reveal())
		secret = map[string][]byte{member.TokenKey: []byte(token.Reveal())}
		if out.Command, err = a.command(ctx, call, token); err != nil || a.DryRun {
			return Joining{}, nil, err
		}
	}
	out.Operation, err = call.Begin(ctx, v1alpha1.OperationSpec{Instance: call.Target.Ref.Instance, Kind: v1alpha1.OperationJoinCluster, Cluster: a.Name, JoinCluster: spec}, secret)
	if err != nil {
		return Joining{}, nil, err
	}
	return out, nil, nil
}

// spec is the input as an operation has it; BAD_USER_INPUT names the field that is wrong.
func (a *JoinCluster) spec() (*v1alpha1.JoinClusterInput, error) {
	if len(a.Name) > maxClusterName || len(validation.IsDNS1123Label(a.Name)) > 0 {
		return nil, model.BadInput("name", "%.*q is not the name of a cluster: up to %d lower-case letters, digits and `-`, with a letter or digit at both ends",
			maxClusterName+1, a.Name, maxClusterName)
	}
	switch {
	case a.Mode == model.SyncPush && a.Kubeconfig == "":
		return nil, model.BadInput("kubeconfig", "is required for mode PUSH")
	case a.Mode == model.SyncPull && a.Kubeconfig != "":
		return nil, model.BadInput("kubeconfig", "is for mode PUSH; the mode is PULL, in which the cluster registers itself")
	case a.Mode == model.SyncPull && len(a.Labels) > 0:
		return nil, model.BadInput("labels", "are for mode PUSH; set them with updateCluster once the cluster has registered itself")
	case a.Mode == model.SyncPull && len(a.Taints) > 0:
		return nil, model.BadInput("taints", "are for mode PUSH; set them with updateCluster once the cluster has registered itself")
	}
	most := int(member.MostTokenLifetime / time.Minute)
	if a.TokenMinutes < minTokenMinutes || a.TokenMinutes > most {
		return nil, model.BadInput("tokenMinutes", "is %d; %d to %d are allowed", a.TokenMinutes, minTokenMinutes, most)
	}
	out := &v1alpha1.JoinClusterInput{Mode: "Push", Provider: a.Provider, Region: a.Region, Zones: a.Zones}
	if a.Mode == model.SyncPull {
		out.Mode, out.TokenLifetime = "Pull", &metav1.Duration{Duration: time.Duration(a.TokenMinutes) * time.Minute}
	}
	if err := a.places(); err != nil {
		return nil, err
	}
	return out, a.marks(out)
}

// places checks where the cluster is said to be.
func (a *JoinCluster) places() error {
	if len(a.Zones) > maxZones {
		return model.BadInput("zones", "are %d; at most %d are allowed", len(a.Zones), maxZones)
	}
	for field, values := range map[string][]string{"provider": {a.Provider}, "region": {a.Region}, "zones": a.Zones} {
		for _, v := range values {
			if why := validation.IsValidLabelValue(v); len(why) > 0 || v == "" && field == "zones" {
				return model.BadInput(field, "%.100q is not a name: 1 to 63 letters, digits, `-`, `_` and `.`, with a letter or digit at both ends", v)
			}
		}
	}
	return nil
}

// marks fills in labels and taints.
func (a *JoinCluster) marks(out *v1alpha1.JoinClusterInput) error {
	if len(a.Labels) > maxLabels {
		return model.BadInput("labels", "are %d; at most %d are allowed", len(a.Labels), maxLabels)
	}
	labels, err := labelsOf("labels", a.Labels)
	if err != nil {
		return err
	}
	for key, value := range labels {
		if out.Labels == nil {
			out.Labels = map[string]string{}
		}
		out.Labels[key], _ = value.(string)
	}
	if len(a.Taints) > maxTaints {
		return model.BadInput("taints", "are %d; at most %d are allowed", len(a.Taints), maxTaints)
	}
	if err := (&UpdateCluster{Taints: a.Taints}).check(nil); err != nil {
		return err
	}
	for _, t := range a.Taints {
		out.Taints = append(out.Taints, v1alpha1.ClusterTaint{Key: t.Key, Value: t.Value, Effect: taintEffects[t.Effect]})
	}
	return nil
}

// try asks Karmada whether the person may make the cluster, under that name and with those labels and taints.
func (a *JoinCluster) try(ctx context.Context, call *Call, in *v1alpha1.JoinClusterInput) error {
	object, err := call.Open(ctx, call.Target.Ref)
	if err != nil {
		return err
	}
	metadata, spec := map[string]any{"name": a.Name}, map[string]any{"syncMode": in.Mode}
	if len(in.Labels) > 0 {
		metadata["labels"] = in.Labels
	}
	if len(in.Taints) > 0 {
		spec["taints"] = in.Taints
	}
	_, err = object.Trying().Create(ctx, map[string]any{"apiVersion": clusterKind.GroupVersion().String(), "kind": clusterKind.Kind, "metadata": metadata, "spec": spec})
	refused := (*karmada.Refused)(nil)
	if !errors.As(err, &refused) {
		return err
	}
	field := "name"
	for _, f := range []string{"labels", "taints"} {
		if slices.Contains(refused.Field, f) {
			field = f
		}
	}
	refused.Field = []string{"input", field}
	if refused.Code == string(model.CodeConflict) {
		refused.Message = fmt.Sprintf("the instance has a cluster %q already", a.Name)
	}
	return refused
}

// rehearse looks for what would end the joining: what the member says, that it is held already, and that its credentials could not be kept.
func (a *JoinCluster) rehearse(ctx context.Context, call *Call, credential *kubeconfig.Credential) error {
	id, err := a.visit(ctx, credential)
	if err != nil {
		return err
	}
	conflict := func(field, why string) error {
		return &model.Error{Code: model.CodeConflict, Instance: a.Instance, Field: []string{field}, Message: field + ": " + why}
	}
	if why, err := call.Fleet.Unjoinable(call.Scope, a.Instance, a.Name, id); err != nil || why != "" {
		return cmp.Or(err, conflict("kubeconfig", why))
	}
	for _, name := range []string{a.Name, member.Impersonator(a.Name)} {
		_, err := call.read(ctx, model.Ref{Instance: a.Instance, GVK: secretKind, Namespace: member.Namespace, Name: name})
		if err == nil {
			return conflict("name", member.SecretTaken(name))
		}
		if !karmada.IsAbsent(err) {
			return err
		}
	}
	return nil
}

// visit looks whether the member answers to the kubeconfig, and whether that is enough, and returns which cluster it is.
func (a *JoinCluster) visit(ctx context.Context, credential *kubeconfig.Credential) (id string, err error) {
	ctx, cancel := context.WithTimeout(ctx, memberTimeout)
	defer cancel()
	m, err := member.Open(credential, a.Dial)
	if err != nil {
		return "", model.BadInput("kubeconfig", "cannot be used: %v", err)
	}
	defer m.Close()
	if id, err = m.ID(ctx); err == nil {
		err = m.MayAdmit(ctx)
	}
	if err != nil {
		return "", model.BadInput("kubeconfig", "%v", err)
	}
	return id, nil
}

// clusterInfo is what an instance shows to clusters that are about to register.
var clusterInfo = model.Ref{GVK: schema.GroupVersionKind{Version: "v1", Kind: "ConfigMap"}, Namespace: "kube-public", Name: "cluster-info"}

// command is the line that registers the member.
func (a *JoinCluster) command(ctx context.Context, call *Call, token *member.Token) (string, error) {
	ref := clusterInfo
	ref.Instance = a.Instance
	raw, err := call.read(ctx, ref)
	if karmada.IsAbsent(err) {
		return "", model.BadInput("mode", "PULL needs the ConfigMap kube-public/cluster-info in instance %q, which is not there: its Karmada is not set up for clusters that register themselves", a.Instance)
	}
	if err != nil {
		return "", err
	}
	var info struct {
		Data map[string]string `json:"data"`
	}
	if err := utiljson.Unmarshal(raw, &info); err != nil {
		return "", fmt.Errorf("decode the ConfigMap cluster-info: %w", err)
	}
	server, hashes, err := member.Endpoint(info.Data["kubeconfig"])
	if err != nil {
		return "", model.BadInput("mode", "PULL cannot be used: the ConfigMap kube-public/cluster-info of instance %q is not what registration needs: %v", a.Instance, err)
	}
	instance, err := call.Fleet.Instance(call.Scope, a.Instance)
	if err != nil {
		return "", err
	}
	version := ""
	if instance.KarmadaVersion != nil {
		version = *instance.KarmadaVersion
	}
	command, err := member.Registration{Cluster: a.Name, Provider: a.Provider, Region: a.Region, Zones: a.Zones, KarmadaVersion: version,
		Server: server, CAHashes: hashes, Token: token}.Command()
	if err != nil {
		return "", &model.Error{Code: model.CodeUnavailable, Instance: a.Instance, Retryable: true, Message: fmt.Sprintf("the command for instance %q cannot be made: %v", a.Instance, err)}
	}
	return command, nil
}

// Kept is the operation. The command is not: it holds a secret.
func (a *JoinCluster) Kept(j Joining) any { return keptOperation(j.Operation) }

// Again returns the operation as it is now.
func (a *JoinCluster) Again(_ context.Context, call *Call, kept []byte) (Joining, error) {
	o, err := call.operation(kept)
	return Joining{Operation: o}, err
}
