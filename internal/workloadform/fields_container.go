package workloadform

var container = form{
	{Name: "name", Is: text},
	{Name: "image", Is: text},
	{Name: "imagePullPolicy", Is: words("Always", "Never", "IfNotPresent")},
	{Name: "command", Is: texts},
	{Name: "args", Is: texts},
	{Name: "workingDir", Is: text},
	{Name: "ports", Is: list{Form: containerPort, Identity: []string{"containerPort", "protocol"}, Otherwise: "TCP", Needed: true}},
	{Name: "env", Is: named(envVar, "name")},
	{Name: "envFrom", Is: list{Form: envFrom}},
	{Name: "resources", Is: object{Form: resources}},
	{Name: "livenessProbe", Is: object{Form: probe}},
	{Name: "readinessProbe", Is: object{Form: probe}},
	{Name: "startupProbe", Is: object{Form: probe}},
	{Name: "lifecycle", Is: object{Form: lifecycle}},
	{Name: "volumeMounts", Is: named(volumeMount, "mountPath")},
	{Name: "volumeDevices", Is: named(volumeDevice, "devicePath")},
	{Name: "securityContext", Is: object{Form: containerSecurity}},
	{Name: "restartPolicy", Is: words("Always", "OnFailure", "Never")},
	{Name: "terminationMessagePath", Is: text},
	{Name: "terminationMessagePolicy", Is: words("File", "FallbackToLogsOnError")},
	{Name: "stdin", Is: truth},
	{Name: "tty", Is: truth},
}

var containerPort = form{
	{Name: "containerPort", Is: whole},
	{Name: "name", Is: text},
	{Name: "protocol", Is: words("TCP", "UDP", "SCTP")},
	{Name: "hostPort", Is: whole},
	{Name: "hostIP", Is: text},
}

var envVar = form{
	{Name: "name", Is: text},
	{Name: "value", Is: text},
	{Name: "valueFrom", Is: object{Form: envSource}},
}

var envSource = form{
	{Name: "configMapKeyRef", Is: object{Form: keyRef}},
	{Name: "secretKeyRef", Is: object{Form: keyRef}},
	{Name: "fieldRef", Is: object{Form: fieldRef}},
	{Name: "resourceFieldRef", Is: object{Form: resourceFieldRef}},
}

var keyRef = form{
	{Name: "name", Is: text},
	{Name: "key", Is: text},
	{Name: "optional", Is: truth},
}

var fieldRef = form{
	{Name: "fieldPath", Is: text},
	{Name: "apiVersion", Is: text},
}

var resourceFieldRef = form{
	{Name: "containerName", Is: text},
	{Name: "resource", Is: text},
	{Name: "divisor", Is: quantity},
}

var envFrom = form{
	{Name: "prefix", Is: text},
	{Name: "configMapRef", Is: object{Form: optionalRef}},
	{Name: "secretRef", Is: object{Form: optionalRef}},
}

var optionalRef = form{
	{Name: "name", Is: text},
	{Name: "optional", Is: truth},
}

var resources = form{
	{Name: "requests", Is: quantities},
	{Name: "limits", Is: quantities},
}

var probe = form{
	{Name: "httpGet", Is: object{Form: httpGet}},
	{Name: "tcpSocket", Is: object{Form: tcpSocket}},
	{Name: "exec", Is: object{Form: exec}},
	{Name: "grpc", Is: object{Form: grpc}},
	{Name: "initialDelaySeconds", Is: whole},
	{Name: "periodSeconds", Is: whole},
	{Name: "timeoutSeconds", Is: whole},
	{Name: "successThreshold", Is: whole},
	{Name: "failureThreshold", Is: whole},
	{Name: "terminationGracePeriodSeconds", Is: whole},
}

var httpGet = form{
	{Name: "path", Is: text},
	{Name: "port", Is: numberOrText},
	{Name: "host", Is: text},
	{Name: "scheme", Is: words("HTTP", "HTTPS")},
	{Name: "httpHeaders", Is: list{Form: httpHeader}},
}

var httpHeader = form{
	{Name: "name", Is: text},
	{Name: "value", Is: text},
}

var tcpSocket = form{
	{Name: "port", Is: numberOrText},
	{Name: "host", Is: text},
}

var exec = form{
	{Name: "command", Is: texts},
}

var grpc = form{
	{Name: "port", Is: whole},
	{Name: "service", Is: text},
}

var lifecycle = form{
	{Name: "postStart", Is: object{Form: lifecycleHandler}},
	{Name: "preStop", Is: object{Form: lifecycleHandler}},
}

var lifecycleHandler = form{
	{Name: "exec", Is: object{Form: exec}},
	{Name: "httpGet", Is: object{Form: httpGet}},
	{Name: "tcpSocket", Is: object{Form: tcpSocket}},
	{Name: "sleep", Is: object{Form: sleep}},
}

var sleep = form{
	{Name: "seconds", Is: whole},
}

var volumeMount = form{
	{Name: "mountPath", Is: text},
	{Name: "name", Is: text},
	{Name: "subPath", Is: text},
	{Name: "subPathExpr", Is: text},
	{Name: "readOnly", Is: truth},
	{Name: "mountPropagation", Is: words("None", "HostToContainer", "Bidirectional")},
}

var volumeDevice = form{
	{Name: "devicePath", Is: text},
	{Name: "name", Is: text},
}

var seccomp = form{
	{Name: "type", Is: words("RuntimeDefault", "Localhost", "Unconfined")},
	{Name: "localhostProfile", Is: text},
}

var containerSecurity = form{
	{Name: "privileged", Is: truth},
	{Name: "allowPrivilegeEscalation", Is: truth},
	{Name: "readOnlyRootFilesystem", Is: truth},
	{Name: "runAsUser", Is: whole},
	{Name: "runAsGroup", Is: whole},
	{Name: "runAsNonRoot", Is: truth},
	{Name: "capabilities", Is: object{Form: capabilities}},
	{Name: "seccompProfile", Is: object{Form: seccomp}},
}

var capabilities = form{
	{Name: "add", Is: texts},
	{Name: "drop", Is: texts},
}

var podSecurity = form{
	{Name: "runAsUser", Is: whole},
	{Name: "runAsGroup", Is: whole},
	{Name: "runAsNonRoot", Is: truth},
	{Name: "fsGroup", Is: whole},
	{Name: "fsGroupChangePolicy", Is: words("OnRootMismatch", "Always")},
	{Name: "supplementalGroups", Is: wholes},
	{Name: "seccompProfile", Is: object{Form: seccomp}},
	{Name: "sysctls", Is: named(sysctl, "name")},
}

var sysctl = form{
	{Name: "name", Is: text},
	{Name: "value", Is: text},
}
