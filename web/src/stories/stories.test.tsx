// @vitest-environment jsdom
import { cleanup, render, waitFor } from '@testing-library/react';
import axe from 'axe-core';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { ThemeProvider } from '../app/theme';
import { startLanguage } from '../i18n';
import { STORIES } from '.';
import { Stage } from './Stage';
import { slugOf } from './story';

vi.setConfig({ testTimeout: 30_000 });

beforeAll(startLanguage);
afterEach(cleanup);

it('have names of their own', () => {
  expect(new Set(STORIES.map(slugOf)).size).toBe(STORIES.length);
});

it.each(STORIES.map((story) => [slugOf(story), story] as const))(
  '%s has no fault that axe finds',
  async (_, story) => {
    const failed = vi.spyOn(console, 'error').mockImplementation(() => {});
    const { container } = render(
      <ThemeProvider>
        <main id="content">
          <Stage story={story} />
        </main>
      </ThemeProvider>,
    );
    await waitFor(() => expect(container.querySelector('main')?.childElementCount).toBeGreaterThan(0));
    story.play?.(document);
    // Forms validate, dialogs take the focus and toasts come in a moment later.
    await new Promise((settled) => setTimeout(settled, 100));
    const { violations } = await axe.run(document.body, {
      resultTypes: ['violations'],
      // There are no styles here; stories.spec.ts looks at the colours in a browser.
      rules: { 'color-contrast': { enabled: false } },
    });
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html.slice(0, 200))])).toEqual([]);
    const said = failed.mock.calls.map(([first]) => String(first));
    // jsdom does not know the element <search>.
    expect(said.filter((text) => !text.includes('unrecognized in this browser'))).toEqual([]);
  },
);
