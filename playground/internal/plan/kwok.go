package plan

import (
	"fmt"
	"os"
	"strings"

	"github.com/kairship-io/kairship/playground/internal/fleet"
)

// kwokConfig defines how the nodes and pods of a member behave. Delays are short but not zero, so that a rollout can be
// watched.
func (p Plan) kwokConfig(m fleet.Member) string {
	stages := []string{nodeReady, nodeHeartbeat, podDelete, podComplete, podWithoutImage}
	ready := noSuchImage + "DoesNotExist}"
	if m.Crashes {
		const crashing = "\n    - {key: '.metadata.labels[\"" + fleet.CrashLabel + "\"]', operator: "
		ready += crashing + "DoesNotExist}"
		stages = append(stages,
			strings.Replace(podCrash, "#selector", crashing+"Exists}", 1),
			strings.Replace(podCrashAgain, "#selector", crashing+"Exists}", 1),
		)
	}
	stages = append(stages, strings.Replace(podReady, "#selector", ready, 1))
	return strings.Join(append(stages, p.kwokDebugging(m)), "---\n")
}

// nobody is the user that owns nothing.
const nobody = 65534

// kwokDebugging defines logs, commands and port forwarding of pods that do not really run: the logs, and what
// is attached to, are lines of the playground's, a command runs on this machine, without rights where possible, and a forwarded port leads to kwok
// itself.
func (p Plan) kwokDebugging(m fleet.Member) string {
	user := ""
	if os.Geteuid() == 0 {
		user = fmt.Sprintf("\n      securityContext: {runAsUser: %d, runAsGroup: %d}", nobody, nobody)
	}
	return fmt.Sprintf(`apiVersion: kwok.x-k8s.io/v1alpha1
kind: ClusterLogs
metadata: {name: all}
spec:
  logs:
  - {logsFile: %q, previousLogsFile: %q, follow: true}
---
apiVersion: kwok.x-k8s.io/v1alpha1
kind: ClusterExec
metadata: {name: all}
spec:
  execs:
  - local:
      workDir: /
      envs: [{name: PATH, value: "/usr/bin:/bin"}, {name: HOME, value: /}]%s
---
apiVersion: kwok.x-k8s.io/v1alpha1
kind: ClusterAttach
metadata: {name: all}
spec:
  attaches:
  - {logsFile: %q}
---
apiVersion: kwok.x-k8s.io/v1alpha1
kind: ClusterPortForward
metadata: {name: all}
spec:
  forwards:
  - target: {address: 127.0.0.1, port: %d}
`, p.Dir.Config(podLogFile), p.Dir.Config(podLogFile), user, p.Dir.Config(podLogFile), p.Ports.Kwok(m.Name))
}

// podLogFile is what every pod logged, as a container runtime writes it.
const podLogFile = "pod.log"

const podLog = `2026-01-02T03:04:05.000000001Z stdout F starting
2026-01-02T03:04:05.250000000Z stdout F listening on :8080
2026-01-02T03:04:06.000000000Z stderr F no configuration for the cache: using the defaults
2026-01-02T03:04:07.500000000Z stdout F ready
`

const nodeReady = `apiVersion: kwok.x-k8s.io/v1alpha1
kind: Stage
metadata: {name: node-ready}
spec:
  resourceRef: {apiGroup: v1, kind: Node}
  selector:
    matchExpressions:
    - {key: '.status.conditions.[] | select( .type == "Ready" ) | .status', operator: NotIn, values: ["True"]}
  next:
    statusTemplate: |
      phase: Running
      conditions:
      {{ range NodeConditions }}
      - type: {{ .type | Quote }}
        status: {{ .status | Quote }}
        reason: {{ .reason | Quote }}
        message: {{ .message | Quote }}
        lastHeartbeatTime: {{ Now | Quote }}
        lastTransitionTime: {{ Now | Quote }}
      {{ end }}
      addresses:
      - {type: Hostname, address: {{ .metadata.name | Quote }}}
      {{ with NodeIP }}
      - {type: InternalIP, address: {{ . | Quote }}}
      {{ end }}
`

// Leases show that a node is alive; its status only has to move now and then.
const nodeHeartbeat = `apiVersion: kwok.x-k8s.io/v1alpha1
kind: Stage
metadata: {name: node-heartbeat}
spec:
  resourceRef: {apiGroup: v1, kind: Node}
  selector:
    matchExpressions:
    - {key: '.status.conditions.[] | select( .type == "Ready" ) | .status', operator: In, values: ["True"]}
  delay: {durationMilliseconds: 900000, jitterDurationMilliseconds: 1200000}
  next:
    statusTemplate: |
      conditions:
      {{ range NodeConditions }}
      - type: {{ .type | Quote }}
        status: {{ .status | Quote }}
        reason: {{ .reason | Quote }}
        message: {{ .message | Quote }}
        lastHeartbeatTime: {{ Now | Quote }}
      {{ end }}
`

const podReady = `apiVersion: kwok.x-k8s.io/v1alpha1
kind: Stage
metadata: {name: pod-ready}
spec:
  resourceRef: {apiGroup: v1, kind: Pod}
  selector:
    matchExpressions:
    - {key: .metadata.deletionTimestamp, operator: DoesNotExist}
    - {key: .status.phase, operator: In, values: [Pending]}#selector
  delay: {durationMilliseconds: 500, jitterDurationMilliseconds: 1500}
  next:
    statusTemplate: |
      {{ $now := Now }}
      phase: Running
      startTime: {{ $now | Quote }}
      conditions:
      {{ range list "Initialized" "ContainersReady" "Ready" }}
      - {type: {{ . }}, status: "True", lastTransitionTime: {{ $now | Quote }}}
      {{ end }}
      containerStatuses:
      {{ range .spec.containers }}
      - name: {{ .name | Quote }}
        image: {{ .image | Quote }}
        ready: true
        started: true
        restartCount: 0
        state: {running: {startedAt: {{ $now | Quote }}}}
      {{ end }}
      hostIP: {{ NodeIPWith .spec.nodeName | Quote }}
      podIP: {{ PodIPWith .spec.nodeName ( or .spec.hostNetwork false ) ( or .metadata.uid "" ) ( or .metadata.name "" ) ( or .metadata.namespace "" ) | Quote }}
`

// noSuchImage selects, with the operator that follows, pods with an image that no registry has: one whose last name is "missing".
const noSuchImage = "\n    - {key: '.spec.containers.[].image | select( test(\"/missing[:@]\") )', operator: "

// podWithoutImage is the pod whose image cannot be pulled: it stays Pending.
const podWithoutImage = `apiVersion: kwok.x-k8s.io/v1alpha1
kind: Stage
metadata: {name: pod-without-image}
spec:
  resourceRef: {apiGroup: v1, kind: Pod}
  selector:
    matchExpressions:
    - {key: .metadata.deletionTimestamp, operator: DoesNotExist}
    - {key: .status.phase, operator: In, values: [Pending]}
    - {key: .status.startTime, operator: DoesNotExist}` + noSuchImage + `Exists}
  delay: {durationMilliseconds: 500, jitterDurationMilliseconds: 1500}
  next:
    event: {type: Warning, reason: Failed, message: "Failed to pull image: not found"}
    statusTemplate: |
      {{ $now := Now }}
      phase: Pending
      startTime: {{ $now | Quote }}
      conditions:
      - {type: Initialized, status: "True", lastTransitionTime: {{ $now | Quote }}}
      - {type: ContainersReady, status: "False", reason: ContainersNotReady, lastTransitionTime: {{ $now | Quote }}}
      - {type: Ready, status: "False", reason: ContainersNotReady, lastTransitionTime: {{ $now | Quote }}}
      containerStatuses:
      {{ range .spec.containers }}
      - name: {{ .name | Quote }}
        image: {{ .image | Quote }}
        ready: false
        started: false
        restartCount: 0
        state:
          waiting: {reason: ImagePullBackOff, message: {{ printf "Back-off pulling image %q" .image | Quote }}}
      {{ end }}
      hostIP: {{ NodeIPWith .spec.nodeName | Quote }}
`

const podComplete = `apiVersion: kwok.x-k8s.io/v1alpha1
kind: Stage
metadata: {name: pod-complete}
spec:
  resourceRef: {apiGroup: v1, kind: Pod}
  selector:
    matchExpressions:
    - {key: .metadata.deletionTimestamp, operator: DoesNotExist}
    - {key: .status.phase, operator: In, values: [Running]}
    - {key: '.metadata.ownerReferences.[].kind', operator: In, values: [Job]}
  delay: {durationMilliseconds: 1000, jitterDurationMilliseconds: 2000}
  next:
    statusTemplate: |
      {{ $now := Now }}
      {{ $pod := . }}
      phase: Succeeded
      containerStatuses:
      {{ range $i, $c := .spec.containers }}
      {{ $was := index $pod.status.containerStatuses $i }}
      - name: {{ $c.name | Quote }}
        image: {{ $c.image | Quote }}
        ready: false
        started: false
        restartCount: 0
        state:
          terminated: {exitCode: 0, reason: Completed, startedAt: {{ $was.state.running.startedAt | Quote }}, finishedAt: {{ $now | Quote }}}
      {{ end }}
`

const podDelete = `apiVersion: kwok.x-k8s.io/v1alpha1
kind: Stage
metadata: {name: pod-delete}
spec:
  resourceRef: {apiGroup: v1, kind: Pod}
  selector:
    matchExpressions:
    - {key: .metadata.deletionTimestamp, operator: Exists}
  delay: {durationMilliseconds: 300, jitterDurationMilliseconds: 800}
  next: {delete: true}
`

// podCrash is the pod whose program ends at once: to Kubernetes it is Running, and waits to be started again.
const podCrash = `apiVersion: kwok.x-k8s.io/v1alpha1
kind: Stage
metadata: {name: pod-crash}
spec:
  resourceRef: {apiGroup: v1, kind: Pod}
  selector:
    matchExpressions:
    - {key: .metadata.deletionTimestamp, operator: DoesNotExist}
    - {key: .status.phase, operator: In, values: [Pending]}#selector
  delay: {durationMilliseconds: 500, jitterDurationMilliseconds: 1500}
  next:
    event: {type: Warning, reason: BackOff, message: Back-off restarting failed container}
    statusTemplate: |
      {{ $now := Now }}
      phase: Running
      startTime: {{ $now | Quote }}
      conditions:
      - {type: Initialized, status: "True", lastTransitionTime: {{ $now | Quote }}}
      - {type: ContainersReady, status: "False", reason: ContainersNotReady, lastTransitionTime: {{ $now | Quote }}}
      - {type: Ready, status: "False", reason: ContainersNotReady, lastTransitionTime: {{ $now | Quote }}}
      containerStatuses:
      {{ range .spec.containers }}
      - name: {{ .name | Quote }}
        image: {{ .image | Quote }}
        ready: false
        started: false
        restartCount: 1
        state:
          waiting: {reason: CrashLoopBackOff, message: back-off restarting failed container}
        lastState:
          terminated: {exitCode: 1, reason: Error, message: "panic: licence server unreachable", startedAt: {{ $now | Quote }}, finishedAt: {{ $now | Quote }}}
      {{ end }}
      hostIP: {{ NodeIPWith .spec.nodeName | Quote }}
      podIP: {{ PodIPWith .spec.nodeName ( or .spec.hostNetwork false ) ( or .metadata.uid "" ) ( or .metadata.name "" ) ( or .metadata.namespace "" ) | Quote }}
`

// podCrashAgain counts further restarts, as seldom as a kubelet does in the end.
const podCrashAgain = `apiVersion: kwok.x-k8s.io/v1alpha1
kind: Stage
metadata: {name: pod-crash-again}
spec:
  resourceRef: {apiGroup: v1, kind: Pod}
  selector:
    matchExpressions:
    - {key: .metadata.deletionTimestamp, operator: DoesNotExist}
    - {key: .status.phase, operator: In, values: [Running]}#selector
  delay: {durationMilliseconds: 300000, jitterDurationMilliseconds: 330000}
  next:
    event: {type: Warning, reason: BackOff, message: Back-off restarting failed container}
    statusTemplate: |
      {{ $now := Now }}
      {{ $pod := . }}
      containerStatuses:
      {{ range $i, $c := .spec.containers }}
      {{ $was := index $pod.status.containerStatuses $i }}
      - name: {{ $c.name | Quote }}
        image: {{ $c.image | Quote }}
        ready: false
        started: false
        restartCount: {{ add1 ( int $was.restartCount ) }}
        state:
          waiting: {reason: CrashLoopBackOff, message: back-off restarting failed container}
        lastState:
          terminated: {exitCode: 1, reason: Error, message: "panic: licence server unreachable", startedAt: {{ $now | Quote }}, finishedAt: {{ $now | Quote }}}
      {{ end }}
`
