package sql

import "k8s.io/apimachinery/pkg/runtime/schema"

// Keys is the statement for the rows at some keys, of any kinds; of the query, only its scope is used.
func (q Query) Keys(keys []Key) (*Statement, error) {
	at := q.forKeys(keys)
	return keysStatement(keys).statement(&at, at.Limit)
}

// forKeys makes the query for the keys.
func (q Query) forKeys(keys []Key) Query {
	clusters, kinds := map[string]bool{}, map[schema.GroupVersionResource]bool{}
	namespaces, names := map[string]bool{}, map[string]bool{}
	for _, k := range keys {
		clusters[k.Cluster], kinds[k.GVR] = true, true
		namespaces[k.Namespace], names[k.Name] = true, true
	}
	q.Clusters = sortedKeys(clusters)
	q.GVRs = sortedKinds(kinds)
	q.Where = []Condition{Keys(keys...), Namespaces(sortedKeys(namespaces)...), Names(sortedKeys(names)...)}
	q.Order, q.Descending, q.After, q.Groups, q.Count = ByName, false, nil, nil, false
	// Rows of several kinds may have the same cluster, namespace and name.
	q.Limit = len(keys) * len(q.GVRs)
	return q
}

// keysStatement selects the rows at keys: each is one lookup in the unique index.
func keysStatement(keys []Key) *builder {
	type strip struct {
		Group    string      `json:"g"`
		Version  string      `json:"v"`
		Resource string      `json:"r"`
		Cluster  string      `json:"c"`
		Keys     [][2]string `json:"k"`
	}
	type place struct {
		schema.GroupVersionResource
		cluster string
	}
	index, partitioned := map[place]int{}, []strip{}
	for _, k := range keys {
		at := place{k.GVR, k.Cluster}
		i, known := index[at]
		if !known {
			i = len(partitioned)
			index[at], partitioned = i, append(partitioned, strip{k.GVR.Group, k.GVR.Version, k.GVR.Resource, k.Cluster, nil})
		}
		partitioned[i].Keys = append(partitioned[i].Keys, [2]string{k.Namespace, k.Name})
	}
	s := &builder{}
	s.write("id = ANY(ARRAY(SELECT s.id FROM (SELECT * FROM jsonb_to_recordset(")
	s.json(partitioned)
	s.write(") AS p(g text, v text, r text, c text, k jsonb)")
	s.about(len(partitioned))
	s.write(") p CROSS JOIN LATERAL jsonb_array_elements(p.k) AS e(k)"+
		` CROSS JOIN LATERAL (SELECT id FROM resources WHERE "group" = p.g AND version = p.v AND resource = p.r`+
		" AND ", at("p.c", "e.k->>0", "e.k->>1"), " LIMIT 1) s))")
	return s
}
