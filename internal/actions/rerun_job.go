package actions

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/kairship-io/kairship/internal/karmada"
	"github.com/kairship-io/kairship/internal/model"
)

// RerunJob runs a Job again. A Job runs once, so it is deleted and made anew under its name, with the spec and labels that it had.
type RerunJob struct{ OnWorkload }

// Verb names the action.
func (a *RerunJob) Verb() string { return "rerunJob" }

const (
	// remakeTime is how long a deleted Job may take to be gone, and to be made again.
	remakeTime = 10 * time.Second
	// remakeInterval is how often it is tried.
	remakeInterval = 200 * time.Millisecond
)

// Do returns the new Job. Nothing is deleted unless the API server would accept the new one; from the deletion on the client
// cannot stop it, so that no Job is lost by a connection that breaks.
func (a *RerunJob) Do(ctx context.Context, call *Call) (model.Workload, []model.UserError, error) {
	ref := call.Target.Ref
	if _, err := a.kindOf(call, "run again", model.KindJob); err != nil {
		return nil, nil, err
	}
	job, err := call.Open(ctx, ref)
	if err != nil {
		return nil, nil, err
	}
	raw, err := job.Get(ctx)
	if err != nil {
		return nil, nil, err
	}
	anew, held, err := again(raw)
	if err != nil {
		return nil, nil, err
	}
	// What changes of it meanwhile is its status: it is the Job that is meant, whatever its version.
	held.ResourceVersion = ""
	if err := (karmada.Expected{UID: a.UID}).Meets(held); err != nil {
		return nil, nil, err
	}
	if raw, err = a.tried(ctx, call, anew); err != nil {
		return nil, nil, err
	}
	if !call.Target.DryRun {
		if raw, err = remake(context.WithoutCancel(ctx), job, held, anew); err != nil {
			return nil, nil, err
		}
	}
	w, err := decodeWorkload(ref, raw)
	return w, nil, err
}

// tried tries to make the Job under another name: its own is taken.
func (a *RerunJob) tried(ctx context.Context, call *Call, anew map[string]any) ([]byte, error) {
	stand := call.Target.Ref
	stand.Name = karmada.UniqueName(stand.Name)
	object, err := call.Open(ctx, stand)
	if err != nil {
		return nil, err
	}
	body := maps.Clone(anew)
	metadata := maps.Clone(within(anew, "metadata"))
	metadata["name"], body["metadata"] = stand.Name, metadata
	raw, err := object.Trying().Create(ctx, body)
	if err != nil {
		return nil, err
	}
	var made map[string]any
	if err := json.Unmarshal(raw, &made); err != nil {
		return nil, fmt.Errorf("decode a Job that was tried: %w", err)
	}
	within(made, "metadata")["name"] = call.Target.Ref.Name
	return json.Marshal(made)
}

// remake deletes the Job and makes it again. An answer that was lost on the way leaves open whether that was done: so it looks, and goes on
// until another Job is there, whoever made it.
func remake(ctx context.Context, job *karmada.Object, held karmada.Expected, anew map[string]any) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, remakeTime)
	defer cancel()
	every := time.NewTicker(remakeInterval)
	defer every.Stop()
	refused := (*karmada.Refused)(nil)
	for there := true; ; {
		if there {
			if err := job.Delete(ctx, held); errors.As(err, &refused) && !karmada.IsAbsent(err) {
				return nil, err
			}
		}
		raw, err := job.Create(ctx, anew)
		if err == nil {
			return raw, nil
		}
		raw, now, lookErr := look(ctx, job)
		if lookErr == nil && now != held.UID {
			return raw, nil
		}
		there = lookErr == nil
		select {
		case <-every.C:
		case <-ctx.Done():
			return nil, &model.Error{Code: model.CodeUnavailable, Instance: job.Ref.Instance, Err: err,
				Message: fmt.Sprintf("Job %s/%s could not be made again within %s: %v; look whether it is still there, and apply its manifest if it is not", job.Ref.Namespace, job.Ref.Name, remakeTime, err)}
		}
	}
}

// look returns the Job of that name and its uid.
func look(ctx context.Context, job *karmada.Object) (raw []byte, uid string, err error) {
	if raw, err = job.Get(ctx); err != nil {
		return nil, "", err
	}
	var found struct{ Metadata struct{ UID string } }
	err = json.Unmarshal(raw, &found)
	return raw, found.Metadata.UID, err
}

// jobLabels are those that the API server makes of a Job's uid and name.
var jobLabels = []string{batchv1.ControllerUidLabel, batchv1.JobNameLabel, "controller-uid", "job-name"}

// again is a Job as it is made again, and the version that it is made of.
func again(raw []byte) (map[string]any, karmada.Expected, error) {
	var job map[string]any
	if err := utiljson.Unmarshal(raw, &job); err != nil {
		return nil, karmada.Expected{}, fmt.Errorf("decode a Job: %w", err)
	}
	metadata := within(job, "metadata")
	if finalizers, _ := metadata["finalizers"].([]any); len(finalizers) > 0 || metadata["deletionTimestamp"] != nil {
		return nil, karmada.Expected{}, model.BadInput("id", "is the id of a Job that is being deleted, or that somebody has to agree to the deletion of (finalizers): it could not be made again at once")
	}
	held := karmada.Expected{}
	held.UID, _ = metadata["uid"].(string)
	held.ResourceVersion, _ = metadata["resourceVersion"].(string)
	kept := map[string]any{}
	for _, field := range []string{"name", "namespace", "labels", "annotations", "ownerReferences"} {
		if value, ok := metadata[field]; ok {
			kept[field] = value
		}
	}
	delete(job, "status")
	job["metadata"] = kept
	spec := within(job, "spec")
	if manual, _ := spec["manualSelector"].(bool); !manual {
		// The API server makes the selector and its labels of the uid.
		delete(spec, "selector")
		for _, labels := range []map[string]any{within(kept, "labels"), within(spec, "template", "metadata", "labels")} {
			for _, key := range jobLabels {
				delete(labels, key)
			}
		}
	}
	delete(within(kept, "annotations"), batchv1.JobTrackingFinalizer)
	return job, held, nil
}
