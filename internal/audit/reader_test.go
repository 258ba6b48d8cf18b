package audit

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kairship-io/kairship/internal/model"
)

func TestWhatIsVisibleIsNarrowedByWhatIsAskedForAndNeverWidened(t *testing.T) {
	all := Visible{All: true}
	admin := Visible{Instances: map[string]Namespaces{"asia": {All: true}}}
	viewer := Visible{Instances: map[string]Namespaces{"asia": {Names: []string{"shop", "web", "shop"}}, "europe": {Names: []string{"shop"}}}}
	object := func(instance, namespace string) Object {
		return Object{Ref: model.Ref{Instance: instance, Namespace: namespace, Name: "web"}, Resource: "deployments"}
	}
	web, wide, foreign, hidden := object("asia", "shop"), object("asia", ""), object("europe", "shop"), object("asia", "vault")
	for name, test := range map[string]struct {
		visible Visible
		filter  Filter
		want    []Partition
	}{
		"nobody sees anything":                              {Visible{}, Filter{}, nil},
		"nobody sees what they name":                        {Visible{}, Filter{Instances: []string{"asia"}, Namespaces: []string{"shop"}}, nil},
		"an owner sees all":                                 {all, Filter{}, []Partition{{}}},
		"an owner sees all of a namespace":                  {all, Filter{Namespaces: []string{"shop"}}, []Partition{{}}},
		"an owner asks for instances":                       {all, Filter{Instances: []string{"europe", "asia"}}, []Partition{{Instance: "asia"}, {Instance: "europe"}}},
		"an owner asks for namespaces of one":               {all, Filter{Instances: []string{"asia"}, Namespaces: []string{"b", "a"}}, []Partition{{Instance: "asia", Namespace: "a"}, {Instance: "asia", Namespace: "b"}}},
		"an administrator sees their instance":              {admin, Filter{}, []Partition{{Instance: "asia"}}},
		"an administrator sees nothing of another":          {admin, Filter{Instances: []string{"europe"}}, nil},
		"an administrator asks for a namespace":             {admin, Filter{Namespaces: []string{"shop"}}, []Partition{{Instance: "asia", Namespace: "shop"}}},
		"a viewer sees their namespaces":                    {viewer, Filter{}, []Partition{{Instance: "asia", Namespace: "shop"}, {Instance: "asia", Namespace: "web"}, {Instance: "europe", Namespace: "shop"}}},
		"a viewer asks for one of them":                     {viewer, Filter{Namespaces: []string{"web", "other"}}, []Partition{{Instance: "asia", Namespace: "web"}}},
		"a viewer asks for an instance":                     {viewer, Filter{Instances: []string{"europe", "other"}}, []Partition{{Instance: "europe", Namespace: "shop"}}},
		"a viewer asks for others":                          {viewer, Filter{Namespaces: []string{"other"}}, nil},
		"an empty namespace is not all of an instance":      {Visible{Instances: map[string]Namespaces{"asia": {Names: []string{""}}}}, Filter{}, nil},
		"an empty instance is not all there is":             {Visible{Instances: map[string]Namespaces{"": {All: true}}}, Filter{}, nil},
		"an empty instance has no namespaces":               {Visible{Instances: map[string]Namespaces{"": {Names: []string{"shop"}}}}, Filter{}, nil},
		"no namespaces are none":                            {Visible{Instances: map[string]Namespaces{"asia": {}}}, Filter{}, nil},
		"an instance of which nothing is visible adds none": {Visible{Instances: map[string]Namespaces{"asia": {}, "europe": {All: true}}}, Filter{}, []Partition{{Instance: "europe"}}},
		"an owner asks for an object":                       {all, Filter{Objects: []Object{web}}, []Partition{{"asia", "shop", web}}},
		"an administrator asks for objects":                 {admin, Filter{Objects: []Object{web, wide, foreign}}, []Partition{{"asia", "shop", web}, {"asia", "", wide}}},
		"a viewer asks for objects":                         {viewer, Filter{Objects: []Object{web, wide, foreign, hidden}}, []Partition{{"asia", "shop", web}, {"europe", "shop", foreign}}},
		"an object without a name is not all there is":      {all, Filter{Objects: []Object{{Ref: model.Ref{Instance: "asia"}}}}, nil},
		"an object in no instance is not all there is":      {all, Filter{Objects: []Object{{Ref: model.Ref{Name: "web"}}}}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, partitionsOf(test.visible, test.filter)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// shelf answers every query with the same events.
type shelf struct {
	events []Event
	asked  []Query
	err    error

	selections []SelectionQuery
}

func (s *shelf) AuditPage(_ context.Context, q Query) ([]Event, error) {
	s.asked = append(s.asked, q)
	return s.events[:min(q.Limit, len(s.events))], s.err
}

func (s *shelf) AuditSelections(_ context.Context, q SelectionQuery) ([]Selection, error) {
	s.selections = append(s.selections, q)
	return nil, s.err
}

func TestWhatPoliciesSelectedIsAskedForWhereTheirWritesAreVisible(t *testing.T) {
	web := model.Ref{Instance: "asia", Namespace: "shop", Name: "web"}
	member := web
	member.Cluster = "tokyo"
	for name, test := range map[string]struct {
		visible Visible
		object  model.Ref
		want    []string
	}{
		"an owner":                                     {Visible{All: true}, web, []string{"shop", ""}},
		"an administrator":                             {Visible{Instances: map[string]Namespaces{"asia": {All: true}}}, web, []string{"shop", ""}},
		"an administrator of the namespace":            {Visible{Instances: map[string]Namespaces{"asia": {Names: []string{"shop"}}}}, web, []string{"shop"}},
		"an administrator of another one":              {Visible{Instances: map[string]Namespaces{"asia": {Names: []string{"vault"}}}}, web, nil},
		"an administrator of another instance":         {Visible{Instances: map[string]Namespaces{"europe": {All: true}}}, web, nil},
		"nobody":                                       {Visible{}, web, nil},
		"an owner of what is in no namespace":          {Visible{All: true}, model.Ref{Instance: "asia", Name: "view"}, []string{""}},
		"an owner of what is in a member of Karmada's": {Visible{All: true}, member, nil},
	} {
		t.Run(name, func(t *testing.T) {
			s := &shelf{}
			if _, err := NewReader(s).Policies(t.Context(), test.visible, test.object, time.Time{}); err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, q := range s.selections {
				got = append(got, q.Namespaces...)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	_, err := NewReader(nil).Policies(t.Context(), Visible{All: true}, web, time.Time{})
	var known *model.Error
	if !errors.As(err, &known) || known.Code != model.CodeUnavailable {
		t.Errorf("without a database: %v", err)
	}
}

func TestAPageSaysWhetherMoreFollows(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 678901000, time.UTC)
	s := &shelf{events: []Event{{ID: newID(), At: at}, {ID: newID(), At: at}, {ID: newID(), At: at}}}
	r := NewReader(s)
	first, err := r.Page(t.Context(), Visible{All: true}, Filter{Actions: []string{"x"}}, model.Page{First: 2})
	if err != nil {
		t.Fatal(err)
	}
	if len(first.Edges) != 2 || !first.PageInfo.HasNextPage || first.PageInfo.HasPreviousPage || s.asked[0].Limit != 3 || s.asked[0].Before != nil {
		t.Errorf("got %d rows, %+v, for %+v", len(first.Edges), first.PageInfo, s.asked[0])
	}
	s.events = s.events[2:]
	last, err := r.Page(t.Context(), Visible{All: true}, Filter{}, model.Page{First: 2, After: *first.PageInfo.EndCursor})
	if err != nil || len(last.Edges) != 1 || last.PageInfo.HasNextPage || !last.PageInfo.HasPreviousPage {
		t.Errorf("got %+v, %v", last, err)
	}
	if want := (Position{At: at, ID: first.Edges[1].Node.ID}); *s.asked[1].Before != want {
		t.Errorf("asked before %+v, want %+v", *s.asked[1].Before, want)
	}
}

func TestWithoutRightsNothingIsAsked(t *testing.T) {
	s := &shelf{events: []Event{{ID: newID()}}}
	page, err := NewReader(s).Page(t.Context(), Visible{}, Filter{}, model.Page{First: 10})
	if err != nil || len(page.Edges) != 0 || page.PageInfo.HasNextPage || len(s.asked) != 0 {
		t.Errorf("got %+v, %v, %d questions", page, err, len(s.asked))
	}
}

func TestWhatCannotBeAskedIsRefusedByItsField(t *testing.T) {
	many := make([]string, 101)
	for i := range many {
		many[i] = fmt.Sprint(i)
	}
	now := time.Now()
	encode := func(text string) string { return base64.RawURLEncoding.EncodeToString([]byte(text)) }
	for name, test := range map[string]struct {
		filter Filter
		page   model.Page
		field  string
	}{
		"no rows":                       {page: model.Page{}, field: "first"},
		"too many rows":                 {page: model.Page{First: 201}, field: "first"},
		"too many instances":            {filter: Filter{Instances: many}, field: "instances"},
		"too many objects":              {filter: Filter{Objects: make([]Object, 101)}, field: "objects"},
		"an object of a long name":      {filter: Filter{Objects: []Object{{Ref: model.Ref{Name: strings.Repeat("a", 254)}}}}, field: "objects"},
		"an object of a hostile name":   {filter: Filter{Objects: []Object{{Ref: model.Ref{Name: "a\x00"}}}}, field: "objects"},
		"too many kinds":                {filter: Filter{Kinds: many}, field: "kinds"},
		"an empty namespace":            {filter: Filter{Namespaces: []string{"a", ""}}, field: "namespaces"},
		"a long principal":              {filter: Filter{Principals: []string{strings.Repeat("a", 600)}}, field: "principals"},
		"a zero byte":                   {filter: Filter{Actions: []string{"a\x00"}}, field: "actions"},
		"what is not UTF-8":             {filter: Filter{NameContains: "\xff"}, field: "nameContains"},
		"a long part of a name":         {filter: Filter{NameContains: strings.Repeat("a", 254)}, field: "nameContains"},
		"an outcome that is none":       {filter: Filter{Outcomes: []Outcome{"MAYBE"}}, field: "outcomes"},
		"an end before its beginning":   {filter: Filter{Since: now, Until: now.Add(-1)}, field: "until"},
		"a cursor that is none":         {page: model.Page{First: 1, After: "?"}, field: "after"},
		"a cursor with a line end":      {page: model.Page{First: 1, After: encode("1\naudit\n1\n"+newID()) + "\n"}, field: "after"},
		"a cursor of another list":      {page: model.Page{First: 1, After: encode("1\nevents\n1\n" + newID())}, field: "after"},
		"a cursor without an id":        {page: model.Page{First: 1, After: encode("1\naudit\n1")}, field: "after"},
		"a cursor with another id":      {page: model.Page{First: 1, After: encode("1\naudit\n1\nurn:uuid:" + newID())}, field: "after"},
		"a cursor of no time":           {page: model.Page{First: 1, After: encode("1\naudit\nx\n" + newID())}, field: "after"},
		"a cursor of a time far away":   {page: model.Page{First: 1, After: encode("1\naudit\n9223372036854775807\n" + newID())}, field: "after"},
		"a cursor that is far too long": {page: model.Page{First: 1, After: strings.Repeat("a", 10_000)}, field: "after"},
	} {
		t.Run(name, func(t *testing.T) {
			if test.field != "first" {
				test.page.First = 1
			}
			_, err := NewReader(&shelf{}).Page(t.Context(), Visible{All: true}, test.filter, test.page)
			var bad *model.Error
			if !errors.As(err, &bad) || bad.Code != model.CodeBadUserInput || len(bad.Field) != 1 || bad.Field[0] != test.field {
				t.Errorf("got %#v", err)
			}
		})
	}
}

func TestFarTooManyNamespacesAreALimit(t *testing.T) {
	names := make([]string, maxPartitions+1)
	for i := range names {
		names[i] = fmt.Sprint(i)
	}
	_, err := NewReader(&shelf{}).Page(t.Context(), Visible{Instances: map[string]Namespaces{"asia": {Names: names}}}, Filter{}, model.Page{First: 1})
	var limit *model.Error
	if !errors.As(err, &limit) || limit.Code != model.CodeLimitExceeded {
		t.Errorf("got %v", err)
	}
}

func TestWithoutADatabaseTheLogCannotBeQueried(t *testing.T) {
	_, err := NewReader(nil).Page(t.Context(), Visible{All: true}, Filter{}, model.Page{First: 1})
	var away *model.Error
	if !errors.As(err, &away) || away.Code != model.CodeUnavailable {
		t.Errorf("got %v", err)
	}
}

// pile is how many events there are, oldest first.
type pile struct {
	old, young int64
	batches    int
	fail       error
}

func (p *pile) NthAudit(_ context.Context, n int64) (*Position, error) {
	if p.old+p.young <= n {
		return nil, p.fail
	}
	return &Position{At: time.Now()}, p.fail
}

func (p *pile) PruneAudit(_ context.Context, last Position, batch int) (int64, error) {
	p.batches++
	from := &p.old
	if time.Since(last.At) < time.Hour {
		from = &p.young
	}
	n := min(*from, int64(batch))
	*from -= n
	return n, p.fail
}

func TestTheKeeperForgetsByAgeAndByCountInBatches(t *testing.T) {
	for name, test := range map[string]struct {
		retention Retention
		want      pile
	}{
		"by age":            {Retention{Batch: 10}, pile{young: 25, batches: 4}},
		"by count":          {Retention{Batch: 10, Count: 20}, pile{young: 0, batches: 7}}, // the stub takes all that are young
		"by no count":       {Retention{Batch: 10, Count: -1}, pile{young: 25, batches: 4}},
		"by a larger count": {Retention{Batch: 100, Count: 25}, pile{young: 25, batches: 1}},
	} {
		t.Run(name, func(t *testing.T) {
			p := &pile{old: 35, young: 25}
			removed, err := NewKeeper(p, test.retention, nil).Prune(t.Context())
			if err != nil || removed != 60-p.old-p.young || *p != test.want {
				t.Errorf("removed %d, %v, left %+v", removed, err, *p)
			}
		})
	}
}

func TestTheKeeperGoesOnUntilItIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &pile{}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() {
			NewKeeper(p, Retention{Every: time.Hour}, nil).Run(ctx)
			close(ended)
		}()
		time.Sleep(5*time.Hour + time.Minute)
		synctest.Wait()
		if p.batches != 6 {
			t.Errorf("it looked %d times", p.batches)
		}
		cancel()
		<-ended
	})
}
