package lifecycle

import "github.com/kairship-io/kairship/controllers/internal/metrics"

var series = metrics.Of(Name)

var (
	installedGauge = series.Gauge("installed", "1 when a managed instance is installed as its spec says, else 0.", "instance")
	heldBackGauge  = series.Gauge("deletion_held_back", "1 while the deletion of an instance waits for a person, else 0.", "instance")
	wipedCounter   = series.Counter("etcd_keys_removed_total", "Keys of removed instances that were deleted from etcds that others use as well.").WithLabelValues()
	writesCounter  = series.Counter("writes_total", "Writes to the host cluster and to Karmadas, by kind and verb.", "kind", "verb")
)

func wrote(kind, verb string) { writesCounter.WithLabelValues(kind, verb).Inc() }
