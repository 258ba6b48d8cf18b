import { Button } from 'antd';
import type { RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { StateBadge } from '../tone';
import type { Tone } from '../tones';
import type { Closed } from './session';

export type TerminalState = { kind: 'idle' } | { kind: 'connecting' } | { kind: 'open' } | Closed;

interface TerminalHeadProps {
  state: TerminalState;
  /** It has been connected before. */
  again: boolean;
  button?: RefObject<HTMLButtonElement | null>;
  connect: () => void;
  end: () => void;
}

/** How a terminal is, how it ended, and what can be done about it. */
export function TerminalHead({ state, again, button, connect, end }: TerminalHeadProps) {
  const { t } = useTranslation();
  const running = state.kind === 'open' || state.kind === 'connecting';
  return (
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
        {t(running ? 'terminal.end' : again ? 'terminal.again' : 'terminal.connect')}
      </Button>
    </div>
  );
}

function toneOf(state: TerminalState): Tone {
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
