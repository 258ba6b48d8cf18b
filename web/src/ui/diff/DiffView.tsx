import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { DiffLine } from './lines';
import { diffLines, foldSame } from './lines';

interface DiffViewProps {
  from: string;
  to: string;
  label: string;
}

/** What two texts differ in, line by line; what is alike is folded away. */
export function DiffView({ from, to, label }: DiffViewProps) {
  const { t } = useTranslation();
  const parts = useMemo(() => foldSame(diffLines(from, to)), [from, to]);
  if (!parts.some((part) => 'lines' in part)) return <p className="muted">{t('diff.same')}</p>;
  return (
    <div className="diff" role="group" tabIndex={0} aria-label={label}>
      {parts.map((part, index) =>
        'folded' in part ? (
          <div key={index} className="diff-folded">
            {t('diff.folded', { count: part.folded })}
          </div>
        ) : (
          part.lines.map((line) => <Line key={`${line.before ?? ''} ${line.after ?? ''}`} line={line} />)
        ),
      )}
    </div>
  );
}

const MARKS = { same: ' ', added: '+', removed: '-' };

function Line({ line: { type, text, before, after } }: { line: DiffLine }) {
  const { t } = useTranslation();
  const Element = type === 'added' ? 'ins' : type === 'removed' ? 'del' : 'span';
  return (
    <div className={`diff-line is-${type}`}>
      <span className="diff-number" aria-hidden="true">
        {after ?? before}
      </span>
      <span className="diff-mark" aria-hidden="true">
        {MARKS[type]}
      </span>
      <Element>
        {type !== 'same' && (
          <span className="sr-only">{t(type === 'added' ? 'diff.added' : 'diff.gone')} </span>
        )}
        {text}
      </Element>
    </div>
  );
}
