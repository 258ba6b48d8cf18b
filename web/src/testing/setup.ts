// What browsers have and jsdom lacks, as far as the components need it.

const nothing = () => {};

if (typeof window !== 'undefined') {
  Object.assign(window, {
    scrollTo: nothing,
    matchMedia: (media: string) => ({
      media,
      matches: false,
      addEventListener: nothing,
      removeEventListener: nothing,
    }),
    ResizeObserver: class {
      observe = nothing;
      unobserve = nothing;
      disconnect = nothing;
    },
  });
  Object.assign(Element.prototype, { scrollIntoView: nothing });
  Object.assign(HTMLDialogElement.prototype, {
    showModal(this: HTMLDialogElement) {
      this.open = true;
    },
    close(this: HTMLDialogElement) {
      this.open = false;
    },
  });
}
