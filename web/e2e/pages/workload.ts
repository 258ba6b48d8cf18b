import type { Locator, Page } from '@playwright/test';
import { expect } from '@playwright/test';

export class WorkloadPage {
  readonly heading: Locator;
  readonly scaleButton: Locator;
  readonly scaleForm: Locator;
  readonly replicas: Locator;
  readonly yaml: Locator;

  constructor(readonly page: Page) {
    this.heading = page.getByRole('heading', { level: 1 });
    this.scaleButton = page.getByRole('button', { name: 'Scale' }).first();
    this.scaleForm = page.locator('form.scale');
    this.replicas = page.getByLabel('Replicas');
    this.yaml = page.locator('[data-yaml] .cm-content');
  }

  async open(instance: string, namespace: string, kind: string, name: string, search = ''): Promise<void> {
    await this.page.goto(`/workloads/${instance}/${namespace}/${kind.toLowerCase()}/${name}${search}`);
    await expect(this.heading).toContainText(name);
  }

  fact(stage: 'scheduled' | 'applied' | 'healthy'): Locator {
    return this.page.locator(`[data-fact="${stage}"]`);
  }

  number(cluster: string, column: string): Locator {
    return this.page.locator(`[data-target="${cluster}"] [data-column="${column}"]`);
  }

  async scaleTo(replicas: number): Promise<void> {
    await this.scaleButton.click();
    await this.replicas.fill(String(replicas));
    await this.scaleForm.getByRole('button', { name: 'Scale' }).click();
  }
}
