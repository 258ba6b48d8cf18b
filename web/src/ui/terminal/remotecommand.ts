// Kubernetes' remote commands over a WebSocket: each frame is one byte that names its channel, and what comes on it.

/** With it a client can say that its input has ended. */
export const PROTOCOL = 'v5.channel.k8s.io';

export const CHANNEL = { stdin: 0, stdout: 1, stderr: 2, status: 3, resize: 4, close: 255 } as const;

export interface Frame {
  channel: number;
  payload: Uint8Array;
}

export interface Size {
  cols: number;
  rows: number;
}

/** How a command ended: by itself with a code, or not as it should have. */
export type Ending = { kind: 'exited'; code: number } | { kind: 'failed'; message: string };

/** A frame holds at most this much of what is typed: a long text goes in several. */
const LONGEST_INPUT = 16 * 1024;

const encoder = new TextEncoder();

export function framed(channel: number, payload: Uint8Array): Uint8Array<ArrayBuffer> {
  const frame = new Uint8Array(1 + payload.length);
  frame[0] = channel;
  frame.set(payload, 1);
  return frame;
}

/** What is typed, as frames. */
export function inputFrames(text: string): Uint8Array<ArrayBuffer>[] {
  const bytes = encoder.encode(text);
  const frames: Uint8Array<ArrayBuffer>[] = [];
  for (let from = 0; from < bytes.length; from += LONGEST_INPUT) {
    frames.push(framed(CHANNEL.stdin, bytes.subarray(from, from + LONGEST_INPUT)));
  }
  return frames;
}

/** Bytes that a terminal answers with, which are no text: each character is one. */
export function binaryFrame(text: string): Uint8Array<ArrayBuffer> {
  return framed(
    CHANNEL.stdin,
    Uint8Array.from(text, (character) => character.charCodeAt(0) & 255),
  );
}

export function sizeFrame({ cols, rows }: Size): Uint8Array<ArrayBuffer> {
  return framed(CHANNEL.resize, encoder.encode(JSON.stringify({ Width: cols, Height: rows })));
}

/** Null for a frame without a channel. */
export function frameOf(data: ArrayBuffer): Frame | null {
  const bytes = new Uint8Array(data);
  const channel = bytes[0];
  return channel === undefined ? null : { channel, payload: bytes.subarray(1) };
}

/** A Status of Kubernetes, as far as it is read. */
interface Status {
  status?: unknown;
  message?: unknown;
  reason?: unknown;
  details?: { causes?: { reason?: unknown; message?: unknown }[] };
}

/** What the status channel says of the end. */
export function endingOf(payload: Uint8Array): Ending {
  const status = statusOf(new TextDecoder().decode(payload));
  if (status.status === 'Success') return { kind: 'exited', code: 0 };
  if (status.reason === 'NonZeroExitCode') {
    const cause = status.details?.causes?.find(({ reason }) => reason === 'ExitCode');
    const code = Number(cause?.message);
    if (Number.isInteger(code)) return { kind: 'exited', code };
  }
  return { kind: 'failed', message: messageOf(status) };
}

/** What a server answered in place of a connection, in its own words; empty when it has none. */
export function refusalOf(body: string): string {
  return messageOf(statusOf(body));
}

function messageOf({ message }: Status): string {
  return typeof message === 'string' ? message : '';
}

function statusOf(text: string): Status {
  try {
    const status: unknown = JSON.parse(text);
    return typeof status === 'object' && status !== null ? status : {};
  } catch {
    return {};
  }
}
