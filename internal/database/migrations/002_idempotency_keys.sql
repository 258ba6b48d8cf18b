-- Actions that were begun under an idempotency key, so that each is done once.
CREATE TABLE kairship.idempotency_keys (
	id         text PRIMARY KEY,
	input      text NOT NULL, -- a digest
	done       boolean NOT NULL,
	at         timestamptz NOT NULL,
	expires_at timestamptz NOT NULL
);
CREATE INDEX idempotency_keys_expires_at ON kairship.idempotency_keys (expires_at);

---- create above / drop below ----

DROP TABLE kairship.idempotency_keys;
