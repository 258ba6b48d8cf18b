// xterm.js makes elements that the page's content policy forbids: style elements without the nonce of this page, and
// spans with a style attribute. Here each is given what it needs.

type Create = (name: string, options?: ElementCreationOptions) => HTMLElement;

/** A document whose elements keep the policy. */
export function lawfulDocument(nonce: string | undefined): Document {
  return new Proxy(document, {
    get(target, key) {
      if (key === 'createElement') return creator(nonce);
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? (value as () => unknown).bind(target) : value;
    },
  });
}

/** Runs what makes elements of the page's own document, so that they keep the policy. */
export function lawfully(nonce: string | undefined, make: () => void): void {
  Object.assign(document, { createElement: creator(nonce) });
  try {
    make();
  } finally {
    // What remains is the method of all documents.
    Reflect.deleteProperty(document, 'createElement');
  }
}

function creator(nonce: string | undefined): Create {
  const { createElement } = Document.prototype as unknown as { createElement: Create };
  return (name, options) => {
    const element = createElement.call(document, name, options);
    if (element instanceof HTMLStyleElement && nonce) element.nonce = nonce;
    if (element instanceof HTMLSpanElement) element.setAttribute = setAttribute;
    return element;
  };
}

/** A style that is set as an attribute is forbidden, one that is set by a script is not. */
function setAttribute(this: HTMLElement, name: string, value: string): void {
  if (name === 'style') this.style.cssText = value;
  else Element.prototype.setAttribute.call(this, name, value);
}
