-- What a policy selects that an event is about: [{"APIVersion", "Kind", "Namespace", "Name", "LabelSelector"}], bounded; [] for everything.
ALTER TABLE kairship.audit_events ADD COLUMN selects jsonb;
-- The writes of policies of one namespace, or of cluster-wide ones, the newest first.
CREATE INDEX audit_events_policies ON kairship.audit_events (instance, namespace, at, id) WHERE selects IS NOT NULL;

---- create above / drop below ----

DROP INDEX kairship.audit_events_policies;
ALTER TABLE kairship.audit_events DROP COLUMN selects;
