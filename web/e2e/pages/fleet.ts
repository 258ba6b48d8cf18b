import type { Locator, Page } from '@playwright/test';
import { expect } from '@playwright/test';
import { expectAccessible, picture } from '../fixtures';

/** A page about an instance, a cluster, or the making of one. */
export class FleetPage {
  readonly state: Locator;
  readonly operation: Locator;

  constructor(readonly page: Page) {
    this.state = page.locator('.detail-state');
    this.operation = page.locator('[data-operation]');
  }

  async openCluster(instance: string, cluster: string, search = ''): Promise<void> {
    await this.page.goto(`/clusters/${instance}/${cluster}${search}`);
    await expect(this.page.getByRole('heading', { level: 1, name: cluster })).toBeVisible();
  }

  async openInstance(instance: string, search = ''): Promise<void> {
    await this.page.goto(`/clusters/${instance}${search}`);
    await expect(this.page.getByRole('heading', { level: 1, name: instance })).toBeVisible();
  }

  async tab(id: string): Promise<void> {
    await this.page.locator(`[data-tab="${id}"]`).click();
    await expect(this.page.locator(`[data-tab="${id}"]`)).toHaveAttribute('aria-current', 'page');
  }

  /** Waits until the operation that is followed has ended well. */
  async succeeds(timeout: number): Promise<void> {
    await expect(this.operation).toHaveAttribute('data-state', /SUCCEEDED|FAILED|CANCELLED/, { timeout });
    await expect(this.operation, await this.operation.innerText()).toHaveAttribute('data-state', 'SUCCEEDED');
  }

  /** Removes the cluster that is looked at, by its name typed. */
  async unjoin(cluster: string): Promise<void> {
    await this.page.getByRole('button', { name: 'Unjoin' }).click();
    const dialog = this.page.getByRole('dialog', { name: `Unjoin ${cluster}` });
    await expect(dialog.locator('[data-foreseen]')).toBeVisible();
    const submit = dialog.getByRole('button', { name: 'Unjoin', exact: true });
    await expect(submit).toBeDisabled();
    await dialog.getByLabel(`Type ${cluster} to confirm`).fill(cluster);
    await expectAccessible(this.page);
    await picture(this.page, `unjoin-${cluster}`);
    await submit.click();
    await expect(dialog).toHaveCount(0);
  }

  /** Nothing runs out of the page, whatever its width. */
  async fits(width: number, name: string): Promise<void> {
    await this.page.setViewportSize({ width, height: 844 });
    const over = await this.page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(over).toBeLessThanOrEqual(0);
    await expectAccessible(this.page);
    await picture(this.page, name);
  }

  /** Looks at the page in both themes and on a phone. */
  async looks(name: string): Promise<void> {
    await expectAccessible(this.page);
    await picture(this.page, name);
    await this.page.emulateMedia({ colorScheme: 'dark' });
    await expectAccessible(this.page);
    await picture(this.page, `${name}-dark`);
    await this.page.emulateMedia({ colorScheme: 'light' });
    await this.fits(390, `${name}-phone`);
    await this.page.setViewportSize({ width: 1280, height: 800 });
  }
}
