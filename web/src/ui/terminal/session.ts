import type { Ending, Size } from './remotecommand';
import {
  binaryFrame,
  CHANNEL,
  endingOf,
  frameOf,
  inputFrames,
  PROTOCOL,
  refusalOf,
  sizeFrame,
} from './remotecommand';

/** How a connection ended. */
export type Closed = Ending | { kind: 'refused'; message: string } | { kind: 'lost' };

interface SessionEvents {
  opened: () => void;
  output: (bytes: Uint8Array) => void;
  closed: (how: Closed) => void;
}

/** What is typed faster than it is taken is held up to here, in bytes; more is not typed. */
const MOST_WAITING = 1 << 20;

/** One run of a command in a terminal. */
export class Session {
  private readonly socket: WebSocket;
  private opened = false;
  private ending: Ending | undefined;
  private left = false;

  constructor(
    private readonly path: string,
    private readonly events: SessionEvents,
  ) {
    this.socket = new WebSocket(socketAddress(location, path), [PROTOCOL]);
    this.socket.binaryType = 'arraybuffer';
    this.socket.onopen = () => {
      this.opened = true;
      events.opened();
    };
    this.socket.onmessage = ({ data }) => {
      if (data instanceof ArrayBuffer) this.receive(data);
    };
    this.socket.onclose = () => void this.close();
  }

  type(text: string): void {
    for (const frame of inputFrames(text)) this.send(frame);
  }

  answer(binary: string): void {
    this.send(binaryFrame(binary));
  }

  resize(size: Size): void {
    this.send(sizeFrame(size));
  }

  /** Hangs up; nothing more is told. */
  leave(): void {
    this.left = true;
    this.socket.close();
  }

  private send(frame: Uint8Array<ArrayBuffer>): void {
    if (this.socket.readyState !== WebSocket.OPEN || this.socket.bufferedAmount > MOST_WAITING) return;
    this.socket.send(frame);
  }

  private receive(data: ArrayBuffer): void {
    const frame = frameOf(data);
    if (!frame || this.left) return;
    const { channel, payload } = frame;
    if (channel === CHANNEL.stdout || channel === CHANNEL.stderr) this.events.output(payload);
    else if (channel === CHANNEL.status) this.ending = endingOf(payload);
  }

  private async close(): Promise<void> {
    const how = this.ending ?? (this.opened ? { kind: 'lost' as const } : await whyRefused(this.path));
    if (!this.left) this.events.closed(how);
  }
}

/** A browser does not show what a socket was refused with: the same is asked for without one. */
async function whyRefused(path: string): Promise<Closed> {
  try {
    const response = await fetch(path, { headers: { accept: 'application/json', 'x-kairship-csrf': '1' } });
    const message = refusalOf(await response.text());
    // Whom nothing stands in the way of is told to ask for a socket.
    if (message !== '' && !/upgrade|websocket/i.test(message)) return { kind: 'refused', message };
  } catch {
    // It cannot be reached.
  }
  return { kind: 'failed', message: '' };
}

export function socketAddress(at: Pick<Location, 'protocol' | 'host'>, path: string): string {
  return `${at.protocol === 'https:' ? 'wss' : 'ws'}://${at.host}${path}`;
}
