import type { Locator, Page } from '@playwright/test';

export class SignInPage {
  readonly token: Locator;
  readonly submit: Locator;
  readonly answer: Locator;

  constructor(readonly page: Page) {
    this.token = page.getByLabel('Bearer token');
    this.submit = page.getByRole('button', { name: 'Sign in' });
    this.answer = page.getByRole('alert').first();
  }

  async open(to?: string): Promise<void> {
    await this.page.goto(to ?? '/');
    await this.token.waitFor();
  }

  async signIn(token: string): Promise<void> {
    await this.token.fill(token);
    await this.submit.click();
  }
}
