-- What an event changed of its object: [{"Path", "From", "To"}], bounded and without secrets.
ALTER TABLE kairship.audit_events ADD COLUMN changes jsonb;
-- The events of one object, the newest first.
CREATE INDEX audit_events_object ON kairship.audit_events (instance, namespace, name, at, id);

---- create above / drop below ----

DROP INDEX kairship.audit_events_object;
ALTER TABLE kairship.audit_events DROP COLUMN changes;
