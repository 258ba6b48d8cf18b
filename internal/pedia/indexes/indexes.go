// Package indexes defines the indexes that Kairship adds to Clusterpedia's table in PostgreSQL, for the orders and
// filters that Clusterpedia's own five do not serve. It is pure: names, definitions and the expressions that a query
// has to repeat. Package indexes/postgres creates them.
//
// PostgreSQL uses an index on an expression only for a query with the same expression, and one with a WHERE only for a
// query that repeats it. So the expressions are constants here that queries use.
package indexes

import (
	"strconv"
	"strings"
)

// Table is Clusterpedia's table, one row for each object.
const Table = "resources"

// Prefix of the names of everything that Kairship makes in the database.
const Prefix = "kairship_"

// Expressions shared by queries and indexes.
const (
	// Labels is an object's labels. With the index `kairship_labels`:
	//
	//	object->'metadata'->'labels' @> ?::jsonb
	//
	// where the parameter is a JSON object in a string, such as {"app":"shop"}. For several values of one label, join
	// several such conditions with OR.
	Labels = `object->'metadata'->'labels'`

	// PolicyID and ClusterPolicyID are the permanent id of the policy that claims an object: of a
	// PropagationPolicy, of a ClusterPropagationPolicy. With `kairship_policy` and
	// `kairship_cluster_policy`, in the order of the unique index:
	//
	//	(object->'metadata'->'labels'->>'propagationpolicy.karmada.io/permanent-id') IN ?
	//
	// Bindings and the copies in members carry these labels as well as templates.
	PolicyID        = `(object->'metadata'->'labels'->>'propagationpolicy.karmada.io/permanent-id')`
	ClusterPolicyID = `(object->'metadata'->'labels'->>'clusterpropagationpolicy.karmada.io/permanent-id')`

	// BindingID and ClusterBindingID are the permanent id of the binding that an object was made for: of
	// a ResourceBinding, of a ClusterResourceBinding. Works carry one of them, with `kairship_binding`
	// and `kairship_cluster_binding`; so do the bindings themselves and the copies in members.
	BindingID        = `(object->'metadata'->'labels'->>'resourcebinding.karmada.io/permanent-id')`
	ClusterBindingID = `(object->'metadata'->'labels'->>'clusterresourcebinding.karmada.io/permanent-id')`

	// EventObject is the uid of the object that an event is about. With `kairship_event_object`; the
	// statement repeats IsEvent:
	//
	//	resource = 'events' AND (object->'involvedObject'->>'uid') IN ?
	EventObject = `(object->'involvedObject'->>'uid')`

	// EventSeen is when an event was last seen, as text (RFC 3339 in UTC) that sorts by time, to the second, since only
	// some have fractions. With `kairship_event_seen` for a cluster and `kairship_event_seen_namespace` for a namespace
	// of one; the statement repeats IsEvent:
	//
	//	where  resource = 'events' AND (EventSeen,namespace,name) < (?,?,?)
	//	order  EventSeen desc,namespace desc,name desc
	//
	// It uses CASE for COALESCE, because Clusterpedia splits an order at commas; see Order.
	EventSeen = `(CASE WHEN object->'series'->>'lastObservedTime' IS NOT NULL THEN object->'series'->>'lastObservedTime'` +
		` WHEN object->>'lastTimestamp' IS NOT NULL THEN object->>'lastTimestamp'` +
		` WHEN object->>'eventTime' IS NOT NULL THEN object->>'eventTime'` +
		` ELSE object->'metadata'->>'creationTimestamp' END COLLATE "C")`

	// IsEvent is the condition of the partial indexes of events.
	IsEvent = `resource = 'events'`

	// IsUnhealthy holds for ResourceBindings that are not plainly healthy: a cluster reports Unhealthy, or they are not
	// all scheduled, or not all applied, or are placed nowhere, suspended or being deleted. `kairship_amiss` has only
	// these, by cluster, namespace and name, so that the unhealthy ones among very many are found without reading the
	// rest:
	//
	//	(namespace, name) IN (SELECT namespace, left(name, -length('-deployment')) FROM resources
	//		WHERE IsAmiss AND cluster = ? AND right(name, length('-deployment')) = '-deployment')
	//
	// Request only these three columns of the bindings: their objects are not read then. Karmada reports Jobs and
	// CronJobs healthy whatever they do, so not all failed ones are found here.
	IsUnhealthy = `resource = 'resourcebindings' AND (coalesce((object->'status'->'aggregatedStatus') @> '[{"health":"Unhealthy"}]', false)` +
		` OR NOT coalesce((object->'status'->'conditions') @> '[{"type":"FullyApplied","status":"True"}]', false)` +
		` OR NOT coalesce((object->'status'->'conditions') @> '[{"type":"Scheduled","status":"True"}]', false)` +
		` OR NOT coalesce((object->'spec'->'clusters') @> '[{}]', false)` +
		` OR (object->'spec'->>'suspension') IS NOT NULL OR (object->'metadata'->>'deletionTimestamp') IS NOT NULL)`

	// IsIdle holds for workloads that are not plainly running by their own fields: no policy claims them, or they ask
	// for no replicas, are paused, suspended or being deleted. With `kairship_idle`, by cluster, kind, namespace and
	// name. Members' own workloads are included: no policy claims them.
	IsIdle = `resource IN ('deployments', 'statefulsets', 'daemonsets', 'jobs', 'cronjobs') AND (` +
		`(coalesce(object->'metadata'->'annotations'->>'propagationpolicy.karmada.io/name', '') = ''` +
		` OR coalesce(object->'metadata'->'annotations'->>'propagationpolicy.karmada.io/namespace', '') = '')` +
		` AND coalesce(object->'metadata'->'annotations'->>'clusterpropagationpolicy.karmada.io/name', '') = ''` +
		` OR coalesce(object->'spec'->>'replicas', '') = '0' OR coalesce(object->'spec'->>'paused', '') = 'true'` +
		` OR coalesce(object->'spec'->>'suspend', '') = 'true' OR (object->'metadata'->>'deletionTimestamp') IS NOT NULL)`

	// HasOwner is the condition of the partial index `kairship_owner`:
	//
	//	owner_uid <> '' AND owner_uid IN ?
	HasOwner = `owner_uid <> ''`
)

// Columns of the order that users see, by bytes in any database. Where the database's own order is by bytes they are
// the bare columns, served by Clusterpedia's unique index. Elsewhere they are these, served by `kairship_byte_order`,
// and the statement repeats the cluster, because `cluster = ?` alone is by the database's order and does not bound the
// scan:
//
//	where  cluster COLLATE "C" IN ? AND (ByteCluster,ByteNamespace,ByteName) > (?,?,?)
//	order  ByteCluster,ByteNamespace,ByteName
//
// For one cluster the order may omit ByteCluster.
const (
	ByteCluster   = `cluster COLLATE "C"`
	ByteNamespace = `namespace COLLATE "C"`
	ByteName      = `name COLLATE "C"`
)

// Order rewrites an expression for Clusterpedia's `orderby`, which splits at blanks, but not at other white space. The
// expression must not contain a comma. A ` desc` after it keeps its blank.
func Order(expression string) string {
	e, desc := strings.CutSuffix(expression, " desc")
	e = strings.ReplaceAll(e, " ", "\t")
	if desc {
		e += " desc"
	}
	return e
}

// Name is the name of an index.
type Name string

// The indexes of the pack.
const (
	Created               Name = Prefix + "created"
	LabelIndex            Name = Prefix + "labels"
	NameSearch            Name = Prefix + "name"
	Owner                 Name = Prefix + "owner"
	UID                   Name = Prefix + "uid"
	Policy                Name = Prefix + "policy"
	ClusterPolicy         Name = Prefix + "cluster_policy"
	Binding               Name = Prefix + "binding"
	ClusterBinding        Name = Prefix + "cluster_binding"
	Unhealthy             Name = Prefix + "amiss"
	Idle                  Name = Prefix + "idle"
	EventsOfObject        Name = Prefix + "event_object"
	EventsByTime          Name = Prefix + "event_seen"
	EventsOfNamespaceTime Name = Prefix + "event_seen_namespace"
	ByteOrder             Name = Prefix + "byte_order"
)

// Index is one index of the pack.
type Index struct {
	Name Name
	// Serves says in one line what it serves.
	Serves string
	// Extension of PostgreSQL that it needs; empty for none. Without it the index is left out.
	Extension string
	// OtherOrderOnly says that only databases whose order is not by bytes need it.
	OtherOrderOnly bool

	// method and columns follow ON; {namespace} and {name} are placeholders for the columns in the order by bytes.
	method, columns string
	where           string
	with            string
}

// Pack is all indexes, those that most people wait for first.
func Pack() []Index {
	// The remaining columns of the unique index after the kind.
	const rest = `"group", version, resource, cluster, {namespace}, {name}`
	// Label indexes are read often and written at each change of an object: entries are inserted directly instead of
	// into a pending list that each search would have to scan.
	const direct = "fastupdate = off"
	return []Index{
		{Name: ByteOrder, OtherOrderOnly: true,
			Serves:  "pages by namespace and name, which are in order of bytes, where the database's own order is another",
			columns: `"group", version, resource, ` + ByteCluster + ", " + ByteNamespace + ", " + ByteName},
		{Name: Created,
			Serves:  "pages of a kind in one cluster by time of creation: created_at, namespace, name",
			columns: `"group", version, resource, cluster, created_at, {namespace}, {name}`},
		{Name: LabelIndex,
			Serves: "label selectors that name a value",
			method: "gin", columns: "(" + Labels + ") jsonb_path_ops", with: direct},
		{Name: NameSearch, Extension: "pg_trgm",
			Serves: "search for a part of a name of three characters and more: name LIKE '%part%'",
			method: "gin", columns: "name gin_trgm_ops", with: direct},
		{Name: Owner,
			Serves:  "the objects that belong to an object",
			columns: "owner_uid, cluster", where: HasOwner},
		{Name: UID,
			Serves:  "an object by its uid, which Clusterpedia asks for as well where it records events",
			columns: "uid, cluster"},
		{Name: Policy,
			Serves:  "what a PropagationPolicy claims, in pages by namespace and name",
			columns: PolicyID + ", " + rest, where: PolicyID + " IS NOT NULL"},
		{Name: ClusterPolicy,
			Serves:  "what a ClusterPropagationPolicy claims, in pages by namespace and name",
			columns: ClusterPolicyID + ", " + rest, where: ClusterPolicyID + " IS NOT NULL"},
		{Name: Binding,
			Serves:  "the Works of a ResourceBinding",
			columns: BindingID + ", resource, cluster", where: BindingID + " IS NOT NULL"},
		{Name: ClusterBinding,
			Serves:  "the Works of a ClusterResourceBinding",
			columns: ClusterBindingID + ", resource, cluster", where: ClusterBindingID + " IS NOT NULL"},
		{Name: Unhealthy,
			Serves:  "the bindings that are not plainly well",
			columns: "cluster, namespace, name", where: IsUnhealthy},
		{Name: Idle,
			Serves:  "the workloads that say themselves that they are not plainly running",
			columns: "cluster, resource, namespace, name", where: IsIdle},
		{Name: EventsOfObject,
			Serves:  "the events about an object",
			columns: EventObject, where: IsEvent},
		{Name: EventsByTime,
			Serves:  "the events of a cluster, the newest first",
			columns: "cluster, " + EventSeen + ", {namespace}, {name}", where: IsEvent},
		{Name: EventsOfNamespaceTime,
			Serves:  "the events of a namespace, the newest first",
			columns: "cluster, namespace, " + EventSeen + ", {name}", where: IsEvent},
	}
}

// Create is the statement that creates the index. byBytes says that the database's own order is by bytes.
func (i Index) Create(byBytes bool) string {
	namespace, name := ByteNamespace, ByteName
	if byBytes {
		namespace, name = "namespace", "name"
	}
	var b strings.Builder
	b.WriteString("CREATE INDEX CONCURRENTLY " + string(i.Name) + " ON " + Table)
	if i.method != "" {
		b.WriteString(" USING " + i.method)
	}
	b.WriteString(" (" + strings.NewReplacer("{namespace}", namespace, "{name}", name).Replace(i.columns) + ")")
	if i.with != "" {
		b.WriteString(" WITH (" + i.with + ")")
	}
	if i.where != "" {
		b.WriteString(" WHERE " + i.where)
	}
	return b.String()
}

// Statistics is what PostgreSQL's planner learns of several columns together when it looks at the table.
type Statistics struct {
	Name string
	// Serves says in one line what it serves.
	Serves string

	columns string
}

// PackStatistics are the statistics of the pack.
func PackStatistics() []Statistics {
	return []Statistics{{
		Name: Prefix + "places", Serves: "estimates of how many objects of a kind there are in a cluster",
		columns: `"group", version, resource, cluster`,
	}}
}

// sampled is for how many places the planner keeps how common they are, and a three-hundredth of the rows that it looks at for
// that: by default there would be a hundred places, of a fleet with thousands.
const sampled = 300

// Create is the statements that create the statistics, to be run together: an interruption must not leave the first alone.
func (s Statistics) Create() string {
	return "CREATE STATISTICS " + s.Name + " (mcv) ON " + s.columns + " FROM " + Table +
		"; ALTER STATISTICS " + s.Name + " SET STATISTICS " + strconv.Itoa(sampled)
}

// Setting is a database setting of the pack. It takes effect for new sessions.
type Setting struct {
	Name, Value string
	// Serves says in one line what it serves.
	Serves string
}

// MadeSetting is a setting that PostgreSQL ignores: it holds the names of the settings that Kairship made, to
// distinguish them from an administrator's own.
const MadeSetting = "kairship.made"

// Settings are the settings of the pack. One that the database already has is left as it is.
func Settings() []Setting {
	return []Setting{
		// The planner estimates the small lists of kinds and clusters in a page's statement at a hundred rows each,
		// multiplies, and spends a fifth of a second compiling what runs in a few milliseconds.
		{"jit", "off", "pages of a few milliseconds, which it would compile for longer than they take"},
		// The default is for spinning disks.
		{"random_page_cost", "1.1", "filters, for which an index is read in place of a whole kind"},
	}
}

// Conditions to query properties of the database through Clusterpedia: true for every row or for none.
const (
	// Present is true when the index whose name is the parameter can be used.
	Present = `EXISTS (SELECT 1 FROM pg_index JOIN pg_class ON pg_class.oid = pg_index.indexrelid` +
		` WHERE pg_index.indrelid = '` + Table + `'::regclass AND pg_index.indisvalid AND pg_class.relname = ?)`

	// ByBytes is true when the database's own order is by bytes. With a collation of another provider than the C
	// library datcollate means nothing, so the provider is checked too, a column that older versions do not have. The
	// third provider ('b') has orders by bytes only.
	ByBytes = `(SELECT CASE coalesce(to_jsonb(d)->>'datlocprovider', 'c') WHEN 'b' THEN true` +
		` WHEN 'c' THEN d.datcollate IN ('C', 'POSIX') ELSE false END` +
		` FROM pg_database d WHERE d.datname = current_database())`
)
