import type { Locator, Page } from '@playwright/test';
import { expect } from '@playwright/test';
import { kubectl } from '../fleet';

/** The page of one workload beyond its facts: findings, clusters, topology, revisions. */
export class DetailPage {
  readonly why: Locator;
  readonly dialog: Locator;
  readonly graph: Locator;

  constructor(readonly page: Page) {
    this.why = page.locator('[data-why]');
    this.dialog = page.getByRole('dialog');
    this.graph = page.locator('.topology-graph');
  }

  async open(path: string, search = ''): Promise<void> {
    await this.page.goto(`/workloads/${path}${search}`);
    await expect(this.page.getByRole('heading', { level: 1 })).toContainText(path.split('/').at(-1) ?? '');
  }

  finding(code: string): Locator {
    return this.page.locator(`[data-finding="${code}"]`);
  }

  target(cluster: string): Locator {
    return this.page.locator(`tr[data-target="${cluster}"]`);
  }

  node(id: string): Locator {
    return this.page.locator(`[data-node="${id}"]`);
  }
}

/** A Deployment of a test's own in the namespace shop of asia; the policy, if it has one, is given by its placement. */
export function makeDeployment(name: string, placement?: object): void {
  const labels = { app: name };
  const containers = [
    { name: 'web', image: 'registry.example/e2e:1', resources: { requests: { cpu: '10m', memory: '16Mi' } } },
  ];
  const deployment = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { namespace: 'shop', name },
    spec: {
      replicas: 2,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers } },
    },
  };
  const policy = {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'PropagationPolicy',
    metadata: { namespace: 'shop', name },
    spec: { resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment', name }], placement },
  };
  const items = placement ? [policy, deployment] : [deployment];
  kubectl('asia', ['create', '-f', '-'], JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
}

export function removeDeployment(name: string): void {
  kubectl('asia', [
    '-n',
    'shop',
    'delete',
    `deployment/${name}`,
    `propagationpolicy/${name}`,
    '--ignore-not-found',
    '--wait=false',
  ]);
}
