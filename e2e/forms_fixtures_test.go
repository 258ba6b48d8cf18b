package e2e

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Workloads that between them have every field of a form. No policy takes them anywhere.

var formGVRs = map[string]schema.GroupVersionResource{
	"StatefulSet": {Group: "apps", Version: "v1", Resource: "statefulsets"}, "Deployment": {Group: "apps", Version: "v1", Resource: "deployments"},
	"DaemonSet": {Group: "apps", Version: "v1", Resource: "daemonsets"}, "CronJob": {Group: "batch", Version: "v1", Resource: "cronjobs"}, "Job": {Group: "batch", Version: "v1", Resource: "jobs"},
}

// formContainers are containers with every field.
const formContainers = `
      initContainers:
      - {name: beside, image: "registry.example.com/form:1", restartPolicy: Always}
      containers:
      - name: main
        image: registry.example.com/form:1
        imagePullPolicy: IfNotPresent
        command: [serve]
        args: [--port, "8080"]
        workingDir: /srv
        ports: [{containerPort: 8080, name: http, protocol: TCP, hostPort: 18080, hostIP: 127.0.0.1}]
        env:
        - {name: A, value: plain}
        - {name: B, valueFrom: {configMapKeyRef: {name: settings, key: b, optional: true}}}
        - {name: C, valueFrom: {secretKeyRef: {name: keys, key: c, optional: true}}}
        - {name: D, valueFrom: {fieldRef: {fieldPath: metadata.name, apiVersion: v1}}}
        - {name: E, valueFrom: {resourceFieldRef: {containerName: main, resource: limits.cpu, divisor: 1m}}}
        envFrom: [{prefix: P_, configMapRef: {name: settings, optional: true}}, {prefix: S_, secretRef: {name: keys, optional: true}}]
        resources: {requests: {cpu: 100m, memory: 64Mi}, limits: {cpu: "1", memory: 128Mi}}
        livenessProbe:
          {httpGet: {path: /live, port: http, host: localhost, scheme: HTTPS, httpHeaders: [{name: X-A, value: a}]}, initialDelaySeconds: 1, periodSeconds: 2, timeoutSeconds: 3,
           successThreshold: 1, failureThreshold: 5, terminationGracePeriodSeconds: 6}
        readinessProbe: {tcpSocket: {port: 8080, host: localhost}}
        startupProbe: {exec: {command: [check]}}
        lifecycle: {postStart: {exec: {command: [begin]}}, preStop: {httpGet: {path: /end, port: 8080, host: localhost, scheme: HTTP, httpHeaders: [{name: X-A, value: a}]}}}
        volumeMounts:
        - {name: tmp, mountPath: /tmp, subPath: a, readOnly: true, mountPropagation: HostToContainer}
        - {name: tmp, mountPath: /named, subPathExpr: $(A)}
        volumeDevices: [{name: claim, devicePath: /dev/xvda}]
        securityContext: {privileged: false, allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, runAsUser: 1000, runAsGroup: 1000, runAsNonRoot: true,
          capabilities: {add: [NET_BIND_SERVICE], drop: [ALL]}, seccompProfile: {type: Localhost, localhostProfile: form.json}}
        terminationMessagePath: /dev/last-words
        terminationMessagePolicy: FallbackToLogsOnError
        stdin: true
        tty: true
      - name: second
        image: registry.example.com/form:2
        livenessProbe: {grpc: {port: 9090, service: health}}
        lifecycle: {postStart: {tcpSocket: {port: 9090, host: localhost}}, preStop: {sleep: {seconds: 5}}}
`

// formPods is the rest of a pod with every field.
const formPods = `
      volumes:
      - {name: settings, configMap: {name: settings, optional: true, defaultMode: 420, items: [{key: a, path: a.txt, mode: 256}]}}
      - {name: keys, secret: {secretName: keys, optional: true, defaultMode: 420, items: [{key: a, path: a.txt, mode: 256}]}}
      - {name: tmp, emptyDir: {medium: Memory, sizeLimit: 16Mi}}
      - {name: claim, persistentVolumeClaim: {claimName: disk, readOnly: true}}
      - {name: host, hostPath: {path: /var/log, type: Directory}}
      - name: down
        downwardAPI: {defaultMode: 420, items: [{path: name, fieldRef: {fieldPath: metadata.name}, mode: 256}, {path: cpu, resourceFieldRef: {containerName: main, resource: limits.cpu, divisor: 1m}}]}
      - name: all
        projected:
          defaultMode: 420
          sources:
          - {configMap: {name: settings, optional: true, items: [{key: a, path: b.txt}]}}
          - {secret: {name: keys, optional: true, items: [{key: a, path: c.txt}]}}
          - {downwardAPI: {items: [{path: name, fieldRef: {fieldPath: metadata.name}}]}}
          - {serviceAccountToken: {audience: form, expirationSeconds: 3600, path: token}}
      - {name: shared, nfs: {server: nfs.example.com, path: /share, readOnly: true}}
      - {name: driver, csi: {driver: csi.example.com, readOnly: true, fsType: ext4, volumeAttributes: {a: b}, nodePublishSecretRef: {name: keys}}}
      serviceAccountName: form
      automountServiceAccountToken: false
      imagePullSecrets: [{name: registry}]
      restartPolicy: Always
      terminationGracePeriodSeconds: 20
      nodeSelector: {disk: fast}
      tolerations: [{key: edge, operator: Equal, value: "yes", effect: NoExecute, tolerationSeconds: 60}]
      affinity:
        nodeAffinity:
          requiredDuringSchedulingIgnoredDuringExecution:
            nodeSelectorTerms: [{matchExpressions: [{key: zone, operator: In, values: [a]}], matchFields: [{key: metadata.name, operator: In, values: [n1]}]}]
          preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1, preference: {matchExpressions: [{key: disk, operator: Exists}]}}]
        podAffinity:
          requiredDuringSchedulingIgnoredDuringExecution:
          - {labelSelector: {matchLabels: {app: form}}, topologyKey: zone, namespaces: [e2e-visit], namespaceSelector: {matchLabels: {team: a}}, matchLabelKeys: [pod-template-hash], mismatchLabelKeys: [tenant]}
          preferredDuringSchedulingIgnoredDuringExecution: [{weight: 2, podAffinityTerm: {labelSelector: {matchLabels: {app: form}}, topologyKey: zone}}]
        podAntiAffinity:
          preferredDuringSchedulingIgnoredDuringExecution: [{weight: 3, podAffinityTerm: {labelSelector: {matchExpressions: [{key: app, operator: In, values: [form]}]}, topologyKey: host}}]
      topologySpreadConstraints:
      - {maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {app: form}}, minDomains: 1, nodeAffinityPolicy: Honor, nodeTaintsPolicy: Honor, matchLabelKeys: [pod-template-hash]}
      priorityClassName: high
      schedulerName: mine
      runtimeClassName: sandbox
      nodeName: n1
      securityContext: {runAsUser: 1000, runAsGroup: 1000, runAsNonRoot: true, fsGroup: 1000, fsGroupChangePolicy: OnRootMismatch, supplementalGroups: [2000],
        seccompProfile: {type: RuntimeDefault}, sysctls: [{name: net.ipv4.ip_unprivileged_port_start, value: "80"}]}
      shareProcessNamespace: true
      hostname: form
      subdomain: form
      hostAliases: [{ip: 127.0.0.2, hostnames: [form.example.com]}]
      dnsPolicy: None
      dnsConfig: {nameservers: [192.0.2.53], searches: [example.com], options: [{name: ndots, value: "2"}]}
      enableServiceLinks: false
`

const formWorkloads = `
apiVersion: apps/v1
kind: Deployment
metadata: {namespace: e2e-visit, name: e2e-form, labels: {app: form}, annotations: {purpose: every field}}
spec:
  replicas: 1
  selector: {matchLabels: {app: form}, matchExpressions: [{key: app, operator: In, values: [form]}]}
  strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 25%, maxUnavailable: 1}}
  minReadySeconds: 5
  progressDeadlineSeconds: 300
  revisionHistoryLimit: 3
  paused: true
  template:
    metadata: {labels: {app: form}, annotations: {purpose: every field}}
    spec:
CONTAINERS
PODS
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {namespace: e2e-visit, name: e2e-form}
spec:
  replicas: 0
  serviceName: form
  podManagementPolicy: Parallel
  persistentVolumeClaimRetentionPolicy: {whenDeleted: Delete, whenScaled: Retain}
  updateStrategy: {type: RollingUpdate, rollingUpdate: {partition: 1}}
  selector: {matchLabels: {app: form-set}}
  volumeClaimTemplates:
  - metadata: {name: data, labels: {app: form}, annotations: {purpose: every field}}
    spec: {accessModes: [ReadWriteOnce], storageClassName: fast, volumeMode: Filesystem, volumeName: disk-1, resources: {requests: {storage: 1Gi}}}
  template:
    metadata: {labels: {app: form-set}}
    spec:
CONTAINERS
PODS
---
apiVersion: batch/v1
kind: CronJob
metadata: {namespace: e2e-visit, name: e2e-form}
spec:
  schedule: "0 0 1 1 *"
  timeZone: Asia/Tokyo
  concurrencyPolicy: Forbid
  startingDeadlineSeconds: 60
  successfulJobsHistoryLimit: 1
  failedJobsHistoryLimit: 1
  suspend: true
  jobTemplate:
    metadata: {labels: {app: form}, annotations: {purpose: every field}}
    spec:
      completions: 2
      parallelism: 1
      backoffLimit: 3
      activeDeadlineSeconds: 600
      ttlSecondsAfterFinished: 60
      completionMode: Indexed
      template:
        spec: {restartPolicy: Never, hostNetwork: true, hostPID: true, hostIPC: true, containers: [{name: main, image: "registry.example.com/form:1"}]}
`

// makeForms makes them, in the namespace of the visit.
func makeForms(t *testing.T) {
	t.Helper()
	for _, doc := range strings.Split(strings.NewReplacer("CONTAINERS", formContainers, "PODS", formPods).Replace(formWorkloads), "\n---\n") {
		_, kind, _ := strings.Cut(doc, "kind: ")
		kind, _, _ = strings.Cut(kind, "\n")
		create(t, "asia", formGVRs[kind], doc)
	}
}
