// xterm.js makes elements that the page's content policy forbids: style elements without the nonce of this page, and
// spans with a style attribute. Here each is given what it needs.

type Create = (name: string, options?: ElementCreationOptions) => HTMLElement;

/** Runs what makes style elements, so that they have the nonce. */
export function lawfully(nonce: string | undefined, make: () => void): void {
  const { createElement } = Document.prototype as unknown as { createElement: Create };
  const create: Create = (name, options) => {
    const element = createElement.call(document, name, options);
    if (element instanceof HTMLStyleElement && nonce) element.nonce = nonce;
    return element;
  };
  Object.assign(document, { createElement: create });
  try {
    make();
  } finally {
    // What remains is the method of all documents.
    Reflect.deleteProperty(document, 'createElement');
  }
}

/** Has spans take their style from a script, which the policy allows, where they are given it as an attribute. */
export function styleSpansByScript(): void {
  HTMLSpanElement.prototype.setAttribute = function (this: HTMLElement, name: string, value: string) {
    if (name === 'style') this.style.cssText = value;
    else Element.prototype.setAttribute.call(this, name, value);
  };
}
