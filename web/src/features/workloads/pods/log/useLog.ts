import { useEffect, useState } from 'react';
import type { PodLogsInput } from '../../../../graph/generated/graphql';
import { PodLogsDocument } from '../../../../graph/generated/graphql';
import type { Problem } from '../../../../graph/problems';
import { useSocket } from '../../../../graph/session';
import type { LogEntry } from './buffer';
import { LogBuffer } from './buffer';

export interface LogView {
  entries: readonly LogEntry[];
  /** Older lines that were let go. */
  trimmed: number;
  /** Nothing more comes. */
  ended: boolean;
  problems: Problem[];
}

const NOTHING: LogView = { entries: [], trimmed: 0, ended: false, problems: [] };

/** What of a log is asked for; `sinceMinutes` before the moment of asking. */
export interface LogQuestion {
  input: PodLogsInput;
  sinceMinutes?: number;
}

/** The logs of pods, drawn as often as the browser draws. `run` is another number when they are to be read anew. */
export function useLog(question: LogQuestion | null, run: number): LogView {
  const socket = useSocket();
  const asked = question && JSON.stringify(question);
  const of = asked && `${asked} ${run}`;
  const [shown, setShown] = useState<{ of: string | null; view: LogView }>({ of: null, view: NOTHING });

  useEffect(() => {
    if (!asked || !of) return;
    const { input, sinceMinutes } = JSON.parse(asked) as LogQuestion;
    const buffer = new LogBuffer();
    const state = { ended: false, problems: [] as Problem[] };
    let frame = 0;
    const draw = () => {
      frame ||= requestAnimationFrame(() => {
        frame = 0;
        setShown({ of, view: { entries: buffer.view(), trimmed: buffer.trimmed, ...state } });
      });
    };
    const since = sinceMinutes && new Date(Date.now() - sinceMinutes * 60_000).toISOString();
    const stop = socket.subscribe(
      PodLogsDocument,
      { input: since ? { ...input, since } : input },
      {
        next: ({ podLogs }) => {
          buffer.add(podLogs);
          draw();
        },
        refused: (problems) => {
          state.problems = problems;
          state.ended = true;
          draw();
        },
        restarted: () => {
          buffer.resume();
          draw();
        },
        ended: () => {
          state.ended = true;
          draw();
        },
      },
    );
    return () => {
      cancelAnimationFrame(frame);
      stop();
    };
  }, [socket, asked, of]);

  return shown.of === of ? shown.view : NOTHING;
}
