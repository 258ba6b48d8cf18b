// @vitest-environment jsdom
import { expect, it } from 'vitest';
import { lawfulDocument, lawfully } from './lawful';

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

it('is a document in all else', () => {
  const lawful = lawfulDocument('n0nce');
  expect(lawful).toBeInstanceOf(Document);
  expect(lawful.body).toBe(document.body);
  expect(lawful.createDocumentFragment()).toBeInstanceOf(DocumentFragment);
  expect(lawful.createElement('style').nonce).toBe('n0nce');
});

it('sets the style of a span without its attribute', () => {
  const span = lawfulDocument(undefined).createElement('span');
  span.setAttribute('style', 'color: rgb(200, 30, 30);');
  span.setAttribute('class', 'x');
  expect(span.style.color).toBe('rgb(200, 30, 30)');
  expect(span.className).toBe('x');
});
