package workloadform

var toleration = form{
	{Name: "key", Is: text},
	{Name: "operator", Is: words("Exists", "Equal")},
	{Name: "value", Is: text},
	{Name: "effect", Is: words("NoSchedule", "PreferNoSchedule", "NoExecute")},
	{Name: "tolerationSeconds", Is: whole},
}

var affinity = form{
	{Name: "nodeAffinity", Is: object{Form: nodeAffinity}},
	{Name: "podAffinity", Is: object{Form: podAffinity}},
	{Name: "podAntiAffinity", Is: object{Form: podAffinity}},
}

var nodeAffinity = form{
	{Name: "required", At: "requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms", Is: list{Form: nodeTerm}},
	{Name: "preferred", At: "preferredDuringSchedulingIgnoredDuringExecution", Is: list{Form: preferredNodeTerm}},
}

var nodeTerm = form{
	{Name: "matchExpressions", Is: list{Form: nodeRequirement}},
	{Name: "matchFields", Is: list{Form: nodeRequirement}},
}

var nodeRequirement = form{
	{Name: "key", Is: text},
	{Name: "operator", Is: words("In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt")},
	{Name: "values", Is: texts},
}

var preferredNodeTerm = form{
	{Name: "weight", Is: whole},
	{Name: "preference", Is: object{Form: nodeTerm}},
}

var podAffinity = form{
	{Name: "required", At: "requiredDuringSchedulingIgnoredDuringExecution", Is: list{Form: podTerm}},
	{Name: "preferred", At: "preferredDuringSchedulingIgnoredDuringExecution", Is: list{Form: preferredPodTerm}},
}

var podTerm = form{
	{Name: "labelSelector", Is: object{Form: selector}},
	{Name: "topologyKey", Is: text},
	{Name: "namespaces", Is: texts},
	{Name: "namespaceSelector", Is: object{Form: selector}},
	{Name: "matchLabelKeys", Is: texts},
	{Name: "mismatchLabelKeys", Is: texts},
}

var preferredPodTerm = form{
	{Name: "weight", Is: whole},
	{Name: "podAffinityTerm", Is: object{Form: podTerm}},
}

var topologySpread = form{
	{Name: "maxSkew", Is: whole},
	{Name: "topologyKey", Is: text},
	{Name: "whenUnsatisfiable", Is: words("DoNotSchedule", "ScheduleAnyway")},
	{Name: "labelSelector", Is: object{Form: selector}},
	{Name: "minDomains", Is: whole},
	{Name: "nodeAffinityPolicy", Is: words("Honor", "Ignore")},
	{Name: "nodeTaintsPolicy", Is: words("Honor", "Ignore")},
	{Name: "matchLabelKeys", Is: texts},
}

var hostAlias = form{
	{Name: "ip", Is: text},
	{Name: "hostnames", Is: texts},
}

var dnsConfig = form{
	{Name: "nameservers", Is: texts},
	{Name: "searches", Is: texts},
	{Name: "options", Is: list{Form: dnsOption}},
}

var dnsOption = form{
	{Name: "name", Is: text},
	{Name: "value", Is: text},
}
