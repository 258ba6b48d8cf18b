import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useTheme } from '../../app/theme';
import { Screen } from './screen';
import { Session } from './session';
import type { TerminalState } from './TerminalHead';
import { TerminalHead } from './TerminalHead';

interface TerminalProps {
  /** What it is a terminal of. */
  label: string;
  /** Where its command runs: an address of this host that speaks Kubernetes' remote commands. */
  path: string;
  /** Begin at once; otherwise when somebody wants it. */
  begin: boolean;
}

/** A terminal. A default export, so that it is fetched when wanted. */
export default function Terminal({ label, path, begin }: TerminalProps) {
  const { t } = useTranslation();
  const { dark } = useTheme();
  const host = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const screen = useRef<Screen>(null);
  const session = useRef<Session>(null);
  const [runs, setRuns] = useState(begin ? 1 : 0);
  const [state, setState] = useState<TerminalState>({ kind: begin ? 'connecting' : 'idle' });

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
    // The page itself has its colours after its parts were told of them.
    const frame = requestAnimationFrame(() => {
      if (host.current) screen.current?.recolour(host.current);
    });
    return () => cancelAnimationFrame(frame);
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
      <TerminalHead state={state} again={runs > 0} button={button} connect={connect} end={end} />
      <div ref={host} className="terminal-screen" />
    </section>
  );
}
