import type { Locator, Page } from '@playwright/test';
import { expect } from '@playwright/test';

/** The pods of a workload, and what they are looked into with. */
export class PodsPage {
  readonly rows: Locator;
  readonly log: Locator;
  readonly lines: Locator;
  readonly terminal: Locator;

  constructor(readonly page: Page) {
    this.rows = page.locator('[data-pod]');
    this.log = page.getByRole('log');
    this.lines = this.log.locator('.log-line');
    this.terminal = page.locator('[data-terminal]');
  }

  async open(workload: string, search = ''): Promise<void> {
    await this.page.goto(`/workloads/${workload}?tab=pods${search}`);
    await expect(this.rows.or(this.log).or(this.terminal).first()).toBeVisible();
  }

  in(cluster: string): Locator {
    return this.page.locator(`[data-pod-cluster="${cluster}"]`);
  }

  async names(cluster: string): Promise<string[]> {
    return this.in(cluster).evaluateAll((rows) => rows.map((row) => (row as HTMLElement).dataset.pod ?? ''));
  }

  /** Types a line into the terminal as a person does. */
  async type(text: string): Promise<void> {
    await this.page.keyboard.type(`${text}\n`);
  }

  /** What the terminal shows. */
  get screen(): Locator {
    return this.terminal.locator('.xterm-rows');
  }
}
