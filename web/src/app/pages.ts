import { auditPage } from '../audit/page';
import { clustersPage } from '../clusters/page';
import { workloadPage, workloadsPage } from '../workloads/pages';

/** Every page behind the sign-in, in the order of the navigation. */
export const PAGES = [workloadsPage, workloadPage, clustersPage, auditPage] as const;
