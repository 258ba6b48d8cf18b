package kubelet

import "testing"

func TestNames(t *testing.T) {
	n := newNames([]string{"asia", "host"})
	if got := n.group("kairship-europe", "europe"); got != "europe" {
		t.Errorf("an instance goes by %q, want its name", got)
	}
	if got := n.group("tenant-a", "europe"); got != "tenant-a.europe" {
		t.Errorf("another of the same name goes by %q, want one with its namespace", got)
	}
	if got := n.group("tenant-a", "asia"); got != "tenant-a.asia" {
		t.Errorf("one with the name of another cluster goes by %q, want one with its namespace", got)
	}
	if got := n.take("europe-scheduler", "", "old"); got != "europe-scheduler" {
		t.Errorf("the first is called %q", got)
	}
	if got := n.take("europe-scheduler", "", "new"); got != "europe-scheduler-2" {
		t.Errorf("the second is called %q", got)
	}
	if got := n.take("europe-scheduler", "", "new"); got != "europe-scheduler-2" {
		t.Errorf("asked again, the second is called %q", got)
	}
	if _, ok := n.better("europe-scheduler", "new"); ok {
		t.Error("the second has the plain name while the first has it, too")
	}
	n.free("old")
	if from, ok := n.better("europe-scheduler", "new"); !ok || from != "europe-scheduler-2" {
		t.Errorf("once it is alone: %q, %v", from, ok)
	}
	if got := n.take("europe-scheduler", "", "third"); got != "europe-scheduler-2" {
		t.Errorf("the next second is called %q", got)
	}
}

func TestAProcessThatRunsKeepsItsName(t *testing.T) {
	n := newNames(nil)
	if got := n.take("europe-scheduler-2", "europe-scheduler-2", "new"); got != "europe-scheduler-2" {
		t.Errorf("it is called %q", got)
	}
	if got := n.take("europe-scheduler", "", "new"); got != "europe-scheduler-2" {
		t.Errorf("when its pod is looked at it is called %q", got)
	}
}
