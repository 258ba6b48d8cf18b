import { accessPage } from '../features/access/page';
import { applyPage } from '../features/apply/page';
import { auditPage } from '../features/audit/page';
import { clusterPage, clustersPage, createPage, instancePage, joinPage } from '../features/clusters/page';
import { eventsPage } from '../features/events/page';
import { namespacesPage } from '../features/namespaces/page';
import { overviewPage } from '../features/overview/page';
import { policiesPage, policyCreatePage, policyPage } from '../features/policies/pages';
import { resourcePage, resourcesPage } from '../features/resources/pages';
import { workloadCreatePage, workloadPage, workloadsPage } from '../features/workloads/pages';

/** Every page behind the sign-in, in the order of the navigation. */
export const PAGES = [
  overviewPage,
  workloadsPage,
  workloadCreatePage,
  workloadPage,
  clustersPage,
  instancePage,
  clusterPage,
  joinPage,
  createPage,
  policiesPage,
  policyCreatePage,
  policyPage,
  namespacesPage,
  resourcesPage,
  resourcePage,
  eventsPage,
  applyPage,
  accessPage,
  auditPage,
] as const;
