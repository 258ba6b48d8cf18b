import { zh as app } from '../app/texts/zh';
import { zh as access } from '../features/access/texts/zh';
import { zh as apply } from '../features/apply/texts/zh';
import { zh as audit } from '../features/audit/texts/zh';
import { zh as clusters } from '../features/clusters/texts/zh';
import { zh as events } from '../features/events/texts/zh';
import { zh as kubeconfig } from '../features/kubeconfig/texts/zh';
import { zh as overview } from '../features/overview/texts/zh';
import { zh as policies } from '../features/policies/texts/zh';
import { zh as resources } from '../features/resources/texts/zh';
import { zh as session } from '../features/session/texts/zh';
import { zh as workloads } from '../features/workloads/texts/zh';
import { zh as kit } from '../ui/texts/zh';
import type { en } from './en';
import type { Words } from './words';

export const zh: Words<typeof en> = {
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
