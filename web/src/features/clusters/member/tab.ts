import type { ClusterSearch } from './search';

/** What a tab of a cluster's page is told. */
export interface TabProps {
  instance: string;
  cluster: string;
  search: ClusterSearch;
}
