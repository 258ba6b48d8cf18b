package plan

import (
	"fmt"
	"time"

	"github.com/kairship-io/kairship/playground/internal/process"
)

// etcd is the store of a member with its own, or, without a name, the one that
// all other API servers share.
func (p Plan) etcd(member string) process.Spec {
	name := "etcd"
	if member != "" {
		name = member + "-etcd"
	}
	client, peer := p.Ports.Etcd(member)
	clientURL, peerURL := fmt.Sprintf("http://127.0.0.1:%d", client), fmt.Sprintf("http://127.0.0.1:%d", peer)
	s := p.spec(name, member, process.TierStore, p.Binaries["etcd"],
		flag("name", "default"),
		flag("data-dir", p.Dir.Data(name)),
		flag("listen-client-urls", clientURL),
		flag("advertise-client-urls", clientURL),
		flag("listen-peer-urls", peerURL),
		flag("initial-advertise-peer-urls", peerURL),
		flag("initial-cluster", "default="+peerURL),
		// A fleet that loses a second of its data in a power cut is reset; one that waits for the disk at each write is
		// slow every day.
		"--unsafe-no-fsync",
		flag("log-level", "warn"),
		flag("quota-backend-bytes", 4<<30),
	)
	s.Ports = []int{client, peer}
	s.Ready = plain(client, "/readyz")
	s.Metrics = plain(client, "/metrics")
	return s
}

func (p Plan) etcdServer(member string) string {
	client, _ := p.Ports.Etcd(member)
	return fmt.Sprintf("http://127.0.0.1:%d", client)
}

func (p Plan) postgres() process.Spec {
	port := p.Ports.Postgres()
	s := p.spec("postgres", "", process.TierDatabase, p.Database.Program,
		"-D", p.Database.Dir,
		"-p", fmt.Sprint(port),
		"-c", "listen_addresses=127.0.0.1",
		"-c", "unix_socket_directories=",
		"-c", "max_connections=200",
		"-c", "shared_buffers=256MB",
		// As with etcd: what is stored here can be read from the clusters again.
		"-c", "fsync=off", "-c", "synchronous_commit=off", "-c", "full_page_writes=off",
		"-c", "max_wal_size=1GB",
		"-c", "logging_collector=off",
		"-c", "autovacuum_naptime=30s",
		// As Kairship sets them for the database; here also for sessions that begin before that.
		"-c", "jit=off", "-c", "random_page_cost=1.1",
	)
	s.Env = []string{"LC_ALL=C", "TZ=UTC"}
	s.User = p.Database.User
	s.Dir = p.Database.Dir
	s.Ports = []int{port}
	s.Ready = &process.Endpoint{Address: loopback(port)}
	// INT is its "fast" shutdown: it ends sessions instead of waiting for them.
	s.StopSignal, s.StopGrace = "INT", process.Duration(20*time.Second)
	return s
}
