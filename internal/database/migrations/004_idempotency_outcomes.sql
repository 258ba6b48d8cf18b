-- What is told of a run when it is asked for again, for runs under a clientMutationId.
ALTER TABLE kairship.idempotency_keys ADD COLUMN outcome bytea;

---- create above / drop below ----

ALTER TABLE kairship.idempotency_keys DROP COLUMN outcome;
