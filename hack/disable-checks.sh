#!/usr/bin/env bash
# Disables each check of what a person may see or do in turn, and shows that a test notices. Nothing in the
# checkout is changed: the compiler is given other sources in place of the real ones (hack/disablechecks). It
# prints the table of docs/security.md. An argument is a pattern of the names of the checks to try. Tests of
# writes need KAIRSHIP_TEST_ASSETS, which `make test-checks` sets.
set -euo pipefail
cd "$(dirname "$0")/.."
rows=$(mktemp)
trap 'rm -f "$rows"' EXIT

# check NAME FILE FROM TO PACKAGE TEST: FROM stands in FILE exactly once; with TO in its place, TEST fails.
check() {
	[ $# -eq 6 ] || { echo "$0: line ${BASH_LINENO[0]}: check has $# arguments, want six" >&2; exit 2; }
	printf '%s\0' "$@" >>"$rows"
}

# What a scope holds.
scope=internal/rbac/scope.go
check "an instance without a role in it" $scope 'return s.all || len(s.everywhere) > 0 || len(s.instances[name]) > 0' 'return true' internal/rbac TestScope
check "a role in some namespaces only" $scope 'if len(g.namespaces) == 0 && g.role.Allows(verb, resource) {' 'if g.role.Allows(verb, resource) {' internal/rbac TestScope
check "what a role allows" $scope 'if len(g.namespaces) == 0 && g.role.Allows(verb, resource) {' 'if len(g.namespaces) == 0 {' internal/rbac TestScope
check "numbers of a whole instance" $scope 'return len(g.namespaces) == 0 })' 'return true })' internal/instance TestAnInstanceIsForThoseWhoMaySeeItAndItsNumbersForThoseWhoMaySeeAllOfIt
check "groups without a role in the instance" $scope 'groups = slices.DeleteFunc(groups, func(g string) bool { return !slices.Contains(p.Groups, g) })' 'groups = slices.Clone(p.Groups)' internal/rbac TestAnInstanceSeesOnlyTheGroupsThatAreBoundThere
check "what may be done in a namespace" $scope 'return len(g.namespaces) == 0 && g.role.AllowsIn(namespace, verb, resource)' 'return len(g.namespaces) == 0' internal/rbac TestEditorsMayDoMoreWhereNothingIsReserved
check "a role in other namespaces" $scope 's.May(instance, verb, resource).Has(namespace)' '!s.May(instance, verb, resource).None()' internal/rbac TestEditorsMayDoMoreWhereNothingIsReserved
check "a credential for one instance" internal/rbac/authorizer.go 's = s.only(p.Instance)' '' internal/rbac TestACredentialForOneInstanceOpensNoOther
check "an owner's credential for one instance" $scope 'return Scope{instances: map[string][]grant{instance: grants}}' 'return Scope{all: s.all, groups: s.groups, instances: map[string][]grant{instance: grants}}' internal/rbac TestACredentialForOneInstanceOpensNoOther
check "a binding that is being deleted" internal/rbac/bindings.go 'if binding.DeletionTimestamp != nil {' 'if false {' internal/rbac TestScope
check "a role that is refused" internal/rbac/role/allows.go '|| Refused(&custom[i]) != nil' '' internal/rbac TestScope

# Who gives roles.
given=internal/rbac/access.go
check "giving roles without being Admin" $given 'g.role.Name == string(v1alpha1.RoleAdmin) && within(namespaces, g.namespaces)' 'within(namespaces, g.namespaces)' internal/rbac TestRolesAreGivenByThoseWhoHaveAllRightsThere
check "giving roles in namespaces of others" $given 'g.role.Name == string(v1alpha1.RoleAdmin) && within(namespaces, g.namespaces)' 'g.role.Name == string(v1alpha1.RoleAdmin)' internal/rbac TestRolesAreGivenByThoseWhoHaveAllRightsThere
check "instances made by others than owners" internal/actions/instance.go 'if call.Scope.All() {' 'if true {' internal/actions TestInstancesAreMadeByOwnersAlone
check "instances changed by others than their Admins" internal/actions/update_instance.go 'if call.Scope.Grants(instance, nil) {' 'if true {' internal/actions TestInstancesAreChangedByTheirAdmins
check "an instance led to another server by an Admin" internal/actions/update_instance.go 'call.Scope.All(), dryRun' 'true, dryRun' internal/actions TestAKubeconfigIsCheckedBeforeAnythingIsStored
check "the server of another kubeconfig" internal/instance/writer.go 'if is.Host == to.Host && bytes.Equal(is.CAData, to.CAData) {' 'if true {' internal/instance TestAnInstanceIsLedToAnotherServerByOwnersAlone
check "operations of others" internal/operations/operations.go 'return o.Actor == p.Name && p.Name != "" || s.Grants(o.InstanceName, nil)' 'return true' resolvers TestOperationsAreForThoseWhoAskedAndForAdmins
check "rights at each step of an operation" controllers/operation/controller.go 'case denied != nil:' 'case false:' controllers/operation TestARightThatIsTakenEndsAnOperation
check "giving roles on all instances" $given 'return instance != "" && slices' 'return slices' internal/rbac TestRolesAreGivenByThoseWhoHaveAllRightsThere
check "roles of others" $given 'return s.Grants(*b.Instance, b.Namespaces)' 'return true' internal/rbac TestWhoHasWhichRoleIsForThoseWhoGiveThemAndForWhoHasIt
check "roles of others on all instances" $given 'if s.Grants(instance, b.Namespaces) {' 'if instance != "" {' internal/rbac TestWhoHasWhichRoleIsForThoseWhoGiveThemAndForWhoHasIt
check "who gives a role" internal/actions/grant_access.go 'if call.Scope.Grants(a.Instance, a.Namespaces) {' 'if true {' internal/actions TestNobodyGivesMoreThanTheyHave
check "who takes a role" internal/actions/revoke_access.go 'if !call.Scope.Grants(instance, b.Namespaces) {' 'if false {' internal/actions TestNobodyTakesWhatTheyCouldNotGive
check "the last owner" internal/actions/revoke_access.go 'case rbac.Owner(b) && !call.Access.OtherOwners(b.Name):' 'case false:' internal/actions TestNobodyTakesWhatTheyCouldNotGive
check "a role that global management gave" internal/actions/revoke_access.go 'case b.Source == model.AccessFromGlobalManagement:' 'case false:' internal/actions TestNobodyTakesWhatTheyCouldNotGive

# Who joins and removes clusters.
joins=controllers/operation/join_cluster.go
check "who joins and removes clusters" internal/actions/join_cluster.go 'if call.Scope.Grants(instance, nil) {' 'if true {' internal/actions TestOnlyAdminsOfTheWholeInstanceJoinAndRemoveClusters
check "who joins clusters by now" $joins 'if r.Scope.Grants(r.Operation.Spec.Instance, nil) {' 'if true {' controllers/operation TestWhoIsNoAdminAnyMoreJoinsNothing
check "the name of an instance that holds a cluster" internal/operations/operations.go 'case k.holder != "" && s.Instance(k.holder):' 'case k.holder != "":' internal/operations TestTheInstanceThatHoldsAClusterIsNamedToThoseWhoSeeIt
check "an instance that was made anew" controllers/operation/run.go 'case uid != "" && uid != string(instance.UID):' 'case false:' controllers/operation TestAnotherInstanceOfTheSameNameGetsNothing
check "one person who fills an instance with operations" internal/actions/operations.go 'if l.has >= l.most && !l.exempt {' 'if false {' internal/actions TestNobodyKeepsOthersFromBeginningOperations
check "what a dismissed Admin made" controllers/operation/undo.go 'case r.undoing:' 'case false:' controllers/operation TestWhatADismissedAdminBeganIsUndone
check "another cluster behind the address of a kubeconfig" $joins 'if id != r.Found(foundID) {' 'if false {' controllers/operation TestAnotherClusterBehindTheSameAddressIsNotAdmitted

# Who comes in.
check "somebody without any role" internal/server/gate/gate.go 'if in.Scope = rbac.ScopeFrom(ctx); in.Scope.Empty() {' 'if in.Scope = rbac.ScopeFrom(ctx); false {' internal/server TestTheProxyIsForThoseWhoAreLetIn
check "the answers of another person's subscriptions" internal/server/subscriber.go 'rbac.PrincipalFrom(ctx).Key(), rbac.ScopeFrom(ctx).Key(), op.RawQuery' 'op.RawQuery' internal/server TestOneSelectionIsResolvedOnceForEachChange
check "what went in namespaces of others, to who comes back" internal/live/history.go 'sees := func(v T) bool { return r.sees == nil || r.sees(v) }' 'sees := func(T) bool { return true }' internal/live TestWhoComesBackIsToldOfNothingThatTheyDoNotSee
check "the id of an event of another subscription" internal/server/subscriber.go 'if s.resume, mine = strings.CutPrefix(last, s.mark()); !mine || s.resume == "" {' 'if s.resume, mine = strings.CutPrefix(last, s.mark()); !mine && false {' internal/server TestWhoComesBackWithTheIDOfAnEventGoesOnAfterIt
check "a stream whose owner's rights are others" internal/server/gate/rights.go '&& now.Scope.Key() == in.Scope.Key()' '' internal/server TestAStreamBeginsAgainWhenItsOwnersRoleIsAnother
check "a session that another page uses" internal/server/authenticate.go 'c.Session != nil && !d.ownRequest(r)' 'false' internal/server TestSessions
check "a kubeconfig's token beside the proxy" internal/server/gate/gate.go 'of != "" && !c.Proxied' 'of != "" && false' internal/server TestWhoIsLetIn
check "an expired session" internal/server/gate/gate.go 'c.Session != nil && !in.Expires.IsZero() && !g.now().Before(in.Expires)' 'false' internal/server TestSessions
check "a session that was ended" internal/auth/session/session.go 'case s.cfg.Revocations.Ended(c.ID):' 'case s.cfg.Revocations.Ended(c.ID) && false:' internal/auth/session TestSigningOut
check "a kubeconfig that was taken back" internal/auth/token/token.go 'case i.revocations.Revoked(t.ID, t.Principal.Name, t.IssuedAt):' 'case i.revocations.Revoked(t.ID, t.Principal.Name, t.IssuedAt) && false:' internal/auth/token TestTokensAreRevoked
endings=internal/auth/revocation/revocation.go
check "what ended in another replica" $endings '_, known := e.known[key]
	return known' 'return false' internal/auth/revocation TestWhatEndsInOneReplicaHasEndedInAll
check "what was taken back in another replica" $endings 'return known && !issuedAt.After(until)' 'return known && until.IsZero()' internal/auth/revocation TestWhatEndsInOneReplicaHasEndedInAll
check "revocations that are not known yet" $endings '	if e.read {' '	if true {' internal/auth/revocation TestNothingIsGoodUntilTheDatabaseWasRead
check "sessions while revocations are not known" cmd/people.go 'if err := e.revoked.Check(); err != nil {' 'if err := error(nil); err != nil {' cmd TestNobodyComesInUntilItIsKnownWhatHasEnded
check "kubeconfigs while revocations are not known" cmd/people.go 'if err := c.revoked.Check(); err != nil {' 'if err := error(nil); err != nil {' cmd TestNobodyComesInUntilItIsKnownWhatHasEnded

# Names that a header would change.
check "names of the identity provider with white space" internal/auth/oidc_claims.go 'case padded(name):' 'case false:' internal/auth TestIDTokens
check "names of the host cluster with white space" internal/auth/authn.go 'case padded(status.User.Username):' 'case false:' internal/auth TestAuthenticate
check "groups of the host cluster with white space" internal/auth/authn.go 'case slices.ContainsFunc(status.User.Groups, padded):' 'case false:' internal/auth TestAuthenticate
check "bindings of names with white space" internal/rbac/bindings.go '|| subject.Padded()' '' internal/rbac TestScope
check "impersonating a name with white space" internal/instance/connection/impersonate.go '|| strings.TrimSpace(name) != name' '' internal/instance TestAReadGoesToAControlPlaneAsThePersonAndToAMemberThroughKarmada

# What may be held and spent.
check "metrics for who sees a part" internal/server/scrape.go 'if !rbac.ScopeFrom(admitted.Context()).All() {' 'if !rbac.ScopeFrom(admitted.Context()).All() && false {' internal/server TestMetricsAreForOwners
check "the size of a message on a WebSocket" internal/server/operations.go 's.server.charge(ctx, pointsOf(m.size))' 's.server.charge(ctx, 1)' internal/server TestVariablesOnASocketCostWhatABodyCosts
check "the price of an event" internal/server/gate/turns.go 'if wait = t.events.lacks(user, cost); wait > 0 {' 'if false {' internal/server/gate TestEventsThatCannotBePaidWait
check "the time of an event" internal/server/gate/turns.go 's.turns.events.owe(' 'func(string, int) {}(' internal/server/gate TestAnEventThatTakesLongIsPaidByItsTime
check "events of one person at once" internal/server/gate/turns.go 'l.inWork < t.atOnce' 'true' internal/server/gate TestOnlySoManyEventsOfAPersonAreInWorkAtOnce
check "changes that wait for their turn" internal/live/stream.go 'if !s.comes(ctx, granted) {' 'if _ = granted; false {' internal/live TestWhatWaitsForItsTurnIsTheNewestStateThen
check "a body that stalls" internal/server/requests.go 'body: d.boundBody(w, r)' 'body: nil' internal/server TestABodyThatStallsIsAnsweredInTime
check "connections in all" internal/server/connections.go 'case c.total >= c.all:' 'case false:' internal/server TestOpenConnectionsAreLimited
check "connections of one address" internal/server/connections.go 'case key != "" && c.by[key] >= c.each:' 'case false:' internal/server TestOpenConnectionsAreLimited
check "requests to the webhook at once" internal/globalmanagement/unverified.go 'if u.total >= maxUnverified || u.by[key] >= maxUnverifiedEach {' 'if false {' internal/globalmanagement TestOnlySoManyAreReadAtOnce
check "the account of sign-ins" internal/auth/session/signin.go 'defer func() { s.account.note(r.Context(), told) }()' '' internal/auth/session TestSignInsAreTold
check "sign-ins that would fill the audit" internal/auth/session/account.go 'if s.Unrecorded, told = a.admit(request.From(ctx).Remote); !told {' 'if s.Unrecorded, told = a.admit(request.From(ctx).Remote); !told && false {' internal/auth/session TestWhoCannotSignInDoesNotFillTheAudit

# Reads of the fleet.
check "an instance by name" internal/instance/instances.go 'if e == nil || !scope.Instance(instance) {' 'if e == nil {' internal/instance TestAnInstanceIsForThoseWhoMaySeeItAndItsNumbersForThoseWhoMaySeeAllOfIt
check "the list of instances" internal/instance/instances.go 'if scope.Instance(name) {' 'if name != "" {' internal/instance TestAnInstanceIsForThoseWhoMaySeeItAndItsNumbersForThoseWhoMaySeeAllOfIt
check "numbers of an instance" internal/instance/entry.go 'if !scope.Whole(in.Name) {' 'if false {' internal/instance TestAnInstanceIsForThoseWhoMaySeeItAndItsNumbersForThoseWhoMaySeeAllOfIt
check "the history of a whole instance" internal/prometheus/prometheus.go 'if !scope.Whole(instance) {' 'if false {' internal/prometheus TestWhoSeesAPartOfAnInstanceGetsNoTotalOfIt
check "the history of members" internal/prometheus/prometheus.go 'if !scope.Instance(instance) ||' 'if' internal/prometheus TestWhoSeesAPartOfAnInstanceGetsNoTotalOfIt
check "redirects, for Prometheus" internal/prometheus/read.go 'return http.ErrUseLastResponse' 'return nil' internal/prometheus TestWhatIsNoAnswerIsSaidAndBounded/a_redirect
check "the size of an answer of Prometheus" internal/prometheus/read.go 'if b.left <= 0 {' 'if false {' internal/prometheus TestWhatIsNoAnswerIsSaidAndBounded/a_body_without_an_end
check "names in a query to Prometheus" internal/prometheus/query.go 'regexp.QuoteMeta(name)' 'name' internal/prometheus TestNoNameIsPromQL
check "points of metrics in one operation" loaders/history.go 'all > mostMetricPoints' 'all < 0' resolvers TestAnOperationAsksForSoManyPointsAndNoMore
check "reads of API servers" internal/instance/reach.go 'if scope.Empty() || !scope.Instance(c.instance) {' 'if false {' internal/instance TestAReadIsMadeByThoseWhoMaySeeTheInstanceAndByTheGroupsThatAreBoundThere
check "groups by which API servers are read" internal/instance/reach.go 'c.As(scope.Acting(c.instance, p))' 'c.As(p)' internal/instance TestAReadIsMadeByThoseWhoMaySeeTheInstanceAndByTheGroupsThatAreBoundThere
check "members that are read with Kairship's own name" internal/instance/reach.go 'if cluster != "" && scope.All() {' 'if cluster != "" {' internal/instance TestAReadIsMadeByThoseWhoMaySeeTheInstanceAndByTheGroupsThatAreBoundThere
check "names that nobody may be given" internal/instance/connection/impersonate.go 'if name == "" || strings.HasPrefix(name, systemPrefix) ||' 'if' internal/instance TestAReadGoesToAControlPlaneAsThePersonAndToAMemberThroughKarmada

# Reads of the read store. The walk is the leakage test.
walk=TestWhatIsHiddenMakesNoDifference
check "queries for nobody" internal/pedia/sql/query.go 'case q.Scope.Empty():' 'case false:' internal/pedia TestAnEmptyScopeMakesNoRequest
check "pages of the read store" internal/pedia/fetch.go 'switch seen, err := q.Restrict(); {' 'switch seen, err := true, error(nil); {' resolvers $walk/an_editor_of_a_namespace
check "the look at each row that comes" internal/pedia/fetch.go '!sql.Visible(q.Scope, v.Key)' 'false' internal/pedia TestAnOpenGateIsNotTakenForAClosedOne
check "totals of the read store" internal/pedia/count.go 'switch seen, err := q.Restrict(); {' 'switch seen, err := true, error(nil); {' internal/pedia TestNobodyReadsWhatTheirRolesDoNotShow
check "objects by key" internal/pedia/keys.go 'sql.VisibleKeys(q.Scope, keys)' 'keys' resolvers $walk/an_editor_of_a_namespace
check "lists read together" internal/pedia/groups.go 'if g.Restrict(q.Scope) {' 'if true {' resolvers $walk/an_editor_of_a_namespace
check "kinds that differ in what may be seen" internal/pedia/sql/visible.go 'q.Where = append(slices.Clone(q.Where), v)' '_ = v' resolvers $walk/a_viewer_here_and_an_editor_of_a_part_there
check "kinds that are hidden in some clusters only" internal/pedia/sql/visible.go 'if len(v) == 1 && v.pairs() == len(q.Clusters)*len(q.GVRs) {' 'if len(v) == 1 {' internal/pedia TestAKindThatIsShownElsewhereIsHidden
check "namespaces that are the same for all" internal/pedia/sql/visible.go 'q.Where = append([]Condition{Namespaces(where.Names()...)}, rest...)' '_ = rest' resolvers $walk/an_editor_of_a_namespace
check "namespaces by their names" internal/pedia/sql/visible.go 'q.Where = append(slices.Clone(q.Where), Names(same.where.Names()...))' '' internal/pedia TestNobodyReadsWhatTheirRolesDoNotShow
check "the namespaces that a filter names" internal/pedia/sql/visible.go 'where := same.where.Among(wanted)' 'where := rbac.AllNamespaces.Among(wanted)' internal/pedia TestAFilterCannotReachBeyondARole
check "answers that are shared" internal/pedia/guard.go 'principal.Key()+"\n"+key' 'rbac.PrincipalFrom(context.Background()).Key()+"\n"+key' internal/pedia TestIdenticalReadsOfOnePrincipalShareAnAnswer
check "Works by their names" loaders/refs.go 'ref.GVK == workKind && !k.scope.Sees(ref.Instance, workResource[0].GroupResource()).Has(ref.Namespace)' 'false' resolvers $walk/an_editor_of_a_namespace
check "the note that an object came with a Work" loaders/works.go 'return m.Ref.GVK.GroupKind() == o.Ref.GVK.GroupKind() && m.Ref.Namespace == o.Ref.Namespace && m.Ref.Name == o.Ref.Name' 'return true' resolvers $walk/an_editor_of_a_namespace
check "lists of what is in no namespace" loaders/parts.go 'return where.All()' 'return true' resolvers TestAListThatMayNotBeReadIsForbiddenAndNotEmpty
check "kinds that may not be listed" loaders/parts.go 'return !where.None()' 'return true' resolvers TestAListThatMayNotBeReadIsForbiddenAndNotEmpty
check "what an object needs that is hidden" loaders/diagnosis.go '.Has(need.Ref.Namespace)' '.Has(need.Ref.Namespace) && false' resolvers TestADiagnosisSaysNothingOfWhatItsReaderMayNotSee
check "what goes along and is hidden" loaders/preview_dependents.go '&& !k.mayRead(ref)' '&& false' resolvers TestAPreviewTellsWhatGoesAlong
check "policies that may be hidden" loaders/diagnosis.go 'PoliciesHidden: d.hidesPolicies(o.Ref),' '' resolvers TestADiagnosisSaysThatPoliciesMayBeHidden

# Subscriptions.
check "subscriptions of nobody" internal/live/hub.go 'if scope.Empty() {' 'if false {' internal/live TestSubscribingIsRefused
check "subscriptions to an instance" internal/live/hub.go 'if !scope.Instance(name) {' 'if false {' internal/live TestSubscribingIsRefused
check "objects of a kind that are followed" internal/live/objects.go 'return wanted && seen.Has(ref.Namespace) && match(o)' 'return wanted && match(o)' internal/live TestObjectsOfAKindAreFollowed
check "instances that are followed" internal/live/fleet.go 'return scope.Instance(i.Name) && in(names, i.Name)' 'return in(names, i.Name)' internal/live TestInstancesAndTheOverviewAreFollowed
check "numbers of a whole instance that is followed" internal/live/fleet.go 'if !scope.Whole(node.Name) {' 'if false {' internal/live TestInstancesAndTheOverviewAreFollowed
check "logs as the person" internal/podlogs/podlogs.go 'f.connect(connecting, scope, who, r.Instance, p.Cluster)' 'f.connect(connecting, scope, auth.Principal{}, r.Instance, p.Cluster)' internal/podlogs TestALogIsReadAsThePerson
check "events of what is hidden" internal/live/hub.go 'seen[kind].Has(w.ObjectRef().Namespace)' '(seen[kind].None() || true)' internal/live TestASubscriberIsToldWhatTheyMaySee
check "pods of members that are followed" internal/live/pods.go 'return seen.Has(ref.Namespace) && strings' 'return strings' internal/live TestWhoMayNotSeeAllPodsOfAMember
check "who shares watches of pods" internal/live/pods.go 'who: who.Key(), scope' 'who: "", scope' internal/live TestPodsAreWatchedWhileSomebodyLooks
check "how much is held of pods" internal/live/pod_room.go 'g.bytes+more > mostPodBytes' 'false' internal/live TestPodsAreFollowedUpToABound

# The proxy.
check "nobody at the proxy" internal/server/proxy/exchange.go 'if x.who.Name == "" {' 'if false {' internal/server/proxy TestARefusalIsAStatus
check "somebody without any role at the proxy" internal/server/proxy/exchange.go 'if x.scope.Empty() {' 'if false {' internal/server/proxy TestARefusalIsAStatus
check "who wants to be somebody else" internal/server/proxy/exchange.go 'if err := checkImpersonation(r.Header); err != nil {' 'if err := error(nil); err != nil {' internal/server/proxy TestARefusalIsAStatus
check "who wants to be somebody else, written otherwise" internal/server/proxy/header.go 'if strings.HasPrefix(plainName(name), "impersonate-") {' 'if strings.HasPrefix(name, "Impersonate-") {' internal/server/proxy TestARefusalIsAStatus
check "a request that would be made by another name" internal/server/proxy/exchange.go 'if cfg.Impersonate.UserName != x.who.Name {' 'if false {' internal/server/proxy TestARefusalIsAStatus
check "a request by one of Kubernetes' own groups" internal/server/proxy/exchange.go 'if strings.HasPrefix(group, "system:") {' 'if false {' internal/server/proxy TestARefusalIsAStatus
check "headers that say who asks" internal/server/proxy/header.go 'if !kept(name) {' 'if false {' internal/server/proxy TestHeadersThatAreNotForTheOtherSide
check "requests that are open when a right ends" internal/server/proxy/exchange.go 'if revoked := x.revoked(); revoked != nil {' 'if revoked := x.revoked(); false {' internal/server/proxy TestStreamsEnd
upstream=TestWhatIsProxiedIsAskedAsThePersonByTheGroupsThatAreBoundThere
check "an instance behind the proxy" internal/instance/reach.go 'c, err := f.Connection(scope, instance)' 'c, err := f.instances[instance].connection()' internal/instance $upstream
check "instances that have a member" internal/instance/reach.go 'if e.conn == nil || !scope.Instance(name) {' 'if e.conn == nil {' internal/instance $upstream
check "as whom a proxied request is made" internal/instance/reach.go 'cfg, err := c.as(scope, p)' 'cfg, err := c.Config(), error(nil)' internal/instance $upstream
check "groups by which a proxied request is made" internal/instance/reach.go 'cfg, err := c.as(scope, p)' 'cfg, err := c.As(p)' internal/instance $upstream

# Consoles.
opens=internal/server/console.go
check "a console from a page of another host" $opens 'case r.Header.Get("Origin") != "" && !d.ownOrigin(r):' 'case false:' internal/server TestConsolesAreForThoseWhoSeeTheInstanceFromPagesOfThisHost
check "a console whose right has ended" $opens 'lost := d.gate.Lost(ctx, in)' 'lost := make(chan *model.Error)' internal/server TestAConsoleEndsAndItsCredentialWithIt
check "a console of an instance that is hidden" internal/console/console.go 'if _, err := cfg.Fleet.Instance(scope, s.instance); err != nil {' 'if _, err := cfg.Fleet.Instance(scope, s.instance); false {' internal/server TestConsolesAreForThoseWhoSeeTheInstanceFromPagesOfThisHost
check "the credential of a console that ended" internal/console/console.go 'if s.credential == nil {' 'if true {' internal/server TestAConsoleEndsAndItsCredentialWithIt
check "a token that was revoked alone" internal/auth/revocation/revocation.go 'if _, alone := e.known[tokenPrefix+id]; alone {' 'if _, alone := e.known[tokenPrefix+id]; alone && false {' internal/auth/revocation TestATokenIsRevokedAlone
runner=internal/console/runner
check "who may have shells started" $runner/runner_linux.go 'return ok && subtle' 'return ok || subtle' $runner TestTheTokenIsNeeded
check "a session's own user" $runner/terminal_linux.go 'return &syscall.Credential{Uid: id, Gid: id}' 'return &syscall.Credential{Uid: id - id, Gid: id - id}' $runner TestSessionsDoNotReachEachOther
check "the environment of a session" $runner/terminal_linux.go '"TERM=xterm-256color"}' '"TERM=xterm-256color", "SECRET=" + os.Getenv("KAIRSHIP_SECRET")}' $runner TestASessionHasNothingOfTheRunners

# Writes.
check "groups by which an apply is made" internal/actions/apply_manifests.go 'call.Acting()' 'call.Viewer' resolvers TestNobodyIsToldInOneProcessWhatIsForOthers
check "groups by which an object is changed" internal/actions/actions.go 'conn, c.Acting(), ' 'conn, c.Viewer, ' resolvers TestNobodyIsToldInOneProcessWhatIsForOthers
check "manifests of those who may write nothing" internal/actions/actions.go 'if call.Scope.Writes(instance) {' 'if true {' resolvers TestTheCodeOfAMutationIsItsOutcome
check "how large aliases make manifests" internal/karmada/split.go 's.refused = errors.New(s.explain(err))' '_ = err' internal/karmada TestABombIsRefusedByApplyWithoutBeingMadeLarge
check "how much all manifests of a request hold" internal/karmada/document.go 'all.Values > requestLimits.Values || all.Bytes > requestLimits.Bytes' 'false' internal/karmada TestDocumentsAsAWholeAreRefused
check "how much memory manifests of one person take" internal/karmada/memory.go 'own.taken.Acquire(waiting, size) != nil' 'false' internal/karmada TestManifestsThatAreBeingAppliedTakeSoMuchMemory
check "how large aliases make a kubeconfig" internal/instance/kubeconfig/kubeconfig.go 'errors.As(err, &limit) {' 'false && errors.As(err, &limit) {' internal/instance/kubeconfig TestABombIsRefusedAsAKubeconfigWithoutBeingMadeLarge
check "how large aliases make a text that is overridden" internal/propagation/overriders.go 'if err != nil || !isYAML {' 'if err = nil; !isYAML {' internal/propagation TestABombInATextThatIsOverriddenIsNotMadeLarge
check "variables that are not of their types" internal/server/graphql.go 'refusal == nil {
				return op, nil' 'true {
				return op, nil' resolvers TestAValueThatIsMalformedIsBadInputWithItsPlace
check "arguments that are not of their types" internal/server/errors.go 'if field := argumentOf(ctx, where.Path); field != nil {' 'if field := argumentOf(ctx, where.Path); false {' resolvers TestAValueThatIsMalformedIsBadInputWithItsPlace

# Kubeconfigs and the audit log.
kubeconfigs=TestKubeconfigsAreForWhoAsksAndForWhatTheySee
check "a kubeconfig for an instance that is hidden" internal/actions/actions.go '_, err := r.Fleet.Instance(scope, target.Ref.Instance)' '_, err := r.Fleet.Instance(scope, target.Ref.Instance); err = nil' resolvers $kubeconfigs
check "forms of those who may write nothing" internal/actions/create_workload.go 'return mayWrite(call, a.Instance)' 'return nil' resolvers TestTheCodeOfAMutationIsItsOutcome
check "Services of those who may write nothing" internal/actions/create_service.go 'return mayWrite(call, a.Instance)' 'return nil' resolvers TestTheCodeOfAMutationIsItsOutcome
check "labels of Karmada in forms" internal/overlay/values.go 'case c.Refused != "" && among(c.Unseen, k):' 'case false:' internal/workloadform TestWhatIsWrongIsSaidWhereItIsGiven
check "whose a kubeconfig is" internal/actions/issue_kubeconfig.go 'Issue(ctx, call.Viewer,' 'Issue(ctx, auth.Principal{},' resolvers $kubeconfigs
check "taking back the kubeconfigs of others" internal/actions/revoke_kubeconfigs.go 'if call.Target.Ref.Name == call.Viewer.Name || call.Scope.All() {' 'if true {' resolvers TestOnlyOwnersTakeBackTheKubeconfigsOfOthers
log=TestTheAuditLogIsForThoseWhoMaySeeIt
check "the whole audit log" resolvers/audit.go 'All: scope.All(), Instances' 'All: true, Instances' resolvers $log
check "the audit log of an instance" resolvers/audit.go 'where := scope.Sees(i.Name, rbac.AuditEvents)' 'where := rbac.AllNamespaces' resolvers $log
check "the audit log of some namespaces" resolvers/audit.go 'audit.Namespaces{All: where.All(), Names: where.Names()}' 'audit.Namespaces{All: true}' resolvers $log
check "the audit log in a timeline" resolvers/timeline.go 'if !visible.Shows(o.Ref.Instance, o.Ref.Namespace) {' 'if visible.All = true; false {' resolvers TestATimelineIsToldAsFarAsItMayBeSeen
check "policies in a timeline" resolvers/timeline.go 'mayRead(ctx, ref) && !slices' '!slices' resolvers TestATimelineTellsOfPoliciesThatAreGoneAndOfFaultsThatWereMended
check "mutations outside of the audit log" internal/actions/actions.go 'r.Audit.Around(ctx, event, func' 'audit.NewRecorder(nil, audit.RecorderOptions{}).Around(ctx, event, func' resolvers TestEveryMutationIsRecorded

# What instances answer.
transport=internal/instance/link/answer.go
redirect='if res.StatusCode < 300 || res.StatusCode > 399 || res.StatusCode == http.StatusNotModified {'
check "redirects" $transport "$redirect" 'if true {' internal/instance/link TestARedirectIsAnErrorForEveryClient
check "redirects, for reads, writes, watches and members" $transport "$redirect" 'if true {' internal/instance TestNoClientOfAnInstanceFollowsARedirect
check "redirects, for controllers" $transport "$redirect" 'if true {' internal/instance/connection TestARedirectDoesNotCarryTheCredentialOff
check "redirects that leave the server, through the proxy" internal/server/proxy/exchange.go 'case redirects:' 'case redirects && false:' internal/server/proxy TestRedirectsAreNotFollowed
check "how long an answer is" $transport 'if b.left -= int64(n); b.left < 0 ||' 'if b.left -= 0; b.left < 0 ||' internal/instance/link TestNoMoreIsReadThanThereMayBe
check "how long an answer says it is" internal/instance/link/link.go 'case res.ContentLength > most.answer:' 'case false:' internal/instance/link TestNoMoreIsReadThanThereMayBe
check "how long an event is" $transport 'if v.size > most.event {' 'if false {' internal/instance/link TestNoMoreIsReadThanThereMayBe
check "how many pages a list has" $transport 'p.read > MaxPages' 'false' internal/live TestAListEnds
check "how large a list is that is watched" internal/live/watch.go 'size > w.most' 'false' internal/live TestAListEnds
check "how much is told of new objects" internal/live/watch.go 'w.told > w.most' 'false' internal/live TestWhatIsToldOfNewObjectsWithoutEndIsListedAgain
check "how long an answer of the read store is" internal/pedia/api.go 'if resp.ContentLength > most {' 'if false {' internal/pedia TestNoMoreIsReadOfAnAnswerThanThereMayBe
check "how many objects are held" internal/instance/connection/watch.go 'full, known := before == nil && len(w.objects) >= w.most(), w.over' 'full, known := false, w.over' internal/instance/connection TestNoMoreObjectsAreHeldThanThereMayBe
check "a proxy of the environment" internal/instance/link/link.go 't.Proxy = nil' '' internal/instance/link TestAProxyOfTheEnvironmentDoesNotHideWhereAServerIs
check "where a name leads" internal/instance/link/link.go 'CheckAddress(at.Addr()); err != nil {' 'CheckAddress(at.Addr()); err != nil && false {' internal/instance/link TestANameThatLeadsWhereNoServerMayBeIsNotConnectedTo

# What hangs.
check "tokens while the host cluster hangs" internal/auth/authn.go 'a.now().Before(last.spare) {
		return &last' 'true {
		return &last' internal/auth TestAHostClusterThatHangsIsWaitedForNoLongerThanNeeded
check "one person's load on the read store" internal/pedia/circuit.go 'c.open = err != nil && down(err)' 'c.open = err != nil && down(err) || true' internal/pedia TestOnePersonsLoadOpensTheCircuitForNobodyElse
check "an operation that has waited in vain" internal/upstream/silence.go 'if h.over {' 'if false {' internal/upstream TestAnOperationWaitsInVainOnce
# What policies carry into members, and who may write them.
adm=internal/rbac/admission
ladder=TestWhatWouldBeALadderIsRefusedWithItsReason
check "who may write any policy" $adm/admission.go "authorizer.group('work.karmada.io').resource('works').check('create').allowed()" 'true' $adm $ladder
check "policies that others wrote" $adm/admission.go "request.operation != 'UPDATE' || object.spec != oldObject.spec" "request.operation != 'UPDATE'" $adm TestAPolicyCannotBeChangedIntoWhatCouldNotBeMade
check "policies that cannot be judged" $adm/admission.go 'ptr.To(admissionregistrationv1.Fail)' 'ptr.To(admissionregistrationv1.Ignore)' $adm TestAPolicyThatIsTooLargeToBeJudgedIsRefused
check "fields that a patch may change" $adm/overriders.go '(spec|data|stringData|binaryData)(/|$)' '(spec|data|stringData|binaryData|kind)' $adm $ladder
check "fields whose names begin alike" $adm/overriders.go '(spec|data|stringData|binaryData)(/|$)' '(spec|data|stringData|binaryData)' $adm $ladder
check "labels that steer Karmada" $adm/overriders.go "(%[1]s.contains('karmada.io') || %[1]s.contains('kairship.io'))" "(%[1]s == '')" $adm $ladder
check "fields in JSON and YAML" $adm/overriders.go '"!"+changes("p.fieldPath")' '"false"' $adm $ladder
check "the path of an image" $adm/overriders.go '"has(p.predicate) && ' '"false && ' $adm $ladder
check "the deprecated form of overrides" $adm/overriders.go '(has(object.spec.overriders) ? [object.spec.overriders] : [])' '[]' $adm $ladder
check "selectors of everything" $adm/selectors.go 'variables.selectors.size() > 0' 'true' $adm $ladder
check "kinds that policies may name" $adm/selectors.go '(k8s|kubernetes|karmada|kairship|clusterpedia)' '(kubernetes)' $adm $ladder
check "objects of other namespaces" $adm/selectors.go "s.namespace != variables.home ||" 'false ||' $adm TestANamespacedPolicyStaysInItsNamespace
check "policies in the control plane's namespaces" $adm/selectors.go "!variables.home.matches('" "true || variables.home.matches('" $adm TestANamespacedPolicyStaysInItsNamespace
check "what preemption claims" $adm/selectors.go "variables.home == '' || !has(object.spec.preemption)" 'true || !has(object.spec.preemption)' $adm TestANamespacedPolicyStaysInItsNamespace
# Without that of permissions the policies count as not in force: it is what is asked to know.
check "Kairship's own policies" $adm/own.go "|| o.metadata.name.startsWith('\" + ownPolicy + \"')" '' $adm TestKairshipsOwnObjectsAreWrittenByAdminsAlone
check "permissions that go to the members" $adm/own.go 'exists(o, "+label+")"' 'exists(o, false && "+label+")"' $adm TestKairshipsOwnObjectsAreWrittenByAdminsAlone
check "bindings" $adm/selectors.go 'forbid("false"' 'forbid("true"' $adm TestBindingsAreWrittenByKarmadaAndAdminsAlone
check "bindings that are deleted" $adm/selectors.go 'rule("work.karmada.io", all,' 'rule("work.karmada.io", writes,' $adm TestBindingsAreWrittenByKarmadaAndAdminsAlone
check "how strictly pods are looked at" $adm/own.go 'variables.labels.all(k,' 'variables.labels.all(k, true ||' $adm TestHowStrictlyPodsAreLookedAtIsForAdmins
check "how strictly pods were looked at" $adm/own.go 'variables.before.all(k,' 'variables.before.all(k, true ||' $adm TestHowStrictlyPodsAreLookedAtIsForAdmins
check "a Namespace from within it" $adm/own.go "request.operation == 'CREATE' ||" "true ||" $adm TestANamespaceIsNotPartOfWhatIsInIt
check "admission policies that are not placed" controllers/access/controller.go 'in.unguarded = p.guard(ctx)' 'in.unguarded = nil' controllers/access TestPoliciesOfOthersThanAdminsAreBounded
check "admission policies that somebody changed" controllers/access/guard.go 'if o.like(have) {' 'if have != nil {' controllers/access TestTheBoundsOfPoliciesArePutBack
check "policies that nothing bounds" controllers/access/desired.go 'if in.unguarded == nil {
		return rules' 'if true {
		return rules' controllers/access TestNobodyButAdminsWritesPoliciesWhereNothingBoundsThem
check "admission policies that are not acted on" controllers/access/guard.go 'err = p.inForce(ctx, within)' '_, err = within, nil' controllers/access TestNobodyButAdminsWritesPoliciesWhereNothingBoundsThem
check "what no custom role may grant" internal/rbac/role/role.go 'verb != ""' 'verb == "-"' internal/rbac/role TestARoleWithWhichOneCouldTakeEveryOtherRightIsRefused
check "Secrets of the control plane" internal/rbac/role/forbidden.go '== "secrets" && has(' '== "-" && has(' controllers/access TestWhatEachRoleMayDoInAKarmada
check "what leads to the control plane's servers" internal/rbac/role/forbidden.go 'case writes(r.Verbs) && guards(' 'case false && guards(' internal/rbac/role TestSecretsAreForNamespacesThatAreNotTheControlPlanes
# What is shown of a fleet: changes that no test noticed once.
prop=internal/propagation
check "when scheduling last succeeded" $prop/state.go 'later(later(latest, &b.CreatedAt), b.LastScheduledAt)' 'later(latest, &b.CreatedAt)' $prop TestState
check "the generation that all targets have seen" $prop/compute.go '*g < *out.ObservedGeneration' '*g > *out.ObservedGeneration' $prop TestAFactAboutSeveralClustersIsAboutTheOldestGenerationAmongThem
check "as many regions as a policy allows" internal/policy/place.go 'counts[:min(len(counts), atMost(region))]' 'counts[:min(len(counts), region.MinGroups)]' internal/policy TestWhereAnObjectCouldGo
check "a snapshot that is longer than what may wait" internal/live/buffer.go 'len(b.order)-b.snapshot >= b.limit' 'len(b.order) >= b.limit' internal/live TestBufferSendsWhatTheReaderNeedsToKnow
check "the object that a binding leaves" internal/live/board.go '		touched[carried(old)] = struct{}{}' '' internal/live TestABindingThatMovesToAnotherObjectLeavesTheFormerOne
check "a binding that took over" internal/live/board.go 'if b.carriers[carried(old)] == key { // no' 'if true { // no' internal/live TestABindingThatMovesToAnotherObjectLeavesTheFormerOne
known=TestKnownValuesAreTakenOutHoweverTheyAreWritten
check "secrets in base64 without padding" internal/telemetry/redact/values.go 'add(strings.TrimRight(encoded, "="))' '' internal/telemetry/redact $known
check "secrets that overlap" internal/telemetry/redact/values.go 'end = max(end, h.to)' 'end = h.to' internal/telemetry/redact $known
check "whose deletion is forced" controllers/lifecycle/guard.go '== instance.Name' '!= ""' controllers/lifecycle TestADeletionIsForcedByTheNameOfTheInstanceAlone
CGO_ENABLED=0 go run ./hack/disablechecks -only "${1:-.}" <"$rows"
