import { FitAddon } from '@xterm/addon-fit';
import { Terminal as XTerm } from '@xterm/xterm';
import '@xterm/xterm/css/xterm.css';
import type { ITheme } from '@xterm/xterm';
import { cspNonce } from '../../app/nonce';
import { lawfully, styleSpansByScript } from './lawful';
import type { Size } from './remotecommand';

styleSpansByScript();

/** Lines that can be scrolled back to. */
const SCROLLBACK = 5_000;
/** Output that is not drawn yet is held up to here, in bytes; what comes beyond is left out, and said. */
const MOST_WAITING = 4 << 20;

export interface ScreenEvents {
  typed: (text: string) => void;
  answered: (binary: string) => void;
  resized: (size: Size) => void;
  /** Somebody wants the focus to go on. */
  left: () => void;
  /** Bytes were left out: they came faster than they could be drawn. */
  omitted: (bytes: number) => string;
}

/** Where output is drawn, and typing is heard. */
export class Screen {
  private readonly xterm: XTerm;
  private readonly fit = new FitAddon();
  private readonly observer: ResizeObserver;
  private waiting = 0;
  private omitted = 0;

  constructor(
    host: HTMLElement,
    label: string,
    private readonly events: ScreenEvents,
  ) {
    this.xterm = new XTerm({
      fontFamily: getComputedStyle(host).fontFamily,
      fontSize: 13,
      scrollback: SCROLLBACK,
      minimumContrastRatio: 4.5,
      theme: themeOf(host),
    });
    this.xterm.loadAddon(this.fit);
    lawfully(cspNonce, () => this.xterm.open(host));
    this.xterm.textarea?.setAttribute('aria-label', label);
    this.xterm.onData(events.typed);
    this.xterm.onBinary(events.answered);
    this.xterm.onResize(events.resized);
    // Tab is the shell's: another way leads out.
    this.xterm.attachCustomKeyEventHandler((event) => {
      if (!(event.ctrlKey && event.shiftKey && event.code === 'KeyL')) return true;
      event.preventDefault();
      if (event.type === 'keydown') events.left();
      return false;
    });
    this.observer = new ResizeObserver(() => this.fit.fit());
    this.observer.observe(host);
    this.fit.fit();
  }

  get size(): Size {
    return { cols: this.xterm.cols, rows: this.xterm.rows };
  }

  write(output: Uint8Array | string): void {
    if (this.waiting > MOST_WAITING) {
      this.omitted += output.length;
      return;
    }
    this.waiting += output.length;
    this.xterm.write(output, () => {
      this.waiting -= output.length;
      if (this.waiting > 0 || this.omitted === 0) return;
      const said = this.events.omitted(this.omitted);
      this.omitted = 0;
      this.line(said);
    });
  }

  /** A line of the page's own between what commands say. */
  line(text: string): void {
    this.xterm.write(`\x1b[0m\r\n\x1b[2m${text}\x1b[0m\r\n`);
  }

  /** Colours that the page has now. */
  recolour(host: HTMLElement): void {
    this.xterm.options.theme = themeOf(host);
  }

  focus(): void {
    this.xterm.focus();
  }

  reset(): void {
    this.xterm.reset();
  }

  close(): void {
    this.observer.disconnect();
    this.xterm.dispose();
  }
}

/** The colours of the page; those of programs are kept apart from them by the contrast that is asked for. */
function themeOf(host: HTMLElement): ITheme {
  const style = getComputedStyle(host);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  return {
    background: colour('--surface'),
    foreground: colour('--text-1'),
    cursor: colour('--accent'),
    cursorAccent: colour('--surface'),
    selectionBackground: colour('--selection'),
    selectionForeground: colour('--text-1'),
  };
}
