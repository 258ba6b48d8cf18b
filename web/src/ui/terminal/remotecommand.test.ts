import { describe, expect, it } from 'vitest';
import { binaryFrame, CHANNEL, endingOf, frameOf, inputFrames, refusalOf, sizeFrame } from './remotecommand';
import { socketAddress } from './session';

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const encoded = (said: unknown) => new TextEncoder().encode(JSON.stringify(said));

describe('frames', () => {
  it('begin with their channel', () => {
    const [frame] = inputFrames('ls ü\r');
    expect(frame && frameOf(frame.buffer)).toEqual({
      channel: CHANNEL.stdin,
      payload: new TextEncoder().encode('ls ü\r'),
    });
    expect(frameOf(new ArrayBuffer(0))).toBeNull();
  });

  it('cut a long text, and lose nothing of it', () => {
    const long = 'aü'.repeat(20_000);
    const frames = inputFrames(long);
    expect(frames.length).toBeGreaterThan(1);
    expect(Math.max(...frames.map(({ length }) => length))).toBeLessThanOrEqual(16 * 1024 + 1);
    expect(text(Uint8Array.from(frames.flatMap((frame) => [...frame.subarray(1)])))).toBe(long);
  });

  it('keep the bytes of what is no text', () => {
    expect([...binaryFrame('\x1b[M \xff')]).toEqual([0, 27, 91, 77, 32, 255]);
  });

  it('tell the size as Kubernetes writes it', () => {
    const frame = sizeFrame({ cols: 120, rows: 40 });
    expect(frame[0]).toBe(4);
    expect(JSON.parse(text(frame.subarray(1)))).toEqual({ Width: 120, Height: 40 });
  });
});

describe('endingOf', () => {
  const failure = (reason: string, causes: object[], message = '') =>
    endingOf(encoded({ status: 'Failure', reason, message, details: { causes } }));

  it('knows the exit code', () => {
    expect(endingOf(encoded({ status: 'Success' }))).toEqual({ kind: 'exited', code: 0 });
    expect(failure('NonZeroExitCode', [{ reason: 'ExitCode', message: '137' }])).toEqual({
      kind: 'exited',
      code: 137,
    });
  });

  it('has the words of what went wrong otherwise', () => {
    expect(failure('InternalError', [], 'no such container')).toEqual({
      kind: 'failed',
      message: 'no such container',
    });
    expect(failure('NonZeroExitCode', [{ reason: 'ExitCode', message: 'many' }])).toEqual({
      kind: 'failed',
      message: '',
    });
    expect(endingOf(new TextEncoder().encode('no JSON'))).toEqual({ kind: 'failed', message: '' });
  });
});

it('reads the words of a refusal, and of nothing else', () => {
  expect(refusalOf('{"kind":"Status","message":"pods \\"a\\" is forbidden"}')).toBe('pods "a" is forbidden');
  expect(refusalOf('<html>Bad gateway</html>')).toBe('');
  expect(refusalOf('{"message":7}')).toBe('');
});

it('is connected to as safely as the page is loaded', () => {
  expect(socketAddress({ protocol: 'https:', host: 'kairship' }, '/x')).toBe('wss://kairship/x');
  expect(socketAddress({ protocol: 'http:', host: 'kairship:80' }, '/x')).toBe('ws://kairship:80/x');
});
