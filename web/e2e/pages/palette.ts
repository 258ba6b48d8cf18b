import type { Locator, Page } from '@playwright/test';
import { expect } from '@playwright/test';

/** Search and commands, as hands on the keyboard meet it. */
export class PalettePage {
  readonly field: Locator;
  readonly options: Locator;
  readonly active: Locator;

  constructor(readonly page: Page) {
    this.field = page.getByRole('combobox', { name: 'Search and commands' });
    this.options = page.getByRole('listbox', { name: 'Choices' }).getByRole('option');
    this.active = page.locator('.palette-option.is-active');
  }

  async open(): Promise<void> {
    await expect(this.page.getByRole('button', { name: 'Search' })).toBeVisible();
    await this.page.keyboard.press('Control+k');
    await expect(this.field).toBeFocused();
  }

  async search(text: string): Promise<void> {
    await this.open();
    await this.page.keyboard.type(text);
    await expect(this.page.getByText('Searching…')).toHaveCount(0);
  }

  /** Moves down to what is called so, as the field itself says it, and chooses it. */
  async choose(text: string | RegExp): Promise<void> {
    const wanted = this.options.filter({ hasText: text }).first();
    await expect(wanted).toBeVisible();
    const id = await wanted.getAttribute('id');
    for (let presses = 0; (await this.field.getAttribute('aria-activedescendant')) !== id; presses++) {
      expect(presses, 'arrow keys lead to every choice').toBeLessThan(60);
      await this.page.keyboard.press('ArrowDown');
    }
    await this.page.keyboard.press('Enter');
    await expect(this.field).toHaveCount(0);
  }
}
