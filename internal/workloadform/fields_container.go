package workloadform

var container = object{fields: []field{
	{name: "name", of: text},
	{name: "image", of: text},
	{name: "imagePullPolicy", of: words("Always", "Never", "IfNotPresent")},
	{name: "command", of: texts},
	{name: "args", of: texts},
	{name: "workingDir", of: text},
	{name: "ports", of: list{of: &containerPort, keys: []string{"containerPort", "protocol"}, otherwise: "TCP"}},
	{name: "env", of: list{of: &envVar, keys: []string{"name"}}},
	{name: "envFrom", of: list{of: &envFrom}},
	{name: "resources", of: &resources},
	{name: "livenessProbe", of: &probe},
	{name: "readinessProbe", of: &probe},
	{name: "startupProbe", of: &probe},
	{name: "lifecycle", of: &lifecycle},
	{name: "volumeMounts", of: list{of: &volumeMount, keys: []string{"mountPath"}}},
	{name: "volumeDevices", of: list{of: &volumeDevice, keys: []string{"devicePath"}}},
	{name: "securityContext", of: &containerSecurity},
	{name: "restartPolicy", of: words("Always", "OnFailure", "Never")},
	{name: "terminationMessagePath", of: text},
	{name: "terminationMessagePolicy", of: words("File", "FallbackToLogsOnError")},
	{name: "stdin", of: truth},
	{name: "tty", of: truth},
}}

var containerPort = object{fields: []field{
	{name: "containerPort", of: whole},
	{name: "name", of: text},
	{name: "protocol", of: words("TCP", "UDP", "SCTP")},
	{name: "hostPort", of: whole},
	{name: "hostIP", of: text},
}}

var envVar = object{fields: []field{
	{name: "name", of: text},
	{name: "value", of: text},
	{name: "valueFrom", of: &envSource},
}}

var envSource = object{fields: []field{
	{name: "configMapKeyRef", of: &keyRef},
	{name: "secretKeyRef", of: &keyRef},
	{name: "fieldRef", of: &fieldRef},
	{name: "resourceFieldRef", of: &resourceFieldRef},
}}

var keyRef = object{fields: []field{
	{name: "name", of: text},
	{name: "key", of: text},
	{name: "optional", of: truth},
}}

var fieldRef = object{fields: []field{
	{name: "fieldPath", of: text},
	{name: "apiVersion", of: text},
}}

var resourceFieldRef = object{fields: []field{
	{name: "containerName", of: text},
	{name: "resource", of: text},
	{name: "divisor", of: quantity},
}}

var envFrom = object{fields: []field{
	{name: "prefix", of: text},
	{name: "configMapRef", of: &optionalRef},
	{name: "secretRef", of: &optionalRef},
}}

var optionalRef = object{fields: []field{
	{name: "name", of: text},
	{name: "optional", of: truth},
}}

var resources = object{fields: []field{
	{name: "requests", of: quantities},
	{name: "limits", of: quantities},
}}

var probe = object{fields: []field{
	{name: "httpGet", of: &httpGet},
	{name: "tcpSocket", of: &tcpSocket},
	{name: "exec", of: &exec},
	{name: "grpc", of: &grpc},
	{name: "initialDelaySeconds", of: whole},
	{name: "periodSeconds", of: whole},
	{name: "timeoutSeconds", of: whole},
	{name: "successThreshold", of: whole},
	{name: "failureThreshold", of: whole},
	{name: "terminationGracePeriodSeconds", of: whole},
}}

var httpGet = object{fields: []field{
	{name: "path", of: text},
	{name: "port", of: numberOrText},
	{name: "host", of: text},
	{name: "scheme", of: words("HTTP", "HTTPS")},
	{name: "httpHeaders", of: list{of: &httpHeader}},
}}

var httpHeader = object{fields: []field{
	{name: "name", of: text},
	{name: "value", of: text},
}}

var tcpSocket = object{fields: []field{
	{name: "port", of: numberOrText},
	{name: "host", of: text},
}}

var exec = object{fields: []field{
	{name: "command", of: texts},
}}

var grpc = object{fields: []field{
	{name: "port", of: whole},
	{name: "service", of: text},
}}

var lifecycle = object{fields: []field{
	{name: "postStart", of: &lifecycleHandler},
	{name: "preStop", of: &lifecycleHandler},
}}

var lifecycleHandler = object{fields: []field{
	{name: "exec", of: &exec},
	{name: "httpGet", of: &httpGet},
	{name: "tcpSocket", of: &tcpSocket},
	{name: "sleep", of: &sleep},
}}

var sleep = object{fields: []field{
	{name: "seconds", of: whole},
}}

var volumeMount = object{fields: []field{
	{name: "mountPath", of: text},
	{name: "name", of: text},
	{name: "subPath", of: text},
	{name: "subPathExpr", of: text},
	{name: "readOnly", of: truth},
	{name: "mountPropagation", of: words("None", "HostToContainer", "Bidirectional")},
}}

var volumeDevice = object{fields: []field{
	{name: "devicePath", of: text},
	{name: "name", of: text},
}}

var seccomp = object{fields: []field{
	{name: "type", of: words("RuntimeDefault", "Localhost", "Unconfined")},
	{name: "localhostProfile", of: text},
}}

var containerSecurity = object{fields: []field{
	{name: "privileged", of: truth},
	{name: "allowPrivilegeEscalation", of: truth},
	{name: "readOnlyRootFilesystem", of: truth},
	{name: "runAsUser", of: whole},
	{name: "runAsGroup", of: whole},
	{name: "runAsNonRoot", of: truth},
	{name: "capabilities", of: &capabilities},
	{name: "seccompProfile", of: &seccomp},
}}

var capabilities = object{fields: []field{
	{name: "add", of: texts},
	{name: "drop", of: texts},
}}

var podSecurity = object{fields: []field{
	{name: "runAsUser", of: whole},
	{name: "runAsGroup", of: whole},
	{name: "runAsNonRoot", of: truth},
	{name: "fsGroup", of: whole},
	{name: "fsGroupChangePolicy", of: words("OnRootMismatch", "Always")},
	{name: "supplementalGroups", of: wholes},
	{name: "seccompProfile", of: &seccomp},
	{name: "sysctls", of: list{of: &sysctl, keys: []string{"name"}}},
}}

var sysctl = object{fields: []field{
	{name: "name", of: text},
	{name: "value", of: text},
}}
