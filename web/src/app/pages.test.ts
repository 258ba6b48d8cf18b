// @vitest-environment jsdom
import { beforeEach, describe, expect, it } from 'vitest';
import { signIn } from '../features/session/session';
import { en } from '../i18n/en';
import { PAGES } from './pages';
import { router } from './router';
import { stringifySearch } from './search';

beforeEach(() => signIn('token'));

const pageOf = (route: (typeof PAGES)[number]) => route.options.staticData?.page;

function textOf(key: string): unknown {
  return key.split('.').reduce<unknown>((words, part) => (words as Record<string, unknown>)[part], en);
}

describe('the registry of pages', () => {
  it.each(PAGES.map((route) => [route.fullPath, route] as const))('%s says what it is called', (_, route) => {
    const page = pageOf(route);
    const title = page?.title;
    expect(typeof title === 'string' ? textOf(title) : title?.({})).toEqual(expect.any(String));
    if (page?.navigation) expect(textOf(page.navigation.label)).toEqual(expect.any(String));
  });

  it('gives the navigation its order', () => {
    const led = Object.values(router.routesById)
      .filter((route) => route.options.staticData?.page?.navigation)
      .map(({ fullPath }) => fullPath);
    expect(led).toEqual(PAGES.filter((route) => pageOf(route)?.navigation).map(({ fullPath }) => fullPath));
    expect(led).toContain('/audit');
  });
});

it.each([
  ['/clusters', '/clusters?instance=europe'],
  ['/audit?kind=Job&after=c', '/audit?instance=europe&kind=Job'],
])('narrows %s to an instance where it stands', async (href, want) => {
  await router.navigate({ href });
  const { pathname, search } = router.buildLocation({
    to: '.',
    search: (before: Record<string, unknown>) => ({ ...before, instance: 'europe', after: undefined }),
  });
  expect(pathname + stringifySearch(Object.fromEntries(Object.entries(search).sort()))).toBe(want);
});
