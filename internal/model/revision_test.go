package model_test

import (
	"testing"

	"github.com/kairship-io/kairship/internal/model"
)

func TestALineageTellsWhichRevisionIsCurrentAndWhichCameBefore(t *testing.T) {
	revision := func(workload, name string, number int64) *model.Revision {
		return &model.Revision{Object: model.Object{Ref: model.Ref{Name: name}}, WorkloadUID: workload, Revision: number}
	}
	web1, web2, web7 := revision("web", "c", 1), revision("web", "a", 2), revision("web", "b", 7)
	lineages := model.Lineages([]*model.Revision{web2, revision("", "x", 9), web7, web1, revision("api", "d", 5)})
	if len(lineages) != 2 || len(lineages["web"]) != 3 || lineages["web"][0] != web7 {
		t.Fatalf("got %v, want two lineages, the newest first", lineages)
	}
	for _, tt := range []struct {
		of, before *model.Revision
		state      model.RevisionState
	}{{web7, web2, model.RevisionCurrent}, {web2, web1, model.RevisionPast}, {web1, nil, model.RevisionPast}} {
		if got := lineages["web"].Before(tt.of); got != tt.before {
			t.Errorf("before revision %d comes %v, want %v", tt.of.Revision, got, tt.before)
		}
		if got := lineages["web"].State(tt.of); got == nil || *got != tt.state {
			t.Errorf("revision %d is %v, want %s", tt.of.Revision, got, tt.state)
		}
	}
	if got := model.Lineage(nil).State(web1); got != nil {
		t.Errorf("without the others it is %s, want nothing", *got)
	}
}
