import type { Page } from '@playwright/test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const PLAYGROUND = process.env.KAIRSHIP_PLAYGROUND_DIR ?? join(import.meta.dirname, '../../../.playground');

/** The playground's identity provider, as its people meet it; playground/oidc/users.json says who they are. */
export class Provider {
  constructor(readonly page: Page) {}

  async signIn(user: 'owner' | 'editor' | 'viewer' | 'stranger'): Promise<void> {
    const password = readFileSync(join(PLAYGROUND, 'config/oidc-password'), 'utf8').trim();
    await this.page.getByRole('radio', { name: new RegExp(`^${user} `) }).check();
    await this.page.getByLabel('Password').fill(password);
    await this.page.getByRole('button', { name: 'Sign in' }).click();
  }

  async signOut(): Promise<void> {
    await this.page.getByRole('button', { name: 'Sign out' }).click();
  }
}
