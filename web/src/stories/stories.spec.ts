import { expect, test } from '@playwright/test';
import type { Page } from '@playwright/test';
import { expectAccessible, picture } from '../../e2e/fixtures';

/** All of them, or those whose names contain STORY. */
async function storiesOf(page: Page): Promise<string[]> {
  await page.goto('/stories.html');
  const links = page.locator('.stories li a');
  await links.first().waitFor();
  const all = await links.evaluateAll((found) =>
    found.map((link) => (link as HTMLAnchorElement).hash.slice(1)),
  );
  return all.filter((story) => story.includes(process.env.STORY ?? ''));
}

test('every story is drawn and accessible, light and dark', async ({ page }) => {
  const said: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') said.push(message.text());
  });
  page.on('pageerror', (error) => said.push(error.message));
  for (const story of await storiesOf(page)) {
    await test.step(story, async () => {
      await page.emulateMedia({ colorScheme: 'light' });
      await page.goto(`/stories.html#${story}`);
      await expect(page.locator(`[data-played="${story}"]`)).toBeVisible();
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await expect(page.locator('html')).toHaveCSS('color-scheme', colorScheme);
        await expectAccessible(page);
        // Whoever looks for one story wants to see it.
        if (process.env.STORY) await picture(page, `story-${story}-${colorScheme}`);
      }
      const wider = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(wider, 'nothing is wider than the window').toBeLessThanOrEqual(0);
    });
  }
  expect(said, 'errors').toEqual([]);
});
