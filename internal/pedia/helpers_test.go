package pedia_test

import (
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/pedia"
)

var (
	deployments  = pedia.Deployments
	statefulSets = schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "statefulsets"}
	jobs         = schema.GroupVersionResource{Group: "batch", Version: "v1", Resource: "jobs"}

	everything, client, row, list, decodeKey = pedia.Everything, pedia.ClientOf, pedia.RowOf, pedia.ListOf, pedia.DecodeKey
)

func one(gvr ...schema.GroupVersionResource) []schema.GroupVersionResource { return gvr }
