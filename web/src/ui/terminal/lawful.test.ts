// @vitest-environment jsdom
import { afterEach, expect, it } from 'vitest';
import { lawfully, styleSpansByScript } from './lawful';

afterEach(() => void Reflect.deleteProperty(HTMLSpanElement.prototype, 'setAttribute'));

it('gives style elements the nonce, and the document its method back', () => {
  let made: HTMLElement | undefined;
  lawfully('n0nce', () => (made = document.createElement('style')));
  expect(made?.nonce).toBe('n0nce');
  expect(Object.hasOwn(document, 'createElement')).toBe(false);
  expect(() =>
    lawfully('n0nce', () => {
      throw new Error('no');
    }),
  ).toThrow('no');
  expect(Object.hasOwn(document, 'createElement')).toBe(false);
});

it('sets the style of a span, and of what is cloned from it, without its attribute', () => {
  styleSpansByScript();
  const span = document.createElement('span').cloneNode() as HTMLSpanElement;
  span.setAttribute('style', 'color: rgb(200, 30, 30);');
  span.setAttribute('class', 'x');
  expect(span.style.color).toBe('rgb(200, 30, 30)');
  expect(span.className).toBe('x');
});
