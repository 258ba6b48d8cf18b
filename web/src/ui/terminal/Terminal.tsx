import { Button } from 'antd';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useTheme } from '../../app/theme';
import { StateBadge } from '../tone';
import type { Tone } from '../tones';
import { Screen } from './screen';
import type { Closed } from './session';
import { Session } from './session';

interface TerminalProps {
  /** What it is a terminal of. */
  label: string;
  /** Where its command runs: an address of this host that speaks Kubernetes' remote commands. */
  path: string;
  /** Begin at once; otherwise when somebody wants it. */
  begin: boolean;
}

type State = { kind: 'idle' } | { kind: 'connecting' } | { kind: 'open' } | Closed;

/** A terminal. A default export, so that it is fetched when wanted. */
export default function Terminal({ label, path, begin }: TerminalProps) {
  const { t } = useTranslation();
  const { dark } = useTheme();
  const host = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const screen = useRef<Screen>(null);
  const session = useRef<Session>(null);
  const [runs, setRuns] = useState(begin ? 1 : 0);
  const [state, setState] = useState<State>({ kind: begin ? 'connecting' : 'idle' });

  useEffect(() => {
    if (!host.current) return;
    const made = new Screen(host.current, label, {
      typed: (text) => session.current?.type(text),
      answered: (binary) => session.current?.answer(binary),
      resized: (size) => session.current?.resize(size),
      left: () => button.current?.focus(),
      omitted: (count) => t('terminal.omitted', { count }),
    });
    screen.current = made;
    return () => {
      made.close();
      screen.current = null;
    };
  }, [label, t]);

  useEffect(() => {
    if (host.current) screen.current?.recolour(host.current);
  }, [dark]);

  useEffect(() => {
    if (runs === 0) return;
    const run = new Session(path, {
      opened: () => {
        setState({ kind: 'open' });
        if (screen.current) run.resize(screen.current.size);
        screen.current?.focus();
      },
      output: (bytes) => screen.current?.write(bytes),
      closed: setState,
    });
    session.current = run;
    return () => {
      run.leave();
      session.current = null;
    };
  }, [path, runs]);

  const running = state.kind === 'open' || state.kind === 'connecting';
  const connect = () => {
    screen.current?.reset();
    setState({ kind: 'connecting' });
    setRuns((before) => before + 1);
  };
  const end = () => {
    session.current?.leave();
    setState({ kind: 'idle' });
  };

  return (
    <section className="terminal" aria-label={label} data-terminal={state.kind}>
      <div className="terminal-head">
        <span role="status">
          <StateBadge tone={toneOf(state)}>{t(`terminal.${state.kind}`)}</StateBadge>{' '}
          <span className="wrap">
            {state.kind === 'exited' && t('terminal.code', { code: state.code })}
            {'message' in state && state.message}
          </span>
        </span>
        <span className="page-gap" />
        <span className="muted small">{t('terminal.keys')}</span>
        <Button ref={button} size="small" onClick={running ? end : connect}>
          {t(running ? 'terminal.end' : runs > 0 ? 'terminal.again' : 'terminal.connect')}
        </Button>
      </div>
      <div ref={host} className="terminal-screen" />
    </section>
  );
}

function toneOf(state: State): Tone {
  switch (state.kind) {
    case 'open':
      return 'ok';
    case 'connecting':
      return 'busy';
    case 'exited':
      return state.code === 0 ? 'idle' : 'warn';
    case 'idle':
      return 'idle';
    case 'refused':
    case 'failed':
      return 'bad';
    case 'lost':
      return 'unknown';
  }
}
