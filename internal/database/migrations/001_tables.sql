-- What was done: package audit.
CREATE TABLE kairship.audit_events (
	id          uuid PRIMARY KEY,
	at          timestamptz NOT NULL,
	principal   text NOT NULL,
	groups      text[] NOT NULL,
	remote      text NOT NULL,
	user_agent  text NOT NULL,
	action      text NOT NULL,
	via         text NOT NULL,
	instance    text NOT NULL,
	cluster     text NOT NULL,
	api_group   text NOT NULL,
	version     text NOT NULL,
	kind        text NOT NULL,
	namespace   text NOT NULL,
	name        text NOT NULL,
	resource    text NOT NULL,
	subresource text NOT NULL,
	dry_run     boolean NOT NULL,
	outcome     text NOT NULL,
	code        text NOT NULL,
	message     text NOT NULL,
	request_id  text NOT NULL,
	duration    bigint NOT NULL -- microseconds
);
-- Pages are the newest of everything, of an instance, of a namespace of one, or of a principal.
CREATE INDEX audit_events_at ON kairship.audit_events (at, id);
CREATE INDEX audit_events_instance ON kairship.audit_events (instance, at, id);
CREATE INDEX audit_events_namespace ON kairship.audit_events (instance, namespace, at, id);
CREATE INDEX audit_events_principal ON kairship.audit_events (principal, at, id);

-- Tokens that Kairship signed and that work no longer, until they would have expired.
CREATE TABLE kairship.revoked_tokens (
	id         text PRIMARY KEY,
	expires_at timestamptz NOT NULL,
	at         timestamptz NOT NULL,
	by         text NOT NULL
);
CREATE INDEX revoked_tokens_at ON kairship.revoked_tokens (at, id);
CREATE INDEX revoked_tokens_expires_at ON kairship.revoked_tokens (expires_at);

-- Sessions of browsers that were signed out of, until they would have expired.
CREATE TABLE kairship.sessions_ended (
	id         text PRIMARY KEY,
	expires_at timestamptz NOT NULL,
	at         timestamptz NOT NULL,
	by         text NOT NULL
);
CREATE INDEX sessions_ended_at ON kairship.sessions_ended (at, id);
CREATE INDEX sessions_ended_expires_at ON kairship.sessions_ended (expires_at);

-- Events of webhooks that came, so that each counts once.
CREATE TABLE kairship.seen_events (
	id         text PRIMARY KEY,
	expires_at timestamptz NOT NULL
);
CREATE INDEX seen_events_expires_at ON kairship.seen_events (expires_at);

-- How far each source of webhooks is.
CREATE TABLE kairship.webhook_sources (
	source    text PRIMARY KEY,
	sequence  bigint NOT NULL,
	full_sync timestamptz,
	behind    boolean NOT NULL
);

---- create above / drop below ----

DROP TABLE kairship.webhook_sources;
DROP TABLE kairship.seen_events;
DROP TABLE kairship.sessions_ended;
DROP TABLE kairship.revoked_tokens;
DROP TABLE kairship.audit_events;
