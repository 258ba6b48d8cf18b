package workloadform

import (
	"slices"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/objects"
	"github.com/kairship-io/kairship/internal/overlay"
)

// Shortcuts of the tables.
type (
	kind   = model.WorkloadKind
	form   = overlay.Form
	field  = overlay.Field
	object = overlay.Object
	list   = overlay.List
)

var (
	text         = overlay.Text{Empty: true}
	whole        = overlay.Number{}
	truth        = overlay.Flag{}
	quantity     = overlay.Quantity{}
	numberOrText = overlay.NumberOrText{}
	texts        = overlay.Values{}
	wholes       = overlay.Values{Is: whole}
	references   = overlay.Values{Key: "name"}
	allPairs     = overlay.Entries{}
	quantities   = overlay.Entries{Is: quantity}
	// ownPairs leaves out what Karmada and kubectl note down.
	ownPairs = overlay.Entries{
		Unseen: func(key string) bool { return objects.OfKarmada(key) || objects.Hidden(key) }, Untold: objects.Hidden,
		Refused: "is written by Karmada or kubectl themselves; see createPolicy and protectResource for what people say by such keys",
	}
	// jobsPairs leaves out what an API server adds to the pods of a Job.
	jobsPairs = overlay.Entries{
		Unseen: func(key string) bool { return slices.Contains(ofJobs, key) }, Refused: "is given to the pods of a Job by the API server",
	}
)

// ofJobs are the labels by which a Job that says nothing else knows its pods.
var ofJobs = []string{"controller-uid", "job-name", "batch.kubernetes.io/controller-uid", "batch.kubernetes.io/job-name"}

// words is one of some words of Kubernetes.
func words(allowed ...string) overlay.Enum { return overlay.Enum{Words: allowed} }

// named is a list whose items all have the first of some fields, and are told from each other by them.
func named(item form, by ...string) list { return list{Form: item, Identity: by, Needed: true} }
