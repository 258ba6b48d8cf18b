import type { ReactNode } from 'react';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { useFleet } from '../../../app/fleet';
import type { FactFieldsFragment } from '../../../graph/generated/graphql';
import { FreshnessMark } from '../../../ui/Freshness';
import { ToneIcon } from '../../../ui/tone';
import { Age } from '../../../ui/Age';
import type { Row } from './page';
import type { Stage } from '../verdict';
import { countOf, countText, toneOfFact } from '../verdict';

/** A short rest before a card opens, so that a pointer may cross the list in peace. */
const REST_MS = 120;

interface Pointed {
  row: string;
  cluster: string;
  chip: HTMLElement;
}

/** One card for all chips of a list: a card a chip would cost a page of 200 rows dearly. */
export function ChipCard({ rows, children }: { rows: readonly Row[]; children: ReactNode }) {
  const [pointed, setPointed] = useState<Pointed | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  useEffect(() => {
    if (!pointed) return;
    const close = (event: KeyboardEvent) => event.key === 'Escape' && setPointed(null);
    const scroller = document.getElementById('content');
    const leave = () => setPointed(null);
    document.addEventListener('keydown', close);
    scroller?.addEventListener('scroll', leave, { passive: true });
    return () => {
      document.removeEventListener('keydown', close);
      scroller?.removeEventListener('scroll', leave);
    };
  }, [pointed]);

  useEffect(() => () => clearTimeout(timer.current), []);

  const point = (target: EventTarget, rest: number) => {
    const chip = (target as HTMLElement).closest<HTMLElement>('[data-chip]');
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      const { row, chip: cluster } = chip?.dataset ?? {};
      setPointed(chip && row && cluster ? { row, cluster, chip } : null);
    }, rest);
  };

  const row = pointed && rows.find(({ id }) => id === pointed.row);
  return (
    <div
      onMouseOver={(event) => point(event.target, REST_MS)}
      onMouseLeave={() => {
        clearTimeout(timer.current);
        setPointed(null);
      }}
      onFocus={(event) => point(event.target, 0)}
      onBlur={() => {
        clearTimeout(timer.current);
        setPointed(null);
      }}
    >
      {children}
      {pointed && row && createPortal(<Card row={row} pointed={pointed} />, document.body)}
    </div>
  );
}

function Card({ row, pointed }: { row: Row; pointed: Pointed }) {
  const { t } = useTranslation();
  const fleet = useFleet();
  const card = useRef<HTMLDivElement>(null);
  const target = row.propagation?.targets.find(({ clusterName }) => clusterName === pointed.cluster);

  useLayoutEffect(() => {
    if (!card.current) return;
    const chip = pointed.chip.getBoundingClientRect();
    const size = card.current.getBoundingClientRect();
    const below = chip.bottom + 6 + size.height < window.innerHeight;
    const left = Math.max(8, Math.min(chip.left, window.innerWidth - size.width - 8));
    card.current.style.left = `${left}px`;
    card.current.style.top = `${below ? chip.bottom + 6 : Math.max(8, chip.top - 6 - size.height)}px`;
    card.current.style.visibility = 'visible';
  });

  if (!target) return null;
  const count = countText(countOf(row.kind, target, 'completions' in row ? row.completions : null));
  const freshness = fleet.freshness(row.instance?.name ?? '', target.clusterName) ?? target.freshness;
  return (
    <div ref={card} className="card chip-card" role="tooltip">
      <div className="chip-card-head">
        <strong>{target.clusterName}</strong>
        <span className="number">{count}</span>
      </div>
      {target.reason !== 'SCHEDULED' && <p className="muted">{t(`placement.${target.reason}`)}</p>}
      <dl className="facts-short">
        <ShortFact stage="scheduled" fact={target.scheduled} />
        <ShortFact stage="applied" fact={target.applied} />
        <ShortFact stage="healthy" fact={target.healthy} />
      </dl>
      {freshness && (
        <div className="chip-card-foot">
          <FreshnessMark freshness={freshness} />
          {freshness.message && <span className="muted wrap">{freshness.message}</span>}
        </div>
      )}
    </div>
  );
}

function ShortFact({ stage, fact }: { stage: Stage; fact: FactFieldsFragment }) {
  const { t } = useTranslation();
  return (
    <>
      <dt>
        <ToneIcon tone={toneOfFact(stage, fact)} />
        {t(`fact.${stage}`)}
      </dt>
      <dd>
        <span className="reason">{fact.reason}</span>{' '}
        {fact.since && (
          <span className="muted">
            <Age since={fact.since} />
          </span>
        )}
        {fact.message && <div className="muted wrap">{fact.message}</div>}
      </dd>
    </>
  );
}
