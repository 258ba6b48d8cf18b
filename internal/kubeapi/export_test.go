package kubeapi

import "time"

// Fresh is a reader of the same fleet that knows nothing yet.
func (r *Reader) Fresh() *Reader { return New(r.fleet) }

// Age makes what is known of the kinds of an API server older.
func (r *Reader) Age(instance, cluster string, by time.Duration) {
	r.mu.Lock()
	s := r.servers[place{instance, cluster}]
	r.mu.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	older := *s.catalog
	older.at = older.at.Add(-by)
	s.catalog = &older
}
