package workloadform

var toleration = object{fields: []field{
	{name: "key", of: text},
	{name: "operator", of: words("Exists", "Equal")},
	{name: "value", of: text},
	{name: "effect", of: words("NoSchedule", "PreferNoSchedule", "NoExecute")},
	{name: "tolerationSeconds", of: whole},
}}

var affinity = object{fields: []field{
	{name: "nodeAffinity", of: &nodeAffinity},
	{name: "podAffinity", of: &podAffinity},
	{name: "podAntiAffinity", of: &podAffinity},
}}

var nodeAffinity = object{fields: []field{
	{name: "required", path: "requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms", of: list{of: &nodeTerm}},
	{name: "preferred", path: "preferredDuringSchedulingIgnoredDuringExecution", of: list{of: &preferredNodeTerm}},
}}

var nodeTerm = object{fields: []field{
	{name: "matchExpressions", of: list{of: &nodeRequirement}},
	{name: "matchFields", of: list{of: &nodeRequirement}},
}}

var nodeRequirement = object{fields: []field{
	{name: "key", of: text},
	{name: "operator", of: words("In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt")},
	{name: "values", of: texts},
}}

var preferredNodeTerm = object{fields: []field{
	{name: "weight", of: whole},
	{name: "preference", of: &nodeTerm},
}}

var podAffinity = object{fields: []field{
	{name: "required", path: "requiredDuringSchedulingIgnoredDuringExecution", of: list{of: &podTerm}},
	{name: "preferred", path: "preferredDuringSchedulingIgnoredDuringExecution", of: list{of: &preferredPodTerm}},
}}

var podTerm = object{fields: []field{
	{name: "labelSelector", of: &selector},
	{name: "topologyKey", of: text},
	{name: "namespaces", of: texts},
	{name: "namespaceSelector", of: &selector},
	{name: "matchLabelKeys", of: texts},
	{name: "mismatchLabelKeys", of: texts},
}}

var preferredPodTerm = object{fields: []field{
	{name: "weight", of: whole},
	{name: "podAffinityTerm", of: &podTerm},
}}

var topologySpread = object{fields: []field{
	{name: "maxSkew", of: whole},
	{name: "topologyKey", of: text},
	{name: "whenUnsatisfiable", of: words("DoNotSchedule", "ScheduleAnyway")},
	{name: "labelSelector", of: &selector},
	{name: "minDomains", of: whole},
	{name: "nodeAffinityPolicy", of: words("Honor", "Ignore")},
	{name: "nodeTaintsPolicy", of: words("Honor", "Ignore")},
	{name: "matchLabelKeys", of: texts},
}}

var hostAlias = object{fields: []field{
	{name: "ip", of: text},
	{name: "hostnames", of: texts},
}}

var dnsConfig = object{fields: []field{
	{name: "nameservers", of: texts},
	{name: "searches", of: texts},
	{name: "options", of: list{of: &dnsOption}},
}}

var dnsOption = object{fields: []field{
	{name: "name", of: text},
	{name: "value", of: text},
}}
