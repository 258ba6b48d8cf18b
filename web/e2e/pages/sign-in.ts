import type { Locator, Page } from '@playwright/test';

export class SignInPage {
  readonly provider: Locator;
  readonly token: Locator;
  readonly submit: Locator;
  readonly answer: Locator;
  private readonly other: Locator;

  constructor(readonly page: Page) {
    this.provider = page.getByRole('link', { name: /^Sign in with / });
    this.token = page.getByLabel('Bearer token');
    this.submit = page.getByRole('button', { name: 'Sign in', exact: true });
    this.answer = page.getByRole('alert').first();
    this.other = page.getByText('Use a token instead');
  }

  async open(to?: string): Promise<void> {
    await this.page.goto(to ?? '/');
    await this.unfold();
  }

  /** Where people sign in by their browser, the token's field is folded away. */
  async unfold(): Promise<void> {
    await this.token.or(this.other).first().waitFor();
    if (!(await this.token.isVisible())) await this.other.click();
    await this.token.waitFor();
  }

  async signIn(token: string): Promise<void> {
    await this.token.fill(token);
    await this.submit.click();
  }
}
