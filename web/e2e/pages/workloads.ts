import type { Locator, Page } from '@playwright/test';
import { expect } from '@playwright/test';

export class WorkloadsPage {
  readonly table: Locator;
  readonly rows: Locator;
  readonly next: Locator;
  readonly previous: Locator;

  constructor(readonly page: Page) {
    this.table = page.getByRole('table', { name: 'Workloads', exact: true });
    this.rows = this.table.locator('tbody tr[data-workload]');
    this.next = page.getByRole('button', { name: 'Next' });
    this.previous = page.getByRole('button', { name: 'Previous' });
  }

  async open(search = ''): Promise<void> {
    await this.page.goto(`/workloads${search}`);
    await expect(this.rows.first()).toBeVisible();
  }

  async live(): Promise<void> {
    await expect(this.page.getByText('Live', { exact: true }).first()).toBeVisible();
    await expect(this.page.locator('.link-mark.is-live')).toBeVisible();
  }

  /** The row of one workload; kinds of the same name differ. */
  row(kind: string, namespace: string, name: string): Locator {
    const path = `/${namespace}/${kind.toLowerCase()}/${name}`;
    return this.rows.filter({ has: this.page.locator(`th a[href$="${path}"]`) });
  }

  chip(row: Locator, cluster: string): Locator {
    return row.locator(`[data-chip="${cluster}"]`);
  }
}
