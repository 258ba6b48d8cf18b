package pediatest

// Table is the table as Clusterpedia v0.9.1 makes it in PostgreSQL.
const Table = `CREATE TABLE resources (
	id bigserial PRIMARY KEY,
	"group" varchar(63) NOT NULL, version varchar(15) NOT NULL, resource varchar(63) NOT NULL, kind varchar(63) NOT NULL,
	cluster varchar(253) NOT NULL, namespace varchar(253) NOT NULL, name varchar(253) NOT NULL,
	owner_uid varchar(36) NOT NULL DEFAULT '', uid varchar(36) NOT NULL, resource_version varchar(30) NOT NULL,
	object jsonb NOT NULL, events jsonb, event_resource_versions jsonb,
	created_at timestamptz NOT NULL, synced_at timestamptz NOT NULL, deleted_at timestamptz);
CREATE INDEX idx_cluster ON resources (cluster);
CREATE INDEX idx_group_version_resource_name ON resources ("group", version, resource, name);
CREATE INDEX idx_group_version_resource_namespace_name ON resources ("group", version, resource, namespace, name);
CREATE UNIQUE INDEX uni_group_version_resource_cluster_namespace_name ON resources ("group", version, resource, cluster, namespace, name)`
