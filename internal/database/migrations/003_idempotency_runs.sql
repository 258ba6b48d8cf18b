-- Which run under a key a row is of: one that is told late how it ended does not end its successor.
ALTER TABLE kairship.idempotency_keys ADD COLUMN run text NOT NULL DEFAULT '';

---- create above / drop below ----

ALTER TABLE kairship.idempotency_keys DROP COLUMN run;
