import type { Page } from '@playwright/test';

export interface Answer {
  data?: Record<string, unknown> | null;
  errors?: unknown[];
}

/** Let the real server answer one operation, and change the answer as a fault would. */
export async function spoil(
  page: Page,
  operation: string,
  change: (answer: Answer) => Answer,
): Promise<void> {
  await page.route('**/graphql', async (route) => {
    const asked = route.request().postDataJSON() as { operationName?: string } | null;
    if (asked?.operationName !== operation) return route.fallback();
    const response = await route.fetch();
    await route.fulfill({ response, json: change((await response.json()) as Answer) });
  });
}
