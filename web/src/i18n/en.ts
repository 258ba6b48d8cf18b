import { en as app } from '../app/texts/en';
import { en as access } from '../features/access/texts/en';
import { en as apply } from '../features/apply/texts/en';
import { en as audit } from '../features/audit/texts/en';
import { en as clusters } from '../features/clusters/texts/en';
import { en as events } from '../features/events/texts/en';
import { en as kubeconfig } from '../features/kubeconfig/texts/en';
import { en as overview } from '../features/overview/texts/en';
import { en as policies } from '../features/policies/texts/en';
import { en as resources } from '../features/resources/texts/en';
import { en as session } from '../features/session/texts/en';
import { en as workloads } from '../features/workloads/texts/en';
import { en as kit } from '../ui/texts/en';

/** All texts: each feature has its own beside it. */
export const en = {
  ...app,
  ...access,
  ...apply,
  ...audit,
  ...clusters,
  ...events,
  ...kubeconfig,
  ...overview,
  ...policies,
  ...resources,
  ...session,
  ...workloads,
  ...kit,
};
